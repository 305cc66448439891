import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { compileSchema } from '../../../shared/engine/schema/compile-schema.ts'
import { findFaults } from '../../../shared/engine/schema/find-faults.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'
import { slotFor, titleField } from '../../../shared/engine/wording/describe-parameter.ts'
import { questionFor } from '../../../shared/engine/wording/question-for.ts'

type Members = Record<string, JsonSchema | boolean>

/** The question about these members, the first of which is missing or has this value. */
function ask(properties: Members, value?: unknown, definitions?: Members): string {
  const [name = ''] = Object.keys(properties)
  const schema = { type: 'object', properties, required: [name], ...(definitions && { $defs: definitions }) }
  const compiled = compileSchema(schema)
  const [fault] = findFaults(compiled, value === undefined ? {} : { [name]: value })
  if (!fault) throw new Error('no fault')
  return questionFor(fault, compiled.root).replace('Question: ', '')
}

const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more })
const number: JsonSchema = { type: 'number' }
const text: JsonSchema = { type: 'string' }
const point: JsonSchema = {
  type: 'object',
  properties: { longitude: number, latitude: number, altitude: number },
  required: ['longitude', 'latitude'],
}

describe('a list is told by what stands in it', () => {
  const cases: [string, JsonSchema, string][] = [
    ['texts', list(text), 'a list of texts'],
    ['whole numbers', list({ type: 'integer', minimum: 1 }), 'a list of whole numbers of at least 1'],
    [
      'addresses',
      list({ type: 'string', format: 'email' }),
      'a list of email addresses like name@example.com',
    ],
    ['choices', list({ enum: ['speed', 'duration'] }), 'a list with any of "speed", "duration"'],
    ['two kinds', list({ anyOf: [text, number] }), 'a list of texts or numbers'],
    ['anything', { type: 'array' }, 'a list'],
    [
      'objects of one kind and any other',
      list({ anyOf: [point, { type: 'object' }, text] }),
      'a list of objects like {"longitude": number, "latitude": number, …} or texts',
    ],
    [
      'objects, with their members',
      list(point),
      'a list of objects like {"longitude": number, "latitude": number, …}',
    ],
    ['lists, by their shape', list(list(number)), 'a list like [[number, …], …]'],
    [
      'lists of one length, with each place',
      list(list(number, { minItems: 2, maxItems: 2 })),
      'a list like [[number, number], …]',
    ],
    ['places of their own', { type: 'array', prefixItems: [text, number] }, 'a list like [text, number]'],
  ]
  for (const [name, schema, words] of cases) {
    test(name, () => {
      expect(ask({ values: schema })).toBe(`What values should I use? Please provide ${words}.`)
    })
  }

  test('several depths, the word for them once', () => {
    const geometry = { anyOf: [list(number), list(list(number)), list(list(list(number)))] }
    expect(ask({ geometry }, 'here')).toBe(
      'There seems to be an issue with the geometry. Please provide a list of numbers, a list like [[number, …], …] or [[[number, …], …], …], not "here".',
    )
  })

  test('one that contains itself, as deep as is read at a glance', () => {
    const tree = { type: 'array', items: { $ref: '#/$defs/tree' } }
    expect(ask({ tree: { $ref: '#/$defs/tree' } }, 7, { tree })).toMatch(
      /^There seems to be an issue with the tree\. Please provide a list like \[\[+…?[\]…, ]+, not 7\.$/,
    )
  })
})

describe('an object is told by its members', () => {
  const cases: [string, JsonSchema, string][] = [
    ['the needed ones', point, 'an object like {"longitude": number, "latitude": number, …}'],
    [
      'all, if none is needed',
      { type: 'object', properties: { width: number, height: number } },
      'an object like {"width": number, "height": number}',
    ],
    [
      'one within another',
      { type: 'object', properties: { at: point, label: text }, required: ['at', 'label'] },
      'an object like {"at": {"longitude": number, "latitude": number, …}, "label": text}',
    ],
    [
      'one of several kinds',
      {
        anyOf: [
          { type: 'object', properties: { type: { const: 'page' }, page: text }, required: ['type', 'page'] },
          { type: 'object', properties: { type: { const: 'block' }, id: text }, required: ['type', 'id'] },
        ],
      },
      'an object like {"type": "page", "page": text} or {"type": "block", "id": text}',
    ],
    ['one without declared members', { type: 'object' }, 'an object'],
  ]
  for (const [name, schema, words] of cases) {
    test(name, () => {
      expect(ask({ place: schema })).toBe(`What place should I use? Please provide ${words}.`)
    })
  }

  test('never longer than is read at a glance', () => {
    const names = Array.from({ length: 40 }, (_, index) => [`member_with_a_long_name_${index}`, point])
    const question = ask({ place: { type: 'object', properties: Object.fromEntries(names) } })
    expect(question).toMatch(/^What place should I use\? Please provide an object like \{.+…\}\.$/)
    expect(question.length).toBeLessThan(200)
  })
})

describe('alternatives are one choice', () => {
  const said = 'What format should I use?'

  test('of values that are described one by one', () => {
    const format = {
      oneOf: [
        { type: 'string', enum: ['pdf'], description: 'For printing.' },
        { type: 'string', const: 'csv', title: 'Table' },
        { type: 'null' },
      ],
    }
    expect(ask({ format })).toBe('Which format should I use? Please choose one of: "pdf", "csv".')
    expect(validate(format, null)).toEqual([])
  })

  test('of values and of anything of another kind', () => {
    expect(ask({ format: { anyOf: [{ enum: ['pdf', 'csv'] }, { type: 'integer' }] } })).toBe(
      `${said} Please provide one of "pdf", "csv" or a whole number.`,
    )
  })

  test('of three kinds, with commas', () => {
    expect(ask({ format: { type: ['string', 'number', 'boolean'] } }, {})).toBe(
      'There seems to be an issue with "format". Please provide text, a number, or true or false, not an object.',
    )
  })
})

describe('the label of a parameter', () => {
  const cases: [string, Members, string][] = [
    [
      'in words, if its title is a name',
      { x: { ...text, title: 'search_query' } },
      'What search query should I use? Please provide text.',
    ],
    [
      'in words, if its title is a name in camel case',
      { x: { ...text, title: 'searchQuery' } },
      'What search query should I use? Please provide text.',
    ],
    [
      'with its abbreviation in capitals',
      { url: { ...text, title: 'Url' } },
      'What URL should I use? Please provide text.',
    ],
    [
      'in quotation marks, if its title is a switch',
      { raw: { type: 'boolean', title: 'Raw' } },
      'Should "raw" be true or false? Please provide true or false.',
    ],
    [
      'in quotation marks, if it begins like no thing',
      { from_branch: text },
      'What value should I use for "from branch"? Please provide text.',
    ],
    [
      'in quotation marks, if it is no thing',
      { after: text },
      'What value should I use for "after"? Please provide text.',
    ],
    [
      'without, if only words inside are short',
      { maximum_number_of_urls: text },
      'What maximum number of URLs should I use? Please provide text.',
    ],
    [
      'as it is written, if it is no word',
      { $vectorSearch: text },
      'What value should I use for "$vectorSearch"? Please provide text.',
    ],
  ]
  for (const [name, properties, question] of cases) {
    test(name, () => {
      expect(ask(properties)).toBe(question)
    })
  }

  test('is its own name, not the name of the type that it refers to', () => {
    const type: JsonSchema = { type: 'string', title: 'PostalAddress' }
    expect(ask({ home: { $ref: '#/$defs/PostalAddress' } }, undefined, { PostalAddress: type })).toBe(
      'What home should I use? Please provide text.',
    )
  })

  test('is without the only object that wraps all parameters', () => {
    const params = {
      type: 'object',
      properties: { projectSlug: text, reason: { type: 'string' } },
      required: ['projectSlug'],
    }
    const compiled = compileSchema({ type: 'object', properties: { params }, required: ['params'] })
    const [fault] = findFaults(compiled, { params: {} })
    if (!fault) throw new Error('no fault')
    expect(questionFor(fault, compiled.root)).toBe(
      'Question: What project slug should I use? Please provide text.',
    )
    expect(titleField(compiled.root, ['params', 'projectSlug'])).toBe('project slug')
  })

  test('says of which object it is, if there are others', () => {
    const address = { type: 'object', properties: { city: text }, required: ['city'] }
    expect(ask({ address, name: text }, {})).toBe(
      'What city should I use for the address? Please provide text.',
    )
  })

  test('is in the singular for an item', () => {
    expect(ask({ statuses: list(text) }, [1])).toBe(
      'There seems to be an issue with status 1. Please provide text, not 1.',
    )
  })
})

describe('a description is told', () => {
  const cases: [string, string, string][] = [
    ['without the target of a link', 'A [block type](ref:block#keys) value', 'A block type value'],
    [
      'with what stands for a value',
      'Geolocation (<latitude>,<longitude>) to emulate',
      'Geolocation (<latitude>,<longitude>) to emulate',
    ],
    ['without markup', 'The <b>name</b> of the <code>file</code><br/>', 'The name of the file'],
    ['by more than one word', 'Deprecated. Use the other one.', 'Use the other one'],
  ]
  for (const [name, description, words] of cases) {
    test(name, () => {
      expect(ask({ thing: { type: 'string', description } })).toBe(
        `What thing should I use? Please provide this: ${words}.`,
      )
    })
  }

  test('up to a whole word, with one mark at the end', () => {
    const description = `The criteria ${'of everything '.repeat(20)}`
    expect(ask({ thing: { type: 'string', description } })).toMatch(/ of everything…$/)
  })

  test('without angle brackets in a slot', () => {
    expect(slotFor(['at'], { type: 'string', description: 'Place (<latitude>,<longitude>)' })).toMatch(
      /^<[^<>]+>$/,
    )
  })
})
