import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { toOpenApiSchema } from '../../../shared/engine/models/protocol/openapi-schema.ts'
import { flattenRoot, simplifySchema } from '../../../shared/engine/models/protocol/wire-schema.ts'
import { defineTool, prepareToolCall } from '../../../shared/index.ts'

const int64 = { type: ['integer', 'string'], format: 'int64', minimum: 1 }
const decimal = { type: ['number', 'string'], format: 'decimal' }

function prepare(properties: Record<string, JsonSchema>, rawArguments: string) {
  const parameters = { type: 'object', properties, additionalProperties: false }
  const tool = defineTool({ name: 'pay', description: '', parameters, execute: () => 0 })
  return prepareToolCall({ name: 'pay', rawArguments, tools: [tool] })
}

describe('a number with more digits than a double keeps', () => {
  it('reaches a tool that takes its digits, written as a number or as text', () => {
    for (const written of ['1161380288898609915', '"1161380288898609915"'])
      expect(prepare({ id: int64 }, `{"id": ${written}}`)).toMatchObject({
        ok: true,
        args: { id: '1161380288898609915' },
        repairs: [],
      })
    expect(prepare({ sum: decimal }, '{"sum": 12345678901234.56789}')).toMatchObject({
      args: { sum: '12345678901234.56789' },
    })
    expect(prepare({ id: { type: 'string' } }, '{"id": 1161380288898609915}')).toMatchObject({
      args: { id: '1161380288898609915' },
    })
    expect(prepare({ any: {} }, '{"any": [{"id": 1161380288898609915}]}')).toMatchObject({
      args: { any: [{ id: '1161380288898609915' }] },
    })
  })

  it('is refused with its digits where only numbers fit', () => {
    for (const written of ['1161380288898609915', '"1161380288898609915"']) {
      const call = prepare({ id: { type: 'integer' } }, `{"id": ${written}}`)
      expect(call).toMatchObject({
        ok: false,
        error: {
          errorType: 'invalid_value',
          details: {
            parameter: 'id',
            value: '1161380288898609915',
            constraint: 'has more digits than can be kept exactly',
          },
        },
      })
      expect(!call.ok && call.error.error).toContain(
        '1161380288898609915 has more digits than can be kept exactly.',
      )
    }
    expect(
      prepare({ list: { type: 'array', items: { type: 'number' } } }, '{"list": [1, 1161380288898609915]}'),
    ).toMatchObject({
      error: { errorType: 'invalid_value', details: { parameter: 'list[1]' } },
    })
  })

  it('does not hide a repetition: equal numbers are equal arguments, however they are written', () => {
    for (const written of ['12.5', '"12.5"', '"12.50"', '1.25e1'])
      expect(prepare({ sum: decimal }, `{"sum": ${written}}`)).toMatchObject({
        args: { sum: 12.5 },
        repairs: [],
      })
    expect(
      prepare({ ids: { type: 'array', items: int64 } }, '{"ids": ["5", 6, "1161380288898609915"]}'),
    ).toMatchObject({
      args: { ids: [5, 6, '1161380288898609915'] },
    })
  })

  it('keeps limits and types: text that is no number, too large, or below the minimum is refused', () => {
    expect(prepare({ id: int64 }, '{"id": "five"}')).toMatchObject({
      error: { errorType: 'invalid_type', details: { expected: 'integer', actual: 'string' } },
    })
    expect(prepare({ id: int64 }, '{"id": "0"}')).toMatchObject({ error: { errorType: 'invalid_value' } })
    expect(prepare({ id: int64 }, '{"id": "9223372036854775808"}').ok).toBe(false)
    expect(prepare({ id: int64 }, '{"id": "9223372036854775807"}').ok).toBe(true)
    expect(prepare({ id: int64 }, '{"id": "1.5"}').ok).toBe(false)
  })

  it('is text for a tool that takes only text of digits', () => {
    expect(prepare({ id: { type: 'string', format: 'int64' } }, '{"id": 5}')).toMatchObject({
      args: { id: '5' },
      repairs: [{ path: 'id', rule: 'digits' }],
    })
    expect(prepare({ id: { type: 'string', format: 'int64' } }, '{"id": "5"}')).toMatchObject({
      args: { id: '5' },
      repairs: [],
    })
  })

  it('is offered to models as text', () => {
    const parameters = { type: 'object', properties: { id: { ...int64, description: 'The channel.' } } }
    const offered = flattenRoot(simplifySchema(parameters))
    expect(offered.properties?.id).toEqual({
      type: 'string',
      description: 'The channel. (The digits of a whole number of at least 1.)',
    })
    expect(toOpenApiSchema(offered)?.properties?.id).toEqual(offered.properties?.id)
  })
})
