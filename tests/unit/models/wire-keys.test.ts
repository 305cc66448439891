import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { wireKeys } from '../../../shared/engine/models/protocol/wire-keys.ts'
import { normaliseSchema } from '../../../shared/engine/schema/normalise-schema.ts'

const anthropic = /^[a-zA-Z0-9_.-]{1,64}$/
const long = 'x'.repeat(70)

function keysFor(parameters: JsonSchema) {
  const keys = wireKeys(parameters, anthropic)
  if (!keys) throw new Error('Nothing was renamed.')
  return keys
}

describe('names of parameters that a provider does not take', () => {
  test('are written in letters it takes, each under a name of its own', () => {
    const names = [
      'Größe',
      'Grosse',
      'Grösse',
      'size in cm',
      'size.cm',
      '$top',
      '@type',
      '件名',
      '主旨',
      long,
      `${long}y`,
    ]
    const { schema } = keysFor({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: ['Größe', 'size.cm', '件名'],
    })
    const sent = Object.keys(schema.properties ?? {})
    expect(new Set(sent).size).toBe(names.length)
    for (const name of sent) expect(name).toMatch(anthropic)
    expect(sent).toEqual(
      expect.arrayContaining(['Grosse', 'size.cm', 'size_in_cm', 'top', 'type', 'field', 'field_2']),
    )
    expect(schema.required).toEqual(['Grosse_2', 'size.cm', 'field'])
    expect(schema.properties?.Grosse_2).toEqual({ type: 'string', description: 'Größe' })
    expect(schema.properties?.Grosse).toEqual({ type: 'string' })
  })

  test('are none where all fit', () => {
    expect(wireKeys({ properties: { 'a.b-c': {} } }, anthropic)).toBeUndefined()
  })

  const nested: JsonSchema = {
    type: 'object',
    properties: {
      Anhänge: {
        type: 'array',
        items: { anyOf: [{ $ref: '#/$defs/Datei' }, { type: 'string' }] },
      },
      nachName: { type: 'object', additionalProperties: { type: 'object', properties: { Länge: {} } } },
      Eltern: { $ref: '#' },
      wahl: {
        oneOf: [
          { properties: { 'a b': { const: { 'c d': 1 } } } },
          { allOf: [{ properties: { 'c d': {} } }] },
        ],
      },
      // Prettier than it is.
      paar: { type: 'array', prefixItems: [{ type: 'object', properties: { Ä: {} } }] },
    },
    $defs: { Datei: { type: 'object', properties: { Größe: { type: 'number' } }, required: ['Größe'] } },
  }

  test.each([
    [
      'in lists, alternatives and references',
      '{"Anhänge":[{"Größe": 1.50},"Größe"]}',
      '{"Anhange":[{"Grosse": 1.50},"Größe"]}',
    ],
    [
      'in maps, whose names are data',
      '{"nachName":{"Größe":{"Länge":1},"Länge":{"Länge":2}}}',
      '{"nachName":{"Größe":{"Lange":1},"Länge":{"Lange":2}}}',
    ],
    [
      'in what refers to itself',
      '{"Eltern":{"Eltern":{"Anhänge":[]}}}',
      '{"Eltern":{"Eltern":{"Anhange":[]}}}',
    ],
    ['in branches of branches', '{"wahl":{"a b":1,"c d":2}}', '{"wahl":{"a_b":1,"c_d":2}}'],
    ['in lists by place', '{"paar":[{"Ä":1}]}', '{"paar":[{"A":1}]}'],
    [
      'without a change of digits, spaces and escapes',
      '{ "Anhänge" : [ { "Gr\\u00f6\\u00dfe":12345678901234567890.10e+5 } ] }',
      '{ "Anhange" : [ { "Grosse":12345678901234567890.10e+5 } ] }',
    ],
  ])('go there and back %s', (_where, own, sent) => {
    const keys = keysFor(nested)
    expect(keys.toWire(own)).toBe(sent)
    expect(JSON.parse(keys.toOwn(sent))).toEqual(JSON.parse(own))
  })

  test('come back with every digit', () => {
    const sent = '{"Anhange": [{"Grosse":12345678901234567890.10e+5}]}'
    expect(keysFor(nested).toOwn(sent)).toBe('{"Anhänge": [{"Größe":12345678901234567890.10e+5}]}')
  })

  test.each([
    ['cut', '{"Anhange":[{"Grosse":1', '{"Anhänge":[{"Größe":1'],
    ['without quotation marks', '{Anhange:[{Grosse:1}]}', '{"Anhänge":[{"Größe":1}]}'],
    ['with single ones', "{'Anhange':[{'Grosse':'1'}]}", `{"Anhänge":[{"Größe":'1'}]}`],
    ['with a list as text', '{"Anhange":"[{\\"Grosse\\":1}]"}', '{"Anhänge":"[{\\"Größe\\":1}]"}'],
    ['as one text', '"{\\"Anhange\\":[]}"', '"{\\"Anhänge\\":[]}"'],
    ['in a fence', '```json\n{"Anhange":[]}\n```', '```json\n{"Anhänge":[]}\n```'],
    ['at the wrong place', '{"Grosse":1}', '{"Größe":1}'],
  ])('come back from arguments that are %s', (_how, sent, own) => {
    expect(keysFor(nested).toOwn(sent)).toBe(own)
  })

  test('are renamed in the whole schema: references, required names, data', () => {
    const { schema } = keysFor({
      ...nested,
      dependentRequired: { Anhänge: ['Eltern', 'Anhänge'] },
      properties: { ...nested.properties, gleich: { $ref: '#/properties/Anhänge/items' } },
      default: { Anhänge: [{ Größe: 1 }] },
    })
    const text = JSON.stringify(schema)
    expect(text).toContain('"#/properties/Anhange/items"')
    expect(schema.dependentRequired).toEqual({ Anhange: ['Eltern', 'Anhange'] })
    expect(schema.default).toEqual({ Anhange: [{ Grosse: 1 }] })
    expect(schema.$defs?.Datei).toMatchObject({ required: ['Grosse'] })
    expect(JSON.stringify(schema.properties?.wahl)).toContain('"const":{"c_d":1}')
    expect(text.replace(/"description":"[^"]*"/g, '')).not.toMatch(/Größe|Anhänge/)
    expect(() => normaliseSchema(schema)).not.toThrow()
  })

  test('of paths and sentences are those that the model knows', () => {
    const keys = keysFor(nested)
    expect(keys.wirePath('Anhänge[0].Größe')).toBe('Anhange[0].Grosse')
    expect(keys.wirePath('wahl["a b"]')).toBe('wahl.a_b')
    expect(keys.wireWords('There is no "Größe" in Größe.')).toBe('There is no "Grosse" in Größe.')
  })
})
