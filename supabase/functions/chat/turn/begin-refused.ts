import type { RefusalCode } from '../../../../shared/api/refusals.ts'
import { versionRefused } from '../../../../shared/server/database/version-refused.ts'
import { ApiError, type Refusal } from '../../../../shared/server/http/api-error.ts'

/** The refusals of the RPCs that start a run. */
const refusals: readonly Refusal[] = [
  { code: 'agent_not_found', values: { why: 'one' } },
  { code: 'already_decided', values: {} },
  { code: 'conversation_not_found', values: {} },
  { code: 'file_not_found', values: { why: 'attached' } },
  { code: 'grant_not_found', values: {} },
  { code: 'item_not_found', values: {} },
  { code: 'message_id_taken', values: {} },
  { code: 'message_not_found', values: { why: 'any' } },
  { code: 'newer_messages', values: {} },
  { code: 'no_message', values: {} },
  { code: 'not_an_approver', values: {} },
  { code: 'not_as_asked', values: {} },
  { code: 'not_due', values: {} },
  { code: 'nothing_pending', values: {} },
  { code: 'too_many_permissions', values: {} },
  { code: 'too_many_messages', values: {} },
  { code: 'too_many_schedules', values: {} },
]

/** A refusal by the RPCs that start a run, as an API error. */
export function beginRefused(code: string): Error {
  if (code === 'version_not_accepted') return versionRefused()
  const refusal = refusals.find((one) => one.code === code)
  return refusal
    ? new ApiError<RefusalCode>(refusal.code, refusal.values)
    : new Error(`The database refused a request with the code "${code}", which has no sentence yet.`)
}
