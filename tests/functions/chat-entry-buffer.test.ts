import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEntryBuffer } from '../../supabase/functions/chat/turn/entry-buffer.ts'

/** A database that answers when it is told to, and notes the entries sent with each call. */
function database() {
  const calls: { sequences: number[]; answer: (stored: boolean | Error) => void }[] = []
  const send = (entries: { sequence: number }[]) =>
    new Promise<boolean>((resolve, reject) => {
      const sequences = entries.map(({ sequence }) => sequence)
      const answer = (stored: boolean | Error) => (stored instanceof Error ? reject(stored) : resolve(stored))
      calls.push({ sequences, answer })
    })
  return { calls, send }
}

const flush = (
  buffer: ReturnType<typeof createEntryBuffer>,
  send: (entries: { sequence: number }[]) => Promise<boolean>,
) => buffer.flush(send, (stored) => stored)
const turnOfLoop = () => new Promise((resolve) => setTimeout(resolve, 0))
const add = (buffer: ReturnType<typeof createEntryBuffer>, ...texts: string[]) => {
  for (const text of texts) buffer.add({ type: 'model-text', text })
}

test('each entry is sent with one call, and again with the next one if it was not stored', async () => {
  const { calls, send } = database()
  const buffer = createEntryBuffer()
  add(buffer, 'a', 'b')
  const first = flush(buffer, send)
  calls[0]?.answer(new Error('away'))
  await assert.rejects(first, /away/)
  const second = flush(buffer, send)
  calls[1]?.answer(false)
  await second
  const third = flush(buffer, send)
  add(buffer, 'c')
  calls[2]?.answer(true)
  await third
  const fourth = flush(buffer, send)
  calls[3]?.answer(true)
  await fourth
  assert.deepEqual(
    calls.map(({ sequences }) => sequences),
    [[0, 1], [0, 1], [0, 1], [2]],
  )
})

test('a flush waits for the one under way, and no longer', async () => {
  const { calls, send } = database()
  const buffer = createEntryBuffer()
  add(buffer, 'a')
  const flushes = [flush(buffer, send), flush(buffer, send), flush(buffer, send)]
  await turnOfLoop()
  assert.equal(calls.length, 1)
  calls[0]?.answer(true)
  await turnOfLoop()
  assert.deepEqual(
    calls.map(({ sequences }) => sequences),
    [[0], [], []],
  )
  for (const call of calls) call.answer(true)
  assert.deepEqual(await Promise.all(flushes), [true, true, true])
})

test('deltas are not kept', () => {
  const buffer = createEntryBuffer()
  buffer.add({ type: 'text-delta', delta: 'He' })
  buffer.add({ type: 'input-start', toolCallId: '1', toolName: 'x' })
  buffer.add({ type: 'input-delta', toolCallId: '1', delta: '{' })
  buffer.add({ type: 'restart', provider: 'p', model: 'm' })
  add(buffer, 'Hello.')
  assert.deepEqual(buffer.entries, [{ type: 'model-text', text: 'Hello.' }])
})
