import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBudgetReservation } from '../../supabase/functions/chat/turn/budget-reservation.ts'

const hold = {
  scope: 'user',
  measure: 'cost',
  per: 'day',
  limit: 5,
  resumeAt: '2030-01-01T00:00:00Z',
  isReserved: false,
} as const
const share = { modelCalls: 9, tokens: 900, costUsd: 1, hold: null, near: [] }

test('a new reservation covers what is used after it, not what was reported to get it', async () => {
  const reservation = createBudgetReservation(share, true)
  let beats = 0
  const ask = () =>
    reservation.ask(async () => {
      beats++
      reservation.renew()({ ...share, hold })
    })
  const usage = { inputTokens: 10, outputTokens: 10 }
  const use = (cost: number) => reservation.draw({ type: 'step-end', usage, cost })
  use(1)
  await ask()
  use(0.9)
  assert.equal((await ask()).throttle, undefined)
  assert.equal(beats, 1)
})

test('a run with nothing left that has used nothing since does not report again', async () => {
  const reservation = createBudgetReservation({ ...share, modelCalls: 0, hold }, true)
  const beat = async () => assert.fail('it has nothing to report')
  assert.equal((await reservation.ask(beat)).throttle?.heldBy, 'user cost day')
})
