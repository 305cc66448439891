import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../../shared/schema/compile-schema.ts'
import { slotFor } from '../../../shared/schema/describe-parameter.ts'
import { findFaults } from '../../../shared/schema/find-faults.ts'
import type { JsonSchema } from '../../../shared/schema/json-schema.ts'
import { questionFor } from '../../../shared/schema/question-for.ts'

/** The question about the parameter `name` with this schema, when this value is sent (`undefined`: nothing). */
function ask(name: string, schema: JsonSchema, value?: unknown): string {
  const compiled = compileSchema({
    type: 'object',
    properties: { [name]: schema },
    required: [name],
    additionalProperties: false,
  })
  const [fault] = findFaults(compiled, value === undefined ? {} : { [name]: value })
  if (!fault) throw new Error('no fault')
  return questionFor(fault, compiled.root)
}

describe('a bare schema asks like a person', () => {
  const cases: [string, string, JsonSchema, unknown, string][] = [
    [
      'what is missing, by its description',
      'product_id',
      { type: 'string', description: 'Unique identifier of the product.' },
      undefined,
      'What product id should I use? Please provide the unique identifier of the product.',
    ],
    [
      'by its name alone',
      'startTime',
      { type: 'string' },
      undefined,
      'What start time should I use? Please provide the start time.',
    ],
    [
      'by its title',
      'x',
      { type: 'string', title: 'Invoice number' },
      undefined,
      'What invoice number should I use? Please provide the invoice number.',
    ],
    [
      'a choice',
      'status',
      { type: 'string', enum: ['open', 'closed'] },
      undefined,
      'Which status should I use? Please choose one of: open, closed.',
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
      'Which items should I use? Please provide the items to order.',
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
      'There seems to be an issue with the location. Please provide a text, not an object.',
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
      'There seems to be an issue with the status. Please choose one of: open, closed.',
    ],
    [
      'a pattern',
      'order_id',
      { type: 'string', pattern: '^#W[0-9]{3}$' },
      'W1',
      'There seems to be an issue with the order id. Please provide a text like "#W111".',
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
      'There seems to be an issue with the date format. Please check that "2025-02-30" in "day" is a real date written like 2025-01-31.',
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
      'What search query should I use? Please provide the search query.',
    ],
    [
      'a blank text, as what is missing',
      'city',
      { type: 'string', description: 'The city' },
      ' ',
      'What city should I use? Please provide the city.',
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
      'Question: There seems to be an issue with the email address format. Please provide the recipient email address.',
    )
  })
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
    [{}, '<product id>'],
    [{ description: 'Text with <b>tags</b>' }, '<text with btags/b>'],
    [
      { description: 'The very long description of a parameter that goes on and on for the whole line' },
      '<very long description of a parameter that goes>',
    ],
  ]
  test.each(cases)('%j', (schema, slot) => {
    expect(slotFor(['product_id'], schema)).toBe(slot)
  })
})
