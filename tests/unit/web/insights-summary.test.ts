import { expect, test } from 'vitest'
import { type Execution, summarise } from '../../../web/pages/insights/summary.ts'

const row = (session: string, attempt: number, more: Partial<Execution>): Execution => ({
  session_id: session,
  run_id: 'r',
  tool_name: 'send',
  attempt,
  status: 'succeeded',
  error_type: null,
  created_at: `2026-11-2${attempt}T10:00:00.000Z`,
  settled_at: `2026-11-2${attempt}T10:00:01.000Z`,
  ...more,
})

test('counts a call with all its attempts once', () => {
  const summary = summarise(
    [
      row('a', 2, { created_at: '2026-11-21T10:00:02.000Z', settled_at: '2026-11-21T10:00:03.000Z' }),
      row('a', 1, { status: 'rejected', error_type: 'missing_parameter' }),
      row('b', 1, {}),
      row('c', 1, { status: 'failed', error_type: 'timeout' }),
      row('d', 1, { status: 'pending', settled_at: null }),
    ],
    [{ run_id: 'r', input_tokens: 10, output_tokens: 5 }],
  )
  expect(summary).toMatchObject({
    sessions: 4,
    firstTry: 1 / 3,
    recovered: 1 / 2,
    medianMs: 2000,
    modelCallsPerRun: 1,
    tokensPerRun: 15,
    days: [{ day: '2026-11-21', succeeded: 2, failed: 1 }],
  })
  expect(summary.errors).toHaveLength(2)
})

test('divides nothing by nothing', () => {
  expect(summarise([], [])).toMatchObject({ sessions: 0, firstTry: null, medianMs: null, tokensPerRun: 0 })
})
