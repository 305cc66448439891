import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logEvent } from '../../supabase/functions/chat/turn/log-run.ts'
import { createRunLog } from '../../supabase/functions/chat/turn/run-log.ts'

/** A database that answers when it is told to, and notes the entries that each call brought. */
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

const bringing = (
  log: ReturnType<typeof createRunLog>,
  send: (entries: { sequence: number }[]) => Promise<boolean>,
) => log.bring(send, (stored) => stored)
const turnOfLoop = () => new Promise((resolve) => setTimeout(resolve, 0))
const hear = (log: ReturnType<typeof createRunLog>, ...texts: string[]) => {
  for (const text of texts) log.hear({ type: 'model-text', text })
}

test('each entry is brought by one call, and by the next one where it was not stored', async () => {
  const { calls, send } = database()
  const log = createRunLog()
  hear(log, 'a', 'b')
  const first = bringing(log, send)
  calls[0]?.answer(new Error('away'))
  await assert.rejects(first, /away/)
  const second = bringing(log, send)
  calls[1]?.answer(false)
  await second
  const third = bringing(log, send)
  hear(log, 'c')
  calls[2]?.answer(true)
  await third
  const fourth = bringing(log, send)
  calls[3]?.answer(true)
  await fourth
  assert.deepEqual(
    calls.map(({ sequences }) => sequences),
    [[0, 1], [0, 1], [0, 1], [2]],
  )
})

test('a call waits for what another one is bringing, and no longer', async () => {
  const { calls, send } = database()
  const log = createRunLog()
  hear(log, 'a')
  const brought = [bringing(log, send), bringing(log, send), bringing(log, send)]
  await turnOfLoop()
  assert.equal(calls.length, 1)
  calls[0]?.answer(true)
  await turnOfLoop()
  assert.deepEqual(
    calls.map(({ sequences }) => sequences),
    [[0], [], []],
  )
  for (const call of calls) call.answer(true)
  assert.deepEqual(await Promise.all(brought), [true, true, true])
})

test('deltas are kept nowhere', () => {
  const log = createRunLog()
  log.hear({ type: 'text-delta', delta: 'He' })
  log.hear({ type: 'input-start', toolCallId: '1', toolName: 'x' })
  log.hear({ type: 'input-delta', toolCallId: '1', delta: '{' })
  log.hear({ type: 'restart', provider: 'p', model: 'm' })
  hear(log, 'Hello.')
  assert.deepEqual(log.entries, [{ type: 'model-text', text: 'Hello.' }])
})

test('a model that is asked again is one line of the log', () => {
  const lines: unknown[] = []
  const write = console.log
  console.log = (line) => lines.push(JSON.parse(line))
  logEvent({ runId: 'r', conversationId: 'c' }, { type: 'nudge', stall: 'malformed' })
  console.log = write
  assert.deepEqual(lines, [
    { event: 'model-asked-again', runId: 'r', conversationId: 'c', stall: 'malformed' },
  ])
})
