import {
  type Resolver,
  type ToolError,
  type ToolErrorType,
  toolError,
} from '../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../shared/engine/failures/classify-error.ts'
import { readReply } from '../../supabase/functions/smtp-api/reply.ts'
import { meaningOfReply } from '../../supabase/functions/smtp-api/reply-meaning.ts'
import { type Measurement, readCases, Tally } from './measurement.ts'

interface Exception {
  message?: string
  cause?: Exception
  [fact: string]: unknown
}

/** An error body or exception of a provider. */
export interface ProviderFailure {
  id: string
  provider: string
  http_status: number | null
  headers?: Record<string, string>
  body?: unknown
  exception?: Exception
  expected: {
    error_types_accepted: string[]
    retryable_accepted: string[]
    retry_after_s?: number
    parameter?: string
  }
}

/** The corpus's names for our types and resolvers. */
const types: Record<string, ToolErrorType> = {
  unknown_tool: 'tool_not_found',
  malformed_json: 'malformed_arguments',
  quota: 'quota_exceeded',
}
const resolvers: Record<string, Resolver> = {
  by_model: 'model',
  by_time: 'time',
  by_user: 'user',
  never: 'nobody',
}

const typeRight = 'provider errors: type right'
const resolverRight = 'provider errors: resolver right'
const waitRight = 'provider errors: wait right, within 1.5 s'
const parameterNamed = 'provider errors: parameter named'

/**
 * Error bodies and exceptions of real providers against `classifyError`, replies of mail servers against `smtp-api`.
 */
export async function measureApiErrors(dir: string): Promise<Measurement[]> {
  const tally = new Tally()
  for (const one of await readCases<ProviderFailure>(dir, 'api-errors')) {
    const { expected } = one
    const error = errorOf(one)
    const label = `${one.id} ${one.provider}: ${error.errorType}, ${error.resolver}`
    const accepted = expected.error_types_accepted.map((type) => types[type] ?? type)
    tally.add(typeRight, accepted.includes(error.errorType), label)
    tally.add(
      resolverRight,
      expected.retryable_accepted.some((word) => resolvers[word] === error.resolver),
      label,
    )
    if (expected.retry_after_s !== undefined) {
      const off = Math.abs((error.retryAfterMs ?? Number.NaN) - expected.retry_after_s * 1000)
      tally.add(waitRight, off <= 1500, label)
    }
    if (expected.parameter !== undefined && error.resolver === 'model') {
      tally.add(parameterNamed, bare(error.details.parameter) === bare(expected.parameter), label)
    }
  }
  return [
    tally.share(typeRight, '>= 95 %'),
    tally.share(resolverRight, '>= 95 %'),
    tally.share(waitRight, '>= 95 %'),
    tally.share(parameterNamed),
  ]
}

/** What the engine, or the mail function, makes of it. */
export function errorOf({
  provider,
  http_status: httpStatus,
  headers,
  body,
  exception,
}: ProviderFailure): ToolError {
  const reply = provider.startsWith('smtp') ? (exception?.response ?? body) : undefined
  if (typeof reply === 'string') {
    const { type, resolver } = meaningOfReply(readReply(reply))
    return toolError(type, reply, { resolver })
  }
  if (exception) return classifyError(revive(exception), { httpStatus, headers })
  return classifyError(body, { httpStatus, headers, body })
}

/** The exception as it was thrown: an Error with its facts and causes. */
function revive({ message, cause, ...facts }: Exception): Error {
  return Object.assign(new Error(message), facts, cause ? { cause: revive(cause) } : {})
}

/** Normalises a path, however it is written: `a[0].b`, `a.0.b`, `a/0/b`. */
function bare(path: string | undefined): string | undefined {
  return path?.replace(/\W+/g, ' ').trim()
}
