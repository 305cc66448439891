import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SilenceWatch } from '../../../shared/engine/models/protocol/silence-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a call that is silent for its time ends, and the next one of the run begins anew', () => {
  const watch = new SilenceWatch()
  const first = watch.begin(1000, undefined)
  vi.advanceTimersByTime(1000)
  expect(first.aborted).toBe(true)
  const second = watch.begin(1000, undefined)
  vi.advanceTimersByTime(999)
  expect(second.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(second.aborted).toBe(true)
})

test('a later call has its whole time, although the timer of an earlier one runs on', () => {
  const watch = new SilenceWatch()
  watch.begin(1000, undefined)
  vi.advanceTimersByTime(900)
  watch.rest()
  const later = watch.begin(1000, undefined)
  vi.advanceTimersByTime(1000)
  expect(later.aborted).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(later.aborted).toBe(true)
})

test('a sign of life keeps a call going, a tool that takes long between two calls ends nothing', () => {
  const watch = new SilenceWatch()
  const talking = watch.begin(1000, undefined)
  for (let chunk = 0; chunk < 10; chunk++) {
    vi.advanceTimersByTime(900)
    watch.seen()
  }
  watch.rest()
  vi.advanceTimersByTime(60_000)
  expect(talking.aborted).toBe(false)
  expect(watch.begin(1000, undefined)).toBe(talking)
})

test('the caller of each call ends it with the reason', () => {
  const watch = new SilenceWatch()
  const [first, second] = [new AbortController(), new AbortController()]
  watch.begin(1000, first.signal)
  watch.rest()
  const signal = watch.begin(1000, second.signal)
  first.abort('not this one')
  expect(signal.aborted).toBe(false)
  second.abort('stopped')
  expect(signal.reason).toBe('stopped')
})

test('a fallback that may be silent for longer has its own time', () => {
  const watch = new SilenceWatch()
  watch.begin(1000, undefined)
  watch.rest()
  const slow = watch.begin(5000, undefined)
  vi.advanceTimersByTime(4999)
  expect(slow.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(slow.aborted).toBe(true)
})

test('nothing runs on after the last call', () => {
  const watch = new SilenceWatch()
  watch.begin(1000, new AbortController().signal)
  watch.rest()
  watch.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('a time that no timer can hold is a long time', () => {
  const watch = new SilenceWatch()
  const signal = watch.begin(Number.POSITIVE_INFINITY, undefined)
  vi.advanceTimersByTime(86_400_000)
  expect(signal.aborted).toBe(false)
})

test('a call that outlives its run is still watched to its end', () => {
  const watch = new SilenceWatch()
  const caller = new AbortController()
  const signal = watch.begin(1000, caller.signal)
  watch.stop()
  expect(watch.isFree).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(signal.aborted).toBe(true)
  watch.rest()
  expect(vi.getTimerCount()).toBe(0)
})
