import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { chatRequestBody } from '../../../shared/engine/models/protocol/chat-request.ts'
import type { ProviderName } from '../../../shared/engine/models/protocol/presets.ts'
import { ask, search } from './fixtures.ts'

function sentTo(provider: ProviderName, parameters: JsonSchema): JsonSchema | undefined {
  const request = ask('', { tools: [{ ...search, parameters }] })
  const body = JSON.parse(
    chatRequestBody({ provider, model: 'm' }, request, { stream: false, names: undefined }),
  )
  return body.tools[0].function.parameters
}

const text = { type: 'string' }

describe('at the top there is an object with its properties', () => {
  const cases: [string, JsonSchema, JsonSchema][] = [
    ['nothing at all', {}, { type: 'object', properties: {} }],
    [
      'an object or null',
      { type: ['object', 'null'], properties: { a: text } },
      { type: 'object', properties: { a: text } },
    ],
    [
      'alternatives, of which one member is always needed',
      {
        oneOf: [
          { properties: { kind: { const: 'mail' }, to: text }, required: ['kind', 'to'] },
          { properties: { kind: { const: 'call' }, phone: text }, required: ['kind', 'phone'] },
        ],
      },
      {
        type: 'object',
        properties: { kind: { anyOf: [{ const: 'mail' }, { const: 'call' }] }, to: text, phone: text },
        required: ['kind'],
      },
    ],
    [
      'parts',
      { properties: { a: text }, required: ['a'], allOf: [{ properties: { b: text }, required: ['b'] }] },
      { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] },
    ],
    [
      'a reference',
      {
        $ref: '#/definitions/mail',
        definitions: { mail: { type: 'object', properties: { to: text }, required: ['to'] } },
      },
      {
        type: 'object',
        properties: { to: text },
        required: ['to'],
        definitions: { mail: { type: 'object', properties: { to: text }, required: ['to'] } },
      },
    ],
  ]
  test.each(cases)('%s', (_name, schema, sent) => {
    expect(sentTo('openai', schema)).toEqual(sent)
    expect(sentTo('anthropic', schema)).toEqual(sent)
  })

  test('a schema that has it goes as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: { anyOf: [text, { type: 'integer' }] } },
      required: ['a'],
    }
    expect(sentTo('openai', schema)).toEqual(schema)
  })
})

test('every list says what its items are', () => {
  const properties = {
    any: { type: 'array' },
    pair: { type: 'array', items: [text, { type: 'integer' }] },
    inside: { type: 'object', properties: { list: { type: ['array', 'null'] } } },
  }
  expect(sentTo('openai', { type: 'object', properties })?.properties).toEqual({
    any: { type: 'array', items: {} },
    pair: { type: 'array', items: { anyOf: [text, { type: 'integer' }] } },
    inside: { type: 'object', properties: { list: { type: ['array', 'null'], items: {} } } },
  })
})

describe('Gemini gets what it can read', () => {
  const cases: [string, JsonSchema, JsonSchema][] = [
    [
      'bounds it does not know',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 2 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      'bounds of a number',
      { type: 'number', exclusiveMinimum: 0.5 },
      { type: 'number', description: 'Must be more than 0.5.' },
    ],
    ['one value', { const: 'x' }, { type: 'string', enum: ['x'] }],
    [
      'values that are no texts',
      { description: 'Size.', enum: [1, 2] },
      { type: 'number', description: 'Size. One of 1, 2.' },
    ],
    ['a type list', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'alternatives with null',
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { type: 'integer', nullable: true },
    ],
    ['alternatives', { oneOf: [text, { type: 'integer' }] }, { anyOf: [text, { type: 'integer' }] }],
    ['parts', { allOf: [{ type: 'string' }, { minLength: 2 }] }, { type: 'string', minLength: 2 }],
    ['formats', { type: 'string', format: 'email' }, { type: 'string' }],
    ['a date and time', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    [
      'a map',
      { type: 'object', additionalProperties: text, propertyNames: { pattern: '^a' } },
      { type: 'object' },
    ],
    [
      'a list of anything',
      { type: 'array', uniqueItems: true },
      {
        type: 'array',
        items: { anyOf: [text, { type: 'number' }, { type: 'boolean' }, { type: 'object' }] },
      },
    ],
    [
      'anything, never as text alone',
      { description: 'What to store.', json: true },
      {
        anyOf: [
          { type: 'object' },
          {
            type: 'array',
            items: { anyOf: [text, { type: 'number' }, { type: 'boolean' }, { type: 'object' }] },
          },
          text,
          { type: 'number' },
          { type: 'boolean' },
        ],
        description: 'What to store.',
      },
    ],
    ['a text without its type', { minLength: 2 }, { type: 'string', minLength: 2 }],
    [
      'required members that are not declared',
      { type: 'object', properties: { a: text }, required: ['a', 'b'], additionalProperties: false },
      { type: 'object', properties: { a: text }, required: ['a'] },
    ],
  ]
  test.each(cases)('%s', (_name, schema, sent) => {
    expect(sentTo('gemini', { type: 'object', properties: { value: schema }, required: ['value'] })).toEqual({
      type: 'object',
      properties: { value: sent },
      required: ['value'],
    })
  })

  test('references are written out, and what contains itself ends', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          properties: { name: text, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
      },
    }
    expect(sentTo('gemini', schema)).toEqual({
      type: 'object',
      properties: {
        root: {
          type: 'object',
          properties: { name: text, children: { type: 'array', items: { type: 'object' } } },
        },
      },
    })
  })

  test('a tool without parameters has no schema', () => {
    expect(sentTo('gemini', { type: 'object', properties: {} })).toBeUndefined()
  })
})

describe('a schema that holds itself ends for Gemini', () => {
  const node = (next: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { name: text, next } } },
  })
  const again = { $ref: '#/$defs/node' }
  const end = { type: 'object' }

  test.each([
    ['in itself', again, end],
    ['in an alternative', { anyOf: [again, { type: 'null' }] }, { ...end, nullable: true }],
    ['in a part', { allOf: [again] }, end],
    [
      'in an alternative of a list',
      { oneOf: [text, { type: 'array', items: again }] },
      { anyOf: [text, { type: 'array', items: end }] },
    ],
  ] as const)('%s', (_, next, sent) => {
    expect(sentTo('gemini', node(next as JsonSchema))).toEqual({
      type: 'object',
      properties: { root: { type: 'object', properties: { name: text, next: sent } } },
    })
  })

  test('where its alternatives hold each other', () => {
    const names = Array.from({ length: 12 }, (_, index) => `kind${index}`)
    const any = { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) }
    const kinds = names.map((name) => [name, { type: 'object', properties: { [name]: any } }])
    const schema = { type: 'object', properties: { root: any }, $defs: Object.fromEntries(kinds) }
    expect(JSON.stringify(sentTo('gemini', schema)).length).toBeLessThan(1_000_000)
  })
})
