import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LogCap } from '../../../shared/server/log/log-cap.ts'

function setUp() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const summaries: unknown[] = []
  return { cap: new LogCap((summary) => summaries.push(summary)), summaries }
}

test('100 lines in 10 s, the summary of what was left out included', () => {
  const { cap, summaries } = setUp()
  const admitted = Array.from({ length: 300 }, () => cap.admits('tool-failure')).filter(Boolean)
  expect(admitted).toHaveLength(99)
  expect(summaries).toEqual([])
  vi.advanceTimersByTime(10_000)
  expect(summaries).toEqual([{ event: 'log-summary', seconds: 10, 'tool-failure': 201 }])
  expect(cap.admits('tool-failure')).toBe(true)
})

test('no 10 s have more than 100 lines, wherever they begin', () => {
  const steps = fc.array(
    fc.record({ lines: fc.nat(120), thenMs: fc.constantFrom(0, 10, 3000, 9999, 10_000) }),
    {
      minLength: 2,
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(steps, (given) => {
      vi.useFakeTimers({ now: 0 })
      const times: number[] = []
      const cap = new LogCap(() => times.push(Date.now()))
      for (const { lines, thenMs } of [...given, { lines: 0, thenMs: 20_000 }]) {
        for (let count = 0; count < lines; count++) if (cap.admits('run')) times.push(Date.now())
        vi.advanceTimersByTime(thenMs)
      }
      for (const start of times) {
        expect(times.filter((at) => at >= start && at < start + 10_000).length).toBeLessThanOrEqual(100)
      }
    }),
  )
  vi.useRealTimers()
})

test('refusals with the same code are one line, and a sum', () => {
  const { cap, summaries } = setUp()
  const refuse = (code: string) => cap.admits('refused', `refused ${code}`)
  expect([refuse('rate_limited'), refuse('bad_request')]).toEqual([true, true])
  for (let count = 0; count < 500; count++) expect(refuse('rate_limited')).toBe(false)
  expect(cap.admits('run')).toBe(true)
  vi.advanceTimersByTime(10_000)
  expect(summaries).toEqual([{ event: 'log-summary', seconds: 10, 'refused rate_limited': 500 }])
  expect(refuse('rate_limited')).toBe(true)
})

test('a quiet process writes no summary', () => {
  const { cap, summaries } = setUp()
  for (let count = 0; count < 20; count++) {
    expect(cap.admits('run')).toBe(true)
    vi.advanceTimersByTime(3000)
  }
  expect(summaries).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
