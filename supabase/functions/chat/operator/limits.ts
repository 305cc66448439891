import { z } from 'zod'
import { type changeLimit, usageLimit } from '../../../../shared/api/operator.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Act } from './act.ts'

type Change = Omit<z.output<typeof changeLimit.body>, 'reason'>

const changedSchema = z.enum(['changed', 'no_subject', 'not_measurable', 'not_whole'])

export async function listLimits(rpc: CallRpc) {
  const consequence = 'so this cannot be read. Try again in a minute.'
  return { limits: await askDatabase(rpc('list_limits', {}), z.array(usageLimit()), consequence) }
}

/** Sets or removes a limit, and returns all. Throws ApiError 400. */
export async function setLimit(rpc: CallRpc, act: Act, change: Change) {
  const asked = rpc('change_limit', { p_act: act, p_limit: change })
  const changed = await askDatabase(asked, changedSchema, 'so nothing was changed. Try again in a minute.')
  if (changed === 'no_subject') {
    throw new ApiError('bad_request', `There is no ${change.scope} with the id ${change.subject}.`)
  }
  if (changed === 'not_whole') {
    throw new ApiError(
      'bad_request',
      `"value" is ${change.value}. Only money has parts: send a whole number.`,
    )
  }
  if (changed === 'not_measurable') {
    const { scope, measure, per = 'at one time' } = change
    const sentence = `"${measure}" of ${scope === 'project' ? 'a project' : `each ${scope}`} is not counted per "${per}". The page about limits lists what is.`
    throw new ApiError('bad_request', sentence)
  }
  return await listLimits(rpc)
}
