import type { Resolver, ToolErrorType } from '../../core/tool-error.ts'

/** What an error is; with a resolver only if it is not the type's own. */
export interface Verdict {
  type: ToolErrorType
  resolver?: Resolver
  /** The parameter at fault, if the provider's code names it. */
  parameter?: string
}

/**
 * The meaning of a provider's code or wording: a verdict, or the HTTP status it stands for, whose own rules then apply.
 * `as: 400` and `as: 500` say little and never override a status that says more.
 */
export type Meaning = Verdict | { as: number }

/** `rateLimitExceeded`, `RATE_LIMIT_EXCEEDED` and `rate-limit-exceeded` are the same code; so is `not_found_error`. */
export function normaliseCode(code: string): string {
  const bare = code.toLowerCase().replace(/[^a-z0-9#]/g, '')
  return bare.replace(/(?:error|exception)$/, '') || bare
}
