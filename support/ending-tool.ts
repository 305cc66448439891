import { ToolCallError, type ToolErrorType, toolError } from '../shared/engine/core/tool-error.ts'

/** How an execution ends, chosen by the call itself: nothing depends on order. */
export const endings = [
  'succeeds',
  'conflict',
  'unavailable',
  'rate_limit_exceeded',
  'authentication_error',
  'permission_denied',
  'outcome_unknown',
  'breaks',
] as const

/** The parameters of a tool whose call says how it ends. */
export const endingParameters = {
  type: 'object',
  properties: {
    to: { type: 'string', format: 'email' },
    text: { type: 'string' },
    count: { type: 'integer' },
    ending: { type: 'string', enum: [...endings] },
  },
  required: ['to', 'ending'],
  additionalProperties: false,
}

/** Ends as the call says: with `result`, or an error. */
export function endAs<Result>(ending: unknown, result: Result): Result {
  if (ending === 'succeeds') return result
  if (ending === 'breaks') throw new Error('broken')
  const retryAfterMs = ending === 'rate_limit_exceeded' ? 60_000 : undefined
  throw new ToolCallError(
    toolError(ending as ToolErrorType, 'Question: It failed. What now?', { retryAfterMs }),
  )
}
