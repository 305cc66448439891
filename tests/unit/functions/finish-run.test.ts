import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallRpc, DatabaseError } from '../../../shared/server/database/call-rpc.ts'
import { createEntryBuffer } from '../../../supabase/functions/chat/turn/entry-buffer.ts'
import { finishRun } from '../../../supabase/functions/chat/turn/finish-run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Finishes a run in a database that refuses the first tries; tells how often it was asked within a minute. */
async function finish(refusals: number, transient: boolean) {
  let asked = 0
  let later: Promise<unknown> | undefined
  const rpc: CallRpc = async () => {
    asked++
    if (asked <= refusals) throw new DatabaseError('It is away.', { transient })
    return { pending: [] }
  }
  const keepAlive = (work: Promise<unknown>) => {
    later = work
  }
  const result = { status: 'completed', invocations: [] }
  const finished = await finishRun('run', result, createEntryBuffer(), { rpc, keepAlive })
  await vi.advanceTimersByTimeAsync(60_000)
  await later
  return { finished, asked }
}

test('the end of a run that the database cannot take is stored as soon as it can', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await finish(0, true)).toEqual({ finished: { pending: [] }, asked: 1 })
  expect(await finish(3, true)).toEqual({ finished: undefined, asked: 4 })
})

test('one that it refuses for good is not sent again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await finish(3, false)).toEqual({ finished: undefined, asked: 1 })
})
