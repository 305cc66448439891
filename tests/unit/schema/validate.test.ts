import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'

const facts = (schema: JsonSchema | boolean, value: unknown) =>
  validate(schema, value).map(
    ({ errorType, parameter, constraint }) => `${errorType} ${parameter}: ${constraint}`,
  )

describe('every kind of problem has its sentence', () => {
  const cases: [string, JsonSchema, unknown, string[]][] = [
    ['missing', { properties: { a: {} }, required: ['a'] }, {}, ['missing_parameter a: is required']],
    [
      'undeclared',
      { properties: {}, additionalProperties: false },
      { a: 1 },
      ['unknown_parameter a: is not a parameter of this tool'],
    ],
    [
      'type',
      { properties: { a: { type: 'string' } } },
      { a: 1 },
      ['invalid_type a: must be a string, got number'],
    ],
    [
      'fraction',
      { properties: { a: { type: 'integer' } } },
      { a: 1.5 },
      ['invalid_type a: must be an integer, got number'],
    ],
    [
      'several types',
      { properties: { a: { type: ['string', 'null'] } } },
      { a: [] },
      ['invalid_type a: must be a string or null, got array'],
    ],
    [
      'enum',
      { properties: { a: { enum: ['x', 'y'] } } },
      { a: 'z' },
      ['invalid_value a: must be one of "x", "y"'],
    ],
    [
      'bounds',
      { properties: { a: { type: 'integer', minimum: 1, maximum: 5 } } },
      { a: 9 },
      ['invalid_value a: must be an integer from 1 to 5'],
    ],
    [
      'format',
      { properties: { a: { type: 'string', format: 'date' } } },
      { a: 'x' },
      ['invalid_value a: must be a string, date like 2025-01-31'],
    ],
    [
      'pattern',
      { properties: { a: { type: 'string', pattern: '^x$' } } },
      { a: 'y' },
      ['invalid_value a: must be a string matching ^x$'],
    ],
    [
      'list',
      { properties: { a: { type: 'array', items: { type: 'integer' }, minItems: 1 } } },
      { a: [] },
      ['invalid_value a: must not be empty'],
    ],
    [
      'item',
      { properties: { a: { items: { type: 'integer' } } } },
      { a: [1, 'x'] },
      ['invalid_type a[1]: must be an integer, got string'],
    ],
    [
      'blank',
      { properties: { a: { type: 'string' } }, required: ['a'] },
      { a: ' ' },
      ['invalid_value a: must not be blank'],
    ],
    [
      'duplicates',
      { properties: { a: { type: 'array', uniqueItems: true } } },
      { a: [1, 1] },
      ['invalid_value a: must not contain duplicates'],
    ],
    [
      'condition',
      JSON.parse('{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]}}'),
      { a: 1 },
      ['missing_parameter b: is required'],
    ],
    ['dependent', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['missing_parameter b: is required']],
    [
      'forbidden member',
      JSON.parse('{"properties":{"a":false}}'),
      { a: 1 },
      ['unknown_parameter a: is not a parameter of this tool'],
    ],
    [
      'item too many',
      JSON.parse('{"properties":{"a":{"type":"array","prefixItems":[{"type":"number"}],"items":false}}}'),
      { a: [1, 2] },
      ['invalid_value a: has too many items'],
    ],
    [
      'item too many, draft-07 style',
      JSON.parse('{"properties":{"a":{"items":[{"type":"number"}],"additionalItems":false}}}'),
      { a: [1, 2] },
      ['invalid_value a: has too many items'],
    ],
    [
      'forbidden by a condition',
      JSON.parse('{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":false}'),
      { a: 1 },
      ['invalid_value : is not allowed'],
    ],
    [
      'member name',
      JSON.parse('{"propertyNames":{"maxLength":2}}'),
      { long: 1 },
      [expect.stringMatching(/^invalid_value/)],
    ],
    ['nothing', { properties: { a: { type: 'string' } } }, { a: 'x' }, []],
  ]
  for (const [name, schema, value, expected] of cases) {
    test(name, () => {
      expect(facts({ type: 'object', ...schema }, value)).toEqual(expected)
    })
  }
})

describe('formats', () => {
  const good: [string, string][] = [
    ['email', 'ann+x@example.co.uk'],
    ['uri', 'https://example.com/a?b=1#c'],
    ['date', '2024-02-29'],
    ['date-time', '2025-01-31T09:30:00+02:00'],
    ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
    ['time', 'whenever'],
  ]
  const bad: [string, string][] = [
    ['email', 'ann@'],
    ['uri', 'example'],
    ['date', '2025-02-30'],
    ['date-time', '2025-01-31T09:30:00'],
    ['uuid', '123'],
  ]
  test.each(good)('%s takes %s', (format, value) => {
    expect(validate({ type: 'string', format }, value)).toEqual([])
  })
  test.each(bad)('%s refuses %s', (format, value) => {
    expect(validate({ type: 'string', format }, value)).toHaveLength(1)
  })
})

describe('a blank required text', () => {
  const blankIn = (description: string) =>
    facts({ type: 'object', properties: { a: { type: 'string', description } }, required: ['a'] }, { a: '' })
  test.each([
    "The second line of the address, such as 'Apt 1' or ''.",
    'Leave blank if there is no middle name.',
    'May be empty.',
  ])('is right where the description says so: %s', (description) => {
    expect(blankIn(description)).toEqual([])
  })
  test.each(['The name.', 'Must not be empty.', "The owner's name, cannot be empty."])(
    'is wrong otherwise: %s',
    (description) => {
      expect(blankIn(description)).toEqual(['invalid_value a: must not be blank'])
    },
  )
})

describe('schemas from anywhere', () => {
  test('a union of literals is an enumeration', () => {
    const anyOf = [{ const: 'low' }, { const: 'high', title: 'High' }]
    const schema: JsonSchema = { type: 'object', properties: { a: { anyOf } } }
    expect(facts(schema, { a: 'up' })).toEqual(['invalid_value a: must be one of "low", "high"'])
    expect(facts(schema, { a: 5 })).toEqual(['invalid_type a: must be a string, got number'])
    expect(facts(schema, { a: 'high' })).toEqual([])
  })

  test('zod, with optional, nullable and defaulted members', () => {
    const schema = z.toJSONSchema(
      z.object({
        a: z.string().min(1),
        b: z.number().int().optional(),
        c: z.string().nullable(),
        d: z.boolean().default(false),
      }),
      { io: 'input' },
    ) as JsonSchema
    expect(validate(schema, { a: 'x', c: null })).toEqual([])
    expect(facts(schema, { a: '', c: 1 })).toEqual([
      'invalid_type c: must be a string or null, got number',
      'invalid_value a: must not be blank',
    ])
  })

  test('draft-07 definitions, lists of items and exclusive bounds as booleans', () => {
    const schema: JsonSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: {
        point: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
      },
      type: 'object',
      properties: {
        at: { $ref: '#/definitions/point' },
        size: { type: 'number', minimum: 0, exclusiveMinimum: true },
      },
    }
    expect(validate(schema, { at: [1, 2], size: 0.1 })).toEqual([])
    expect(facts(schema, { at: [1, 'x'], size: 0 })).toEqual([
      'invalid_type at[1]: must be a number, got string',
      'invalid_value size: must be a number above 0',
    ])
  })

  test('recursive references', () => {
    const schema: JsonSchema = {
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['name'],
        },
      },
      $ref: '#/$defs/node',
    }
    expect(facts(schema, { name: 'a', children: [{ name: 'b', children: [{}] }] })).toEqual([
      'missing_parameter children[0].children[0].name: is required',
    ])
  })

  test('many references to the whole are not unfolded', () => {
    const parts = Array.from({ length: 30 }, (_, index) => [`part${index}`, { $ref: '#' }])
    const schema: JsonSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, ...Object.fromEntries(parts) },
      required: ['name'],
    }
    expect(facts(schema, { name: 'a', part0: { name: ' ' } })).toEqual([
      'invalid_value part0.name: must not be blank',
    ])
  })

  test('duplicates wherever a shared definition stands', () => {
    const schema: JsonSchema = {
      $defs: { tags: { type: 'object', properties: { all: { type: 'array', uniqueItems: true } } } },
      properties: { a: { $ref: '#/$defs/tags' }, b: { $ref: '#/$defs/tags' } },
    }
    expect(facts(schema, { a: { all: [1, 1] }, b: { all: [1, 1] } })).toEqual([
      'invalid_value a.all: must not contain duplicates',
      'invalid_value b.all: must not contain duplicates',
    ])
  })

  test('type names of other languages, nullable, unknown keywords and formats', () => {
    const schema = {
      type: 'dict',
      properties: {
        a: { type: 'float' },
        b: { type: 'STRING', nullable: true },
        c: { type: 'any' },
        d: { type: 'tuple', 'x-order': 1 },
      },
    } as JsonSchema
    expect(validate(schema, { a: 1.5, b: null, c: {}, d: [] })).toEqual([])
    expect(facts(schema, { a: 'x', d: {} })).toEqual([
      'invalid_type a: must be a number, got string',
      'invalid_type d: must be an array, got object',
    ])
  })

  test('a schema that makes no sense checks nothing and does not throw', () => {
    const odd = [
      {
        type: 'object',
        properties: { a: { $ref: '#/nowhere' }, b: { $ref: 'https://example.com/x' }, c: { pattern: '(' } },
      },
      { type: 'object', properties: 'x', required: 'a', items: 5, enum: [] },
      { $ref: '#' },
      { $id: 'x', properties: { a: { $id: 'x' } } },
    ] as unknown as JsonSchema[]
    for (const schema of odd) expect(validate(schema, { a: 1, b: 2, c: 'x' })).toEqual([])
    expect(validate(true, 1)).toEqual([])
    expect(validate(false, 1)).toHaveLength(1)
  })

  test('a pattern written without the u flag still checks', () => {
    const schema: JsonSchema = { type: 'string', pattern: '^[\\w\\-\\.]+\\@x$' }
    expect(validate(schema, 'a-b.c@x')).toEqual([])
    expect(validate(schema, 'a b@x')).toHaveLength(1)
  })

  test('the specification is frozen or not, it is not written to', () => {
    const schema = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
    })
    expect(validate(schema as JsonSchema, { a: 1 })).toHaveLength(1)
    expect(Object.keys(schema)).toEqual(['type', 'properties'])
  })

  test('a wrong declared member is not also undeclared', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: { type: 'number' },
    }
    expect(facts(schema, { a: true, b: 'x' })).toEqual([
      'invalid_type a: must be a string, got boolean',
      'invalid_type b: must be a number, got string',
    ])
  })

  test('a long list without duplicates is checked at once', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => index)
    expect(validate({ type: 'array', uniqueItems: true }, list)).toEqual([])
  })
})
