import { z } from 'zod'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { throttleOf, throttleSchema } from './reached-limit.ts'

/** The limit that a request was refused for (SQL `limit_refusal`). */
export const aboutLimitSchema = z.union([
  throttleSchema,
  z.object({ measure: z.string(), per: z.string().nullish(), limit: z.number() }),
])
type AboutLimit = z.infer<typeof aboutLimitSchema>

/** A request that a limit refuses: what is reached, and what to do. */
export function refuseByLimit(code: string, about: AboutLimit, retryAfterSeconds?: number | null): ApiError {
  const soon = { retryAfterSeconds: retryAfterSeconds ?? undefined }
  if ('resumeAt' in about) {
    const { said } = throttleOf(about, false)
    return new ApiError('rate_limited', { why: 'budget', said }, { ...soon, isBudget: true })
  }
  const { measure, per, limit } = about
  if (code === 'limit_reached') {
    const why = measure === 'permissions' || measure === 'conversations' ? measure : 'other'
    return new ApiError('limit_reached', { why, limit })
  }
  const options = { ...soon, isOfWindow: typeof per === 'string' }
  if ((measure === 'runs' || measure === 'mcp_calls') && typeof per === 'string')
    return new ApiError('rate_limited', { why: measure, limit, per }, options)
  const why = measure === 'runs_at_once' ? measure : 'other'
  return new ApiError('rate_limited', { why, limit }, options)
}
