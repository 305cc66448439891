import { z } from 'zod'
import { type changeLimit, usageLimit } from '../../../../shared/api/operator.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Act } from './act.ts'

type Change = Omit<z.output<typeof changeLimit.body>, 'reason'>

const changedSchema = z.enum(['changed', 'no_subject', 'not_measurable', 'not_whole'])

export async function listLimits(rpc: CallRpc) {
  return { limits: await askDatabase(rpc('list_limits', {}), z.array(usageLimit()), 'not_read') }
}

/** Sets or removes a limit, and returns all. Throws ApiError 400. */
export async function setLimit(rpc: CallRpc, act: Act, change: Change) {
  const asked = rpc('change_limit', { p_act: act, p_limit: change })
  const changed = await askDatabase(asked, changedSchema, 'not_changed')
  if (changed === 'no_subject') {
    const { scope, subject } = change
    throw new ApiError('bad_request', { why: 'no_subject', scope, subject })
  }
  if (changed === 'not_whole') {
    throw new ApiError('bad_request', { why: 'not_whole', value: change.value })
  }
  if (changed === 'not_measurable') {
    const { scope, measure, per } = change
    throw new ApiError('bad_request', { why: 'not_measurable', scope, measure, per })
  }
  return await listLimits(rpc)
}
