import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runTimeouts } from '../../../shared/engine/core/timeouts.ts'
import type { BegunTurn } from '../../../supabase/functions/chat/turn/begin-turn.ts'
import { untilDone } from '../../../supabase/functions/chat/turn/until-done.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const place = { conversationId: 'c', runId: 'r', messageId: 'm' }

/** A press while a run works for so many milliseconds; each look takes 2 s. */
async function press(workMs: number) {
  const end = Date.now() + workMs
  const begin = async (): Promise<BegunTurn> => ({ kind: Date.now() < end ? 'busy' : 'join', ...place })
  const carryOut = async ({ kind }: BegunTurn) => {
    if (kind !== 'busy') return 'carried out'
    vi.setSystemTime(Date.now() + 2000)
    return 'interrupted' as const
  }
  return await untilDone(begin, carryOut)
}

test('a press waits for the end of the run that works', async () => {
  expect(await press(runTimeouts.joinMs - 5000)).toBe('carried out')
})

test('a press when that run works for too long is refused with 503, and says that it can be made again', async () => {
  await expect(press(runTimeouts.joinMs + 60_000)).rejects.toMatchObject({
    status: 503,
    code: 'conversation_busy',
    message: expect.stringMatching(/has not been done yet\. Try again in a minute\.$/),
  })
})
