import { expect, test } from 'vitest'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { createRecentRefusals } from '../../../supabase/functions/chat/turn/recent-refusals.ts'

const tooFast = new ApiError('rate_limited', { why: 'files' }, { retryAfterSeconds: 20, isOfWindow: true })

/** What was done, at a time that is set by hand. */
function scene() {
  const at = { ms: 0 }
  const asked: string[] = []
  const refusals = createRecentRefusals(() => at.ms)
  const ask = (key: string, refusal?: Error) =>
    refusals.unlessRefused(key, async () => {
      asked.push(key)
      if (refusal) throw refusal
      return 'done'
    })
  return { at, asked, refusals, ask }
}

test('what was refused for a rate is refused for a second without being asked again', async () => {
  const { at, asked, refusals, ask } = scene()
  await expect(ask('ada', tooFast)).rejects.toBe(tooFast)
  at.ms = 999
  await expect(ask('ada')).rejects.toBe(tooFast)
  expect(() => refusals.check('ada')).toThrow(tooFast)
  expect(await ask('grace')).toBe('done')
  at.ms = 1000
  expect(await ask('ada')).toBe('done')
  expect(asked).toEqual(['ada', 'grace', 'ada'])
})

test('nothing else is remembered: a spent budget, too much at once, a number of things kept, a database that is away', async () => {
  const { ask } = scene()
  for (const refusal of [
    new ApiError('rate_limited', { why: 'budget', said: { code: 'wait_budget' } }, { isBudget: true }),
    new ApiError('rate_limited', { why: 'runs_at_once', limit: 2 }),
    new ApiError('limit_reached', { why: 'conversations', limit: 2 }),
    new ApiError('database_unavailable', {}),
  ]) {
    await expect(ask('ada', refusal)).rejects.toBe(refusal)
    expect(await ask('ada')).toBe('done')
  }
})
