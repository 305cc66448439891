import { saidError, type ToolResult } from '../../engine/core/tool-error.ts'
import type { Write } from '../../engine/core/write.ts'
import { outcomeUnknown } from '../../engine/failures/outcome-unknown.ts'

/** The answer for a delivery whose effect is already running, done, or cancelled: it never runs again. */
export function earlierResult({ status, result }: Pick<Write, 'status' | 'result'>): ToolResult {
  if (result) return result
  if (status === 'succeeded') return { ok: true, data: null }
  if (status === 'failed' || status === 'cancelled') {
    return saidError('cancelled', { code: 'call_cancelled' })
  }
  return outcomeUnknown({ how: 'delivered' })
}
