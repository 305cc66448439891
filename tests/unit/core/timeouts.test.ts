import { expect, test } from 'vitest'
import { runTimeouts, timeouts } from '../../../shared/engine/core/timeouts.ts'

test('whoever is nearer to an effect gives up first, and no lease ends while somebody may still work', () => {
  const { providerMs, functionMs, toolMs, effectLeaseMs, claimLeaseMs } = timeouts
  expect(providerMs).toBeLessThan(functionMs)
  expect(functionMs).toBeLessThan(toolMs)
  expect(functionMs).toBeLessThan(effectLeaseMs)
  expect(toolMs).toBeLessThan(claimLeaseMs)
})

test('a run survives two lost heartbeats and ends before those who wait for it', () => {
  const { heartbeatMs, leaseMs, workMs, joinMs } = runTimeouts
  expect(2 * heartbeatMs).toBeLessThan(leaseMs)
  expect(workMs).toBeLessThan(joinMs)
  expect(joinMs).toBeLessThan(150_000)
})
