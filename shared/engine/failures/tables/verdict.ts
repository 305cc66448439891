import type { Resolver, ToolErrorType } from '../../core/tool-error.ts'

/** What an error is; the resolver only where it is not the type's own. */
export interface Verdict {
  type: ToolErrorType
  resolver?: Resolver
  /** The parameter at fault, where the provider's code says it. */
  parameter?: string
}

/**
 * What a provider's code or wording means: a verdict, or the HTTP status it amounts to, whose own rules then apply.
 * `as: 400` and `as: 500` say little and never override a status that says more.
 */
export type Meaning = Verdict | { as: number }

/** `rateLimitExceeded`, `RATE_LIMIT_EXCEEDED` and `rate-limit-exceeded` are one code; so is `not_found_error`. */
export function normaliseCode(code: string): string {
  const bare = code.toLowerCase().replace(/[^a-z0-9#]/g, '')
  return bare.replace(/(?:error|exception)$/, '') || bare
}
