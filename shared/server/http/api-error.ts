import { type RefusalCode, statuses } from '../../api/refusals.ts'
import { english } from '../../words/languages/english.ts'
import type { None } from '../../words/refuse.ts'
import type { Refusals } from '../../words/refused/refused.ts'
import { sayRefusal } from '../../words/say.ts'

interface ErrorOptions {
  status?: number
  cause?: unknown
  retryAfterSeconds?: number | undefined
  isBudget?: boolean
  isFinal?: boolean
  isOfWindow?: boolean
}

/** A refused request as data; `sayRefusal` puts it in words. */
export type Refusal<Code extends RefusalCode = RefusalCode> = {
  [One in Code]: { code: One; values: Refusals[One] }
}[Code]

/** The values of a code, which those without any can leave out. */
type Given<Code extends RefusalCode> = [Refusals[Code]] extends [None]
  ? [values?: None, options?: ErrorOptions]
  : [values: Refusals[Code], options?: ErrorOptions]

/**
 * A request that cannot be answered: what happened and what to do, for the caller to read in their language.
 * Throw it anywhere in a function; `errorResponse` turns it into a response.
 */
export class ApiError<Code extends RefusalCode = RefusalCode> extends Error {
  override name = 'ApiError'
  /** HTTP status. */
  readonly status: number
  /** Short, stable, snake_case: programs branch on it. */
  readonly code: RefusalCode
  /** What its sentence says besides. */
  readonly values: object
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined
  /** A budget is used up: clients that repeat by themselves must not. */
  readonly isBudget: boolean
  /** The same request fails again until somebody changes the set-up: clients must not repeat it either. */
  readonly isFinal: boolean
  /** As many as may come in this minute or hour have come: nothing that somebody ends changes it. */
  readonly isOfWindow: boolean
  /** `values`: those of the code. `status`: for codes that have several. */
  constructor(code: Code, ...[values = {}, options = {}]: Given<Code>) {
    super(sayRefusal(english, { code, values }), options)
    this.status = options.status ?? statuses[code][0]
    this.code = code
    this.values = values
    this.retryAfterSeconds = options.retryAfterSeconds
    this.isBudget = options.isBudget ?? false
    this.isFinal = options.isFinal ?? false
    this.isOfWindow = options.isOfWindow ?? false
  }
}
