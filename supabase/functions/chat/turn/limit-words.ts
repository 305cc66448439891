import { z } from 'zod'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { inEnglish } from '../../../../shared/words/languages/in-english.ts'
import { throttleOf, throttleSchema } from './reached-limit.ts'

/** The limit that a request was refused for (SQL `limit_refusal`). */
export const aboutLimitSchema = z.union([
  throttleSchema,
  z.object({ measure: z.string(), per: z.string().nullish(), limit: z.number() }),
])
type AboutLimit = z.infer<typeof aboutLimitSchema>

/** A request that a limit refuses: what is reached, and what to do. */
export function refuseByLimit(code: string, about: AboutLimit, retryAfterSeconds?: number | null): ApiError {
  if ('resumeAt' in about) {
    const { said } = throttleOf(about, false)
    const options = { retryAfterSeconds: retryAfterSeconds ?? undefined, isBudget: true }
    return new ApiError('rate_limited', inEnglish(said), options)
  }
  const { measure, per, limit } = about
  const sentence =
    sentences[measure]?.(limit.toLocaleString('en'), per) ?? `You’ve reached your limit of ${limit}.`
  if (code === 'limit_reached') return new ApiError('limit_reached', sentence)
  return new ApiError('rate_limited', sentence, {
    retryAfterSeconds: retryAfterSeconds ?? undefined,
    isOfWindow: typeof per === 'string',
  })
}

const sentences: Readonly<Record<string, (limit: string, per?: string | null) => string>> = {
  runs_at_once: (limit) =>
    `You’ve reached your limit for answers at the same time (${limit}). Wait for one of them, or stop one.`,
  runs: (limit, per) =>
    `You’ve reached your limit for new answers (${limit} per ${per}). Wait a little, then try again.`,
  permissions: (limit) =>
    `You’ve reached your limit for standing permissions (${limit}). Revoke some of them first.`,
  conversations: (limit) =>
    `You’ve reached your limit for conversations (${limit}). Delete some of them first.`,
}
