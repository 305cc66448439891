import { describe, expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'

/** A call of a tool whose argument `value` has this schema. */
function prepare(value: JsonSchema, given: unknown) {
  const parameters = {
    type: 'object',
    properties: { value },
    required: ['value'],
    additionalProperties: false,
  }
  const tool = { name: 'store', description: '', effect: 'write' as const, parameters }
  const prepared = prepareToolCall({
    name: 'store',
    rawArguments: JSON.stringify({ value: given }),
    tools: [tool],
  })
  return prepared.ok
    ? { value: prepared.args.value, repairs: prepared.repairs.map(({ rule }) => rule) }
    : prepared.error
}

describe('any JSON', () => {
  test.each([
    ['an object', { a: 1 }],
    ['a list', [1, 'x']],
    ['a text', 'ready'],
    ['a text that begins like JSON', '[draft] of today'],
    ['a text with a number', '12'],
    ['a number', 1.5],
    ['nothing', null],
  ])('%s stays what it is', (_, value) => {
    expect(prepare({ json: true }, value)).toEqual({ value, repairs: [] })
  })

  test.each([
    ['of an object', '{"items": [{"sku": "A1", "qty": 2}]}', { items: [{ sku: 'A1', qty: 2 }] }],
    ['of a list', ' [1, 2]', [1, 2]],
  ])('the text %s stands for it, and that is said', (_, text, value) => {
    expect(prepare({ json: true }, text)).toEqual({ value, repairs: ['json-text'] })
  })

  test('elsewhere it is a text', () => {
    expect(prepare({}, '{"a":1}')).toEqual({ value: '{"a":1}', repairs: [] })
    expect(prepare({ type: 'string' }, '{"a":1}')).toEqual({ value: '{"a":1}', repairs: [] })
  })
})

describe('a list of any number of dimensions', () => {
  const list: JsonSchema = { type: 'array', items: { type: 'integer' }, anyDepth: true }

  test.each([
    ['one', [1, 2]],
    ['two', [[1, 2], [3]]],
    ['three', [[[1]], [[2]]]],
    ['none', []],
  ])('%s', (_, value) => {
    expect(prepare(list, value)).toEqual({ value, repairs: [] })
  })

  test('one value is a list of it', () => {
    expect(prepare(list, 5)).toEqual({ value: [5], repairs: ['one-item-array'] })
    expect(prepare(list, '[[1,2]]')).toEqual({ value: [[1, 2]], repairs: ['json-text'] })
  })

  test.each([
    ['different depths', [1, [2]], 'value'],
    ['a wrong value within', [[1, 'x']], 'value[0][1]'],
    ['a wrong value', [1, 'x'], 'value[1]'],
  ])('%s are asked about', (_, value, parameter) => {
    expect(prepare(list, value)).toMatchObject({
      ok: false,
      details: { parameter: expect.stringContaining(parameter) },
    })
  })

  test('is asked for as a plain list', () => {
    expect(prepare(list, { a: 1, b: 2 })).toMatchObject({
      error:
        'Question: There seems to be an issue with the value. Please provide a list of whole numbers, not an object.',
    })
  })
})
