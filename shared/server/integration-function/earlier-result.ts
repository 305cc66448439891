import { type ToolResult, toolError } from '../../engine/core/tool-error.ts'
import { outcomeUnknown } from '../../engine/failures/outcome-unknown.ts'
import { ApiError } from '../http/api-error.ts'
import type { EffectStart } from './effect-record.ts'

/** The answer for a delivery whose effect is already running, done, or cancelled: it never runs again. */
export function earlierResult({ status, result }: Extract<EffectStart, { proceed: false }>): ToolResult {
  if (status === 'mismatch') {
    throw new ApiError(
      'idempotency_key_reused',
      'This idempotencyKey belongs to another call. Use a new key for every call, and the same one only to repeat it.',
    )
  }
  if (result) return result
  if (status === 'succeeded') return { ok: true, data: null }
  if (status === 'failed' || status === 'cancelled') {
    return toolError('cancelled', 'This call was cancelled before it ran, so nothing was done.')
  }
  return outcomeUnknown({ how: 'delivered' })
}
