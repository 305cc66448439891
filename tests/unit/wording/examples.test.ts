import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'
import { exampleFor } from '../../../shared/engine/wording/example-for.ts'
import { schemaWithValue } from '../calls/tool-calls.ts'

describe('an example is valid', () => {
  const schemas: JsonSchema[] = [
    { type: 'string', minLength: 10, maxLength: 12 },
    { type: 'string', format: 'uuid' },
    { type: 'integer', exclusiveMinimum: 4, maximum: 6 },
    { type: 'number', minimum: 0.1, maximum: 0.2 },
    { type: 'integer', multipleOf: 7, minimum: 30 },
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false, minItems: 2 },
    { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: { const: 1 } }, required: ['a'] }] },
    { oneOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] },
    {
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    },
    JSON.parse(`{
      "type": "object", "properties": { "kind": { "enum": ["a", "b"] }, "x": { "type": "integer" } }, "required": ["kind"],
      "if": { "properties": { "kind": { "const": "a" } } }, "then": { "required": ["x"] }
    }`),
    { type: 'object', minProperties: 2, properties: { a: { type: 'string' }, b: { type: 'string' } } },
    JSON.parse(`{ "type": "array", "enum": ["x", "y"], "items": { "type": "string" } }`),
    { type: 'array', items: { type: 'string' }, contains: { const: 'admin' }, minItems: 2 },
    { type: 'string', format: 'ipv4' },
    { type: 'object', not: { required: ['a'] }, properties: { a: {} } },
    {
      $ref: '#/$defs/n',
      $defs: {
        n: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/n' }, v: { type: 'integer' } },
          required: ['v'],
        },
      },
    },
  ]
  test.each(schemas)('%j', (schema) => {
    const example = exampleFor(schema)
    expect(example).toBeDefined()
    expect(validate(schema, example)).toEqual([])
  })

  test('for any schema', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(schemaWithValue, ({ schema }) => {
        const example = exampleFor(schema)
        expect(example).toBeDefined()
        expect(validate(schema, example)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test("the schema's own examples come first", () => {
    expect(exampleFor({ type: 'string', examples: [5, 'mine'] })).toBe('mine')
    expect(exampleFor({ type: 'string', description: "The order id, such as '#W0000000'." })).toBe(
      '#W0000000',
    )
  })

  test('the example of a boolean is true', () => {
    expect(exampleFor({ type: 'boolean' })).toBe(true)
  })

  test('there is no example if nothing fits', () => {
    expect(exampleFor(false)).toBeUndefined()
    expect(exampleFor({ type: 'integer', minimum: 5, maximum: 4 })).toBeUndefined()
  })

  test('there is no example for a mere pattern or a list without duplicates', () => {
    expect(exampleFor({ type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' })).toBeUndefined()
    expect(
      exampleFor({ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }),
    ).toBeUndefined()
  })
})
