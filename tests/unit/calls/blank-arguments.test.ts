import { expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'

const tool = (effect: 'read' | 'write', required: string[] = []) => ({
  name: 'list_files',
  description: 'Lists files.',
  effect,
  parameters: { type: 'object', properties: { folder: { type: 'string' } }, required },
})
const prepare = (one: ReturnType<typeof tool>, finishReason = 'tool_calls', rawArguments = '') =>
  prepareToolCall({ name: 'list_files', rawArguments, tools: [one], finishReason })

test('a read that needs nothing and comes without arguments runs with none, and says so', () => {
  expect(prepare(tool('read'))).toMatchObject({ ok: true, args: {}, repairs: [{ rule: 'blank-arguments' }] })
})

test('a write is proposed, closed, and runs when the model sends that', () => {
  const prepared = prepare(tool('write'))
  expect(prepared).toMatchObject({
    ok: false,
    error: { details: { correction: { name: 'list_files', arguments: {}, open: [] } } },
  })
  expect(prepare(tool('write'), 'stop', '{}')).toMatchObject({ ok: true, args: {} })
})

test('arguments that may have followed a cut, or that are needed, are asked for', () => {
  expect(prepare(tool('read'), 'length').ok).toBe(false)
  expect(prepare(tool('read', ['folder'])).ok).toBe(false)
})
