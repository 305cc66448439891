import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** What the user thinks of an answer. */
export interface Feedback {
  messageId: string
  /** null takes it back. */
  rating: 'good' | 'bad' | null
  reason?: string
}

/** Characters of a reason. */
const longestReason = 2000

/** Reads `PUT conversations/:id/feedback`: `{ messageId, rating, reason? }`. Throws ApiError 400. */
export function readFeedback(body: unknown): Feedback {
  const { messageId, rating, reason } = isObject(body) ? body : {}
  if (typeof messageId !== 'string' || messageId === '') throw bad('"messageId" is the id of an answer.')
  if (rating !== 'good' && rating !== 'bad' && rating !== null)
    throw bad('"rating" is "good" or "bad", or null to take it back.')
  if (reason === undefined || reason === null) return { messageId, rating }
  if (typeof reason !== 'string' || reason.length > longestReason)
    throw bad(`"reason" is a text of at most ${longestReason} characters.`)
  return { messageId, rating, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
