import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { toStrictSchema } from '../../../shared/engine/models/protocol/strict-schema.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'

const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

describe('optional parameters stay optional', () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    ['a type', { type: 'string' }, { type: ['string', 'null'] }],
    ['several types', { type: ['string', 'integer'] }, { type: ['string', 'integer', 'null'] }],
    ['an enum', { type: 'string', enum: ['a', 'b'] }, { type: ['string', 'null'], enum: ['a', 'b', null] }],
    ['a constant', { const: 1 }, { anyOf: [{ const: 1 }, { type: 'null' }] }],
    [
      'a choice',
      { description: 'Either.', anyOf: [{ type: 'string' }, { type: 'integer' }] },
      {
        description: 'Either.',
        anyOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }],
      },
    ],
  ])('%s may be null', (_, optional, expected) => {
    const strict = toStrictSchema(object({ optional, needed: { type: 'string' } }, ['needed']))
    expect(strict?.properties?.optional).toEqual(expected)
    expect(strict?.properties?.needed).toEqual({ type: 'string' })
    expect(strict).toMatchObject({ required: ['optional', 'needed'], additionalProperties: false })
    expect(validate(strict as JsonSchema, { optional: null, needed: 'x' })).toEqual([])
  })

  test('also inside objects and lists', () => {
    const address = object({ street: { type: 'string' }, door: { type: 'integer' } }, ['street'])
    const strict = toStrictSchema(object({ homes: { type: 'array', items: address } }, ['homes']))
    expect(strict?.properties?.homes).toMatchObject({
      items: { required: ['street', 'door'], properties: { door: { type: ['integer', 'null'] } } },
    })
  })
})

test('what only narrows is left to our own validation', () => {
  expect(
    toStrictSchema(object({ a: { type: 'string', minLength: 1, format: 'uri', default: 'x' } }, ['a'])),
  ).toEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  })
})

describe('a schema without a strict form', () => {
  test.each<[string, JsonSchema]>([
    ['an optional value that may be null already', object({ a: { type: ['string', 'null'] } })],
    ['an optional choice with null', object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } })],
    ['a map', object({ a: { type: 'object', additionalProperties: { type: 'string' } } }, ['a'])],
    ['an open object', { ...object({ a: { type: 'string' } }, ['a']), additionalProperties: true }],
    ['oneOf', object({ a: { oneOf: [{ type: 'string' }] } }, ['a'])],
    ['a parameter of any type', object({ a: {} }, ['a'])],
    ['a tuple', object({ a: { type: 'array', items: [{ type: 'string' }] } }, ['a'])],
    ['a choice at the root', { anyOf: [object({})] }],
  ])('%s', (_, schema) => {
    expect(toStrictSchema(schema)).toBeUndefined()
  })
})
