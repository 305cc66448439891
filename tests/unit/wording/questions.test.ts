import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { compileSchema } from '../../../shared/engine/schema/compile-schema.ts'
import { findFaults } from '../../../shared/engine/schema/find-faults.ts'
import { slotFor, titleField } from '../../../shared/engine/wording/describe-parameter.ts'
import { askedPlace, questionFor } from '../../../shared/engine/wording/question-for.ts'
import { askUnfit } from '../../../shared/words/sentences/questions.ts'

/** The question about the parameter `name` with this schema, when this value is sent (`undefined`: nothing). */
function ask(name: string, schema: JsonSchema, value?: unknown): string {
  const { fault, root } = findFault(name, schema, value)
  return questionFor(fault, root)
}

function findFault(name: string, schema: JsonSchema, value?: unknown) {
  const compiled = compileSchema({
    type: 'object',
    properties: { [name]: schema },
    required: [name],
    additionalProperties: false,
  })
  const [fault] = findFaults(compiled, value === undefined ? {} : { [name]: value })
  if (!fault) throw new Error('no fault')
  return { fault, root: compiled.root }
}

describe('a bare schema asks like a person', () => {
  const cases: [string, string, JsonSchema, unknown, string][] = [
    [
      'what is missing, by its description',
      'product_id',
      { type: 'string', description: 'Unique identifier of the product.' },
      undefined,
      'What product ID should I use? Please provide this: Unique identifier of the product.',
    ],
    [
      'by its name alone',
      'startTime',
      { type: 'string' },
      undefined,
      'What start time should I use? Please provide text.',
    ],
    [
      'by its title',
      'x',
      { type: 'string', title: 'Invoice number' },
      undefined,
      'What invoice number should I use? Please provide text.',
    ],
    [
      'a choice',
      'status',
      { type: 'string', enum: ['open', 'closed'] },
      undefined,
      'Which status should I use? Please choose one of: "open", "closed".',
    ],
    [
      'yes or no',
      'monthly',
      { type: 'boolean', description: 'If true, monthly. Otherwise yearly.' },
      undefined,
      'Should "monthly" be true or false? If true, monthly.',
    ],
    [
      'a list',
      'items',
      { type: 'array', description: 'The items to order' },
      undefined,
      'What items should I use? Please provide this: The items to order.',
    ],
    [
      'a wrong type',
      'days',
      { type: 'integer' },
      'soon',
      'There seems to be an issue with the days. Please provide a whole number, not "soon".',
    ],
    [
      'a wrong kind of thing',
      'location',
      { type: 'string' },
      { city: 'Rome' },
      'There seems to be an issue with the location. Please provide text, not an object.',
    ],
    [
      'out of bounds',
      'year',
      { type: 'integer', minimum: 1900, maximum: 2100 },
      3000,
      'There seems to be an issue with the year. Please provide a whole number from 1900 to 2100.',
    ],
    [
      'a wrong choice',
      'status',
      { type: 'string', enum: ['open', 'closed'] },
      'x',
      'There seems to be an issue with the status. Please choose one of: "open", "closed".',
    ],
    [
      'a pattern',
      'order_id',
      { type: 'string', pattern: '^#W[0-9]{3}$', examples: ['#W111'] },
      'W1',
      'There seems to be an issue with the order ID. Please provide text like "#W111".',
    ],
    [
      'a pattern, by its description',
      'seat',
      { type: 'string', description: 'The seat on board.', pattern: '^[0-9]{2}[A-F]$' },
      'window',
      'There seems to be an issue with the seat. Please provide this: The seat on board.',
    ],
    [
      'a pattern that nobody explains',
      'code',
      { type: 'string', pattern: '^(a)\\1$' },
      'x',
      'There seems to be an issue with the code. Please provide text in the expected form.',
    ],
    [
      'an address',
      'email',
      { type: 'string', format: 'email' },
      'bob@',
      'There seems to be an issue with the email address format. Please check that "bob@" in "email" is a complete email address like name@example.com.',
    ],
    [
      'a date',
      'day',
      { type: 'string', format: 'date' },
      '2025-02-30',
      'There seems to be an issue with the date format. Please check that "2025-02-30" in "day" is a complete date like 2025-01-31.',
    ],
    [
      'too few',
      'tags',
      { type: 'array', items: { type: 'string' }, minItems: 2 },
      ['a'],
      'There seems to be an issue with the tags. Please provide a list of texts (at least 2 items).',
    ],
    [
      'what a name of two letters does not say',
      'q',
      { type: 'string', description: 'The search query' },
      undefined,
      'What value should I use for "q"? Please provide this: The search query.',
    ],
    [
      'a blank text, as what is missing',
      'city',
      { type: 'string', description: 'The city' },
      ' ',
      'What city should I use? Please provide this: The city.',
    ],
    [
      'a name with an article, without it',
      'theDate',
      { type: 'string' },
      undefined,
      'What date should I use? Please provide text.',
    ],
    [
      'a name with a word that is hardly one, in quotes',
      'to_unit',
      { type: 'string', description: 'The unit to convert to. Supports cups.' },
      undefined,
      'What value should I use for "to unit"? Please provide this: The unit to convert to. Supports cups.',
    ],
    [
      'a name that is a preposition',
      'to',
      { type: 'integer', description: 'The end of the requested timeframe as a timestamp' },
      'x',
      'There seems to be an issue with "to". Please provide a whole number, not "x".',
    ],
    [
      'a name that is no word',
      '$filter',
      { type: 'string' },
      undefined,
      'What value should I use for "$filter"? Please provide text.',
    ],
    [
      'a title that a generator made',
      'search_query',
      { type: 'string', title: 'Search Query' },
      undefined,
      'What search query should I use? Please provide text.',
    ],
    ['anything at all', 'x', {}, undefined, 'What value should I use for "x"? Please provide its value.'],
    [
      'what only its type says',
      'max_pages',
      { type: 'integer', minimum: 1 },
      undefined,
      'What max pages should I use? Please provide a whole number of at least 1.',
    ],
    [
      'how many',
      'bedrooms',
      { type: 'integer', description: 'Number of bedrooms required' },
      undefined,
      'What bedrooms should I use? Please provide this: Number of bedrooms required.',
    ],
    [
      'whether to do something',
      'include_dmarc',
      { type: 'boolean', description: 'Flag indicating whether to include DMARC records. Default: false' },
      undefined,
      'Should "include dmarc" be true or false? Flag indicating whether to include DMARC records.',
    ],
    [
      'whether something is so',
      'is_package',
      { type: 'boolean', description: 'Indicates if the work is offered as a package.' },
      undefined,
      'Should "is package" be true or false? Indicates if the work is offered as a package.',
    ],
    [
      'a boolean that is something else',
      'is_package',
      { type: 'boolean' },
      'maybe',
      'There seems to be an issue with "is package". Please provide true or false, not "maybe".',
    ],
    [
      'a description that is a sentence',
      'base',
      { type: 'string', description: 'Filter by base branch (name)' },
      undefined,
      'What base should I use? Please provide this: Filter by base branch (name).',
    ],
    [
      'a clause',
      'rolls',
      { type: 'integer', description: 'How many times to roll.' },
      undefined,
      'What rolls should I use? Please provide this: How many times to roll.',
    ],
    [
      'another language, in its own words',
      'monto_total',
      { type: 'number', description: 'El monto total del préstamo. Por ejemplo, 1000.' },
      undefined,
      'What monto total should I use? Please provide this: El monto total del préstamo.',
    ],
    [
      'a script without blanks',
      '数量',
      { type: 'integer', description: '注文する数量。一以上。' },
      undefined,
      'What value should I use for "数量"? Please provide this: 注文する数量.',
    ],
    [
      'not where an abbreviation ends',
      'city',
      { type: 'string', description: 'The city, e.g. St. Louis, MO' },
      undefined,
      'What city should I use? Please provide this: The city, e.g. St. Louis, MO.',
    ],
    [
      'a long description, clipped',
      'area',
      {
        type: 'string',
        description: `The city where the search is conducted (e.g. 'Los Angeles, CA', ${'or another one '.repeat(9)})`,
      },
      undefined,
      `What area should I use? Please provide this: The city where the search is conducted (e.g. 'Los Angeles, CA', or another one or another one or…`,
    ],
    [
      'choices, in quotes',
      'command',
      { enum: ['kitchen, on', ''] },
      undefined,
      'Which command should I use? Please choose one of: "kitchen, on", "".',
    ],
    [
      'many choices, as many as are read at a glance',
      'airport',
      { enum: Array.from({ length: 80 }, (_, index) => `AIRPORT_WITH_A_LONG_NAME_${index}`) },
      undefined,
      'Which airport should I use? Please choose one of: "AIRPORT_WITH_A_LONG_NAME_0", "AIRPORT_WITH_A_LONG_NAME_1", "AIRPORT_WITH_A_LONG_NAME_2", "AIRPORT_WITH_A_LONG_NAME_3", … (80).',
    ],
    [
      'one choice',
      'version',
      { const: 'v1' },
      'v2',
      'There seems to be an issue with the version. Please use "v1".',
    ],
    [
      'bounds that bound nothing',
      'count',
      { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      0,
      'There seems to be an issue with the count. Please provide a whole number of at least 1.',
    ],
    [
      'duplicates',
      'tags',
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      ['a', 'a'],
      'There seems to be an issue with the tags. Please list each item only once.',
    ],
    [
      'what is ruled out',
      'user',
      { type: 'string', not: { enum: ['root'] } },
      'root',
      'There seems to be an issue with the user. Please provide text other than "root".',
    ],
    [
      'what a list must hold',
      'roles',
      { type: 'array', contains: { const: 'admin' } },
      ['guest'],
      'There seems to be an issue with the roles. Please provide a list holding one of "admin".',
    ],
    [
      'a format that is only told',
      'start',
      { type: 'string', format: 'time' },
      5,
      'There seems to be an issue with the start. Please provide a time like 09:30:00Z, not 5.',
    ],
    [
      'an item of a list, by its number',
      'email_addresses',
      { type: 'array', items: { type: 'string' } },
      ['a', 5],
      'There seems to be an issue with email address 2. Please provide text, not 5.',
    ],
    [
      'a member of an item',
      'passengers',
      { type: 'array', items: { properties: { first_name: { type: 'string' } }, required: ['first_name'] } },
      [{ first_name: 'Ada' }, {}],
      'What first name should I use for passenger 2? Please provide text.',
    ],
    [
      'a member of the only object',
      'address',
      { properties: { city: { type: 'string', description: 'City name' } }, required: ['city'] },
      { city: 1 },
      'There seems to be an issue with the city. Please provide text, not 1.',
    ],
    [
      'an object by its members',
      'range',
      { type: 'object', properties: { from: {}, to: {}, step: {} }, required: ['from', 'to'] },
      'all',
      'There seems to be an issue with the range. Please provide an object like {"from": value, "to": value, …}, not "all".',
    ],
  ]
  for (const [name, parameter, schema, value, question] of cases) {
    test(name, () => {
      expect(ask(parameter, schema, value)).toBe(`Question: ${question}`)
    })
  }

  test('a secret that was sent is not in the question', () => {
    expect(ask('api_key', { type: 'string', format: 'uuid' }, 'sk-abcdefgh12345678')).not.toContain('sk-abc')
  })
})

describe('the schema has the first word', () => {
  const to: JsonSchema = {
    type: 'string',
    format: 'email',
    question: 'Who should I send this email to?',
    hint: 'Please provide the recipient email address.',
  }

  test('about what is missing', () => {
    expect(ask('to', to)).toBe(
      'Question: Who should I send this email to? Please provide the recipient email address.',
    )
  })

  test('about what is wrong', () => {
    expect(ask('to', to, 'bob@')).toBe(
      'Question: There seems to be an issue with the email address format. Please check that "bob@" in "to" is a complete email address like name@example.com.',
    )
  })
})

test('people read the words of the schema where a value does not fit, and the model reads what does', () => {
  const unfit = 'Nobody is called that. Who is it?'
  const schema: JsonSchema = { type: 'string', pattern: '^u_', hint: 'Please provide the user ID.', unfit }
  const { fault, root } = findFault('user', schema, 'Ada')
  expect(askUnfit(askedPlace(fault, root))).toEqual({ asked: unfit, hint: '' })
  expect(questionFor(fault, root)).toBe(
    'Question: There seems to be an issue with the user. Please provide the user ID.',
  )
})

test('a hint that says nothing of a limit is followed by the limit that was passed', () => {
  const hint = 'Please provide the names.'
  const issue = `Question: There seems to be an issue with the names. ${hint}`
  expect(ask('names', { type: 'array', hint, maxItems: 2 }, [1, 2, 3])).toBe(
    `${issue} At most 2 are possible.`,
  )
  expect(ask('names', { type: 'array', hint, minItems: 2 }, [1])).toBe(`${issue} At least 2 are needed.`)
  expect(ask('names', { type: 'string', hint, maxLength: 3 }, 'Adas')).toBe(
    `${issue} At most 3 characters are possible.`,
  )
  expect(ask('names', { type: 'string', hint, pattern: '^A' }, 'x')).toBe(issue)
})

describe('a slot says what belongs there', () => {
  const cases: [JsonSchema, string][] = [
    [{ hint: 'Please provide the recipient email address.' }, '<recipient email address>'],
    [{ description: 'The unique identifier of the product.' }, '<unique identifier of the product>'],
    [{ enum: ['low', 'high'] }, '<one of: low, high>'],
    [{}, '<product ID>'],
    [{ description: 'Text with <b>tags</b>' }, '<Text with tags>'],
    [{ description: 'Title' }, '<the Title>'],
    [{ description: 'Nombre completo del cliente' }, '<Nombre completo del cliente>'],
    [
      { description: "The day (e.g. '2025-01-31', in local time) on which it is to be delivered." },
      '<day on which it is to be delivered>',
    ],
    [
      { description: 'The very long description of a parameter that goes on and on for the whole line' },
      '<very long description of a parameter that goes …>',
    ],
  ]
  test.each(cases)('%j', (schema, slot) => {
    expect(slotFor(['product_id'], schema)).toBe(slot)
  })

  const places: [(string | number)[], JsonSchema, string][] = [
    [['q'], {}, '<value of q>'],
    [['to'], { format: 'email' }, '<email address>'],
    [['tags', 1], { type: 'string' }, '<value of tag 2>'],
    [['to', 1], { type: 'string' }, '<value of item 2>'],
    [['to', 1], { type: 'string', format: 'email' }, '<email address>'],
    [['to', 1], { title: 'postal address' }, '<postal address>'],
  ]
  test.each(places)('%j %j', (path, schema, slot) => {
    expect(slotFor(path, schema)).toBe(slot)
  })
})

test.each([
  { hint: 'Please provide the booking code, like AB12.' },
  { title: 'Booking code' },
  { description: 'The booking code.' },
  {},
])('no question shows a pattern: %j', (words) => {
  const schema: JsonSchema = { type: 'string', pattern: '^[A-Z]{2}(?!00)\\d{2}$', ...words }
  for (const value of [undefined, '', 'ab', 5])
    expect(ask('code', schema, value)).not.toMatch(/[\^$\\]|\[A-Z]/)
  expect(slotFor(['code'], schema)).not.toMatch(/[\^$\\]|\[A-Z]/)
})

describe('a field of a form is titled', () => {
  const root: JsonSchema = {
    type: 'object',
    properties: {
      to: {
        type: 'array',
        items: { type: 'string', format: 'email' },
        hint: 'Please provide the recipient email address.',
      },
      bcc: { type: 'array', items: { type: 'string', title: 'email address' }, title: 'Bcc' },
      cc: { type: 'array', items: { type: 'string', description: 'The address of who gets a copy.' } },
      tags: { type: 'array', items: { type: 'string' } },
      startTime: { type: 'string' },
      q: { type: 'string' },
      amount: { type: 'number', title: 'Amount in euros' },
      passengers: {
        type: 'array',
        items: { type: 'object', properties: { first_name: { type: 'string' } } },
      },
    },
  }
  const cases: [(string | number)[], string][] = [
    [['to', 0], 'recipient email address'],
    [['to', 2], 'recipient email address 3'],
    [['bcc', 0], 'Bcc'],
    [['bcc', 1], 'Bcc 2'],
    [['cc', 0], 'address of who gets a copy'],
    [['tags', 1], 'tag 2'],
    [['startTime'], 'start time'],
    [['q'], 'q'],
    [['amount'], 'Amount in euros'],
    [['passengers', 1, 'first_name'], 'first name of passenger 2'],
  ]
  test.each(cases)('%j', (path, title) => {
    expect(titleField(root, path)).toBe(title)
  })
})

test.each(['(', '\n', ' ', 'a, ', 'e.g. ', '"', 'if ', 'such as ', '<b', '[a](', 'A. ', 'default '])(
  'a description of a megabyte of %j is not read whole',
  { timeout: 2000 },
  (part) => {
    const description = part.repeat(1_000_000 / part.length)
    expect(ask('x', { type: 'string', description }).length).toBeLessThan(400)
    expect(ask('x', { type: 'boolean', description }).length).toBeLessThan(400)
  },
)
