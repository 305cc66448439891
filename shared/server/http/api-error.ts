import { type RefusalCode, statuses } from '../../api/refusals.ts'

interface ErrorOptions {
  status?: number
  cause?: unknown
  retryAfterSeconds?: number | undefined
  isBudget?: boolean
  isFinal?: boolean
  isOfWindow?: boolean
}

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
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined
  /** A budget is used up: clients that repeat by themselves must not. */
  readonly isBudget: boolean
  /** The same request fails again until somebody changes the set-up: clients must not repeat it either. */
  readonly isFinal: boolean
  /** As many as may come in this minute or hour have come: nothing that somebody ends changes it. */
  readonly isOfWindow: boolean
  /** `status`: for codes that have several. */
  constructor(code: RefusalCode, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.status = options.status ?? statuses[code][0]
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.isBudget = options.isBudget ?? false
    this.isFinal = options.isFinal ?? false
    this.isOfWindow = options.isOfWindow ?? false
  }
}
