import { expect, it } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { defineTool } from '../../../shared/index.ts'

const edits: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
    required: ['oldText', 'newText'],
  },
}

/** Whether a call with one required parameter runs. */
function runs(place: JsonSchema, value: unknown, emptyText?: true): boolean {
  const parameters = { type: 'object', properties: { value: place }, required: ['value'] }
  const tool = defineTool({
    name: 'edit',
    description: '',
    parameters,
    execute: () => 0,
    ...(emptyText && { emptyText }),
  })
  return prepareToolCall({ name: 'edit', rawArguments: JSON.stringify({ value }), tools: [tool] }).ok
}

it('is a value where the tool says so, in lists and objects too', () => {
  expect(runs({ type: 'string' }, '', true)).toBe(true)
  expect(runs(edits, [{ oldText: 'secret', newText: '' }], true)).toBe(true)
})

it('is asked about in all other tools', () => {
  expect(runs({ type: 'string' }, '')).toBe(false)
  expect(runs(edits, [{ oldText: 'secret', newText: '' }])).toBe(false)
})

it('is never somebody, an amount, or a value of a form', () => {
  const to: JsonSchema = { type: 'string', source: 'conversation' }
  const people: JsonSchema = {
    type: 'object',
    source: 'conversation',
    properties: { name: { type: 'string' } },
    required: ['name'],
  }
  for (const [place, value] of [
    [to, ''],
    [people, { name: '' }],
    [{ type: 'string', format: 'email' }, ''],
    [{ type: 'string', format: 'duration' }, ''],
    [{ type: 'string', minLength: 1 }, ''],
  ] as const)
    expect([place, runs(place, value, true)]).toEqual([place, false])
})
