import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SilenceWatch } from '../../../shared/engine/models/protocol/silence-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a call that is silent for its time ends', () => {
  const { signal } = new SilenceWatch(1000)
  vi.advanceTimersByTime(999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.aborted).toBe(true)
})

test('a sign of life keeps a call going, until it is silent again', () => {
  const watch = new SilenceWatch(1000)
  for (let chunk = 0; chunk < 10; chunk++) {
    vi.advanceTimersByTime(900)
    watch.seen()
  }
  expect(watch.signal.aborted).toBe(false)
  vi.advanceTimersByTime(2000)
  expect(watch.signal.aborted).toBe(true)
})

test('the caller ends it with the reason', () => {
  const caller = new AbortController()
  const { signal } = new SilenceWatch(1000, caller.signal)
  caller.abort('stopped')
  expect(signal.reason).toBe('stopped')
})

test('nothing runs on after the call', () => {
  const caller = new AbortController()
  const watch = new SilenceWatch(1000, caller.signal)
  watch.stop()
  expect(vi.getTimerCount()).toBe(0)
  caller.abort('too late')
  expect(watch.signal.aborted).toBe(false)
})

test('a time that no timer can hold is a long time', () => {
  const { signal } = new SilenceWatch(Number.POSITIVE_INFINITY)
  vi.advanceTimersByTime(86_400_000)
  expect(signal.aborted).toBe(false)
})
