import type { RefusalCode } from '../../api/refusals.ts'

/**
 * A request that cannot be answered: what happened and what to do, for the caller to read.
 * Throw it anywhere in a function; `errorResponse` turns it into a response.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status. */
  readonly status: number
  /** Short, stable, snake_case: programs branch on it. */
  readonly code: RefusalCode
  constructor(status: number, code: RefusalCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.status = status
    this.code = code
  }
}
