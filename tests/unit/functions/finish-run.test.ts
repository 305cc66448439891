import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallRpc, DatabaseError } from '../../../shared/server/database/call-rpc.ts'
import { createEntryBuffer } from '../../../supabase/functions/chat/turn/entry-buffer.ts'
import { finishRun } from '../../../supabase/functions/chat/turn/finish-run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Finishes a run in a database that refuses the first tries; tells how often it was asked, and whether while the client waited. */
async function finish(refusals: number, transient: boolean) {
  let asked = 0
  let later: Promise<unknown> | undefined
  const rpc: CallRpc = async () => {
    asked++
    if (asked <= refusals) throw new DatabaseError('It is away.', { transient })
    return { pending: [], isStored: true, replacedBy: null }
  }
  const keepAlive = (work: Promise<unknown>) => {
    later = work
  }
  const result = { status: 'completed', invocations: [] }
  const dependencies = { rpc, keepAlive }
  const finished = finishRun('run', result, createEntryBuffer(), Date.now() + 60_000, dependencies)
  await vi.advanceTimersByTimeAsync(120_000)
  await later
  return { finished: await finished, asked }
}

const stored = { pending: [], isStored: true, replacedBy: null }

test('the client of a run waits while the database cannot take its end, for 20 s', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await finish(0, true)).toEqual({ finished: stored, asked: 1 })
  expect(await finish(3, true)).toEqual({ finished: stored, asked: 4 })
})

test('after that, the end is stored as soon as it can', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await finish(30, true)).toEqual({ finished: undefined, asked: 31 })
})

test('one that it refuses for good is not sent again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await finish(3, false)).toEqual({ finished: undefined, asked: 1 })
})
