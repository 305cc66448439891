import { type RefusalCode, statuses } from '../../api/refusals.ts'

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
  /** `status`: for codes that have several. */
  constructor(code: RefusalCode, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options)
    this.status = options.status ?? statuses[code][0]
    this.code = code
  }
}
