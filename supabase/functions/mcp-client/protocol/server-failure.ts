import type { Said } from '../../../../shared/engine/core/asked.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { BodyLimitReached } from '../../../../shared/engine/core/outside-body.ts'
import { networkCode } from '../../../../shared/engine/failures/facts/network-code.ts'
import { neverConnected } from '../../../../shared/engine/failures/tables/codes.ts'
import { type Refusal, RefusedPage } from '../../../../shared/integrations/network/refused-page.ts'
import { inEnglish } from '../../../../shared/words/languages/in-english.ts'
import { hostOf } from './named-server.ts'
import { SdkError, SdkErrorCode } from './sdk.ts'

/** What is wrong with a server: the `why` of the sentence `server_unusable`. */
export type ServerFault =
  | Exclude<Refusal, 'robots'>
  | 'unreachable'
  | 'status'
  | 'no_mcp'
  | 'asks_more'
  | 'link'
  | 'header'
  | 'endless'

/** Why a server was not used, or not to the end. Says nothing that the server wrote, and no secret. */
export class ServerFailure extends Error {
  override name = 'ServerFailure'
  readonly why: ServerFault
  readonly said: Said
  /** No request that does something can have arrived. */
  readonly isHarmless: boolean
  /** When it may work, as the server says. */
  readonly retryAfterMs: number | undefined

  constructor(
    url: string,
    why: ServerFault,
    { isHarmless = false, retryAfterMs, cause, ...values }: FailureFacts = {},
  ) {
    const said: Said = { code: 'server_unusable', values: { server: hostOf(url), why, ...values } }
    super(inEnglish(said), { cause })
    this.why = why
    this.said = said
    this.isHarmless = isHarmless
    this.retryAfterMs = retryAfterMs
  }
}

interface FailureFacts {
  isHarmless?: boolean
  retryAfterMs?: number | undefined
  cause?: unknown
  /** An HTTP status. */
  status?: number
  /** Where it sends requests on to. */
  to?: string
  seconds?: number
  /** A header that cannot be sent. */
  header?: string
  kibibytes?: number
}

/** What a server says about whom it lets in (RFC 9728, RFC 6750). */
export interface Challenge {
  /** Where it describes itself. */
  metadataUrl?: string
  scope?: string
}

/** The server lets nobody in without signing in, or not with this token. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded'
  readonly challenge: Challenge
  readonly said: Said
  /** The token is right, but was not granted enough. */
  readonly needsMore: boolean

  constructor(url: string, challenge: Challenge, needsMore: boolean) {
    const said: Said = { code: 'server_sign_in', values: { server: hostOf(url) } }
    super(inEnglish(said))
    this.said = said
    this.challenge = challenge
    this.needsMore = needsMore
  }
}

/** Our words for whatever a request to a server has thrown. Passes on what has words already. */
export function serverFailure(url: string, cause: unknown): ServerFailure | SignInNeeded {
  const causes = causesOf(cause)
  const known = causes.find((one) => one instanceof ServerFailure || one instanceof SignInNeeded)
  if (known) return known
  const refused = causes.find((one) => one instanceof RefusedPage)
  if (refused) return ofRefusal(url, refused)
  const limit = causes.find((one) => one instanceof BodyLimitReached)
  if (limit) return ofLimit(url, limit)
  if (causes.some((one) => isOf(one, SdkErrorCode.ListPaginationExceeded)))
    return new ServerFailure(url, 'endless', { cause })
  const code = causes
    .filter((one) => !(one instanceof SdkError))
    .map(networkCode)
    .find((one) => one !== undefined)
  if (code !== undefined) {
    return new ServerFailure(url, 'unreachable', { isHarmless: neverConnected.test(code), cause })
  }
  if (causes.some(isOver)) return new ServerFailure(url, 'slow', { cause })
  return new ServerFailure(url, 'no_mcp', { cause })
}

/** A redirect comes from a server that did nothing; an answer that cannot be unpacked may come from one that did. */
function ofRefusal(url: string, refused: RefusedPage): ServerFailure {
  const { refusal, place } = refused
  const why = isFault(refusal) ? refusal : 'no_mcp'
  const to = refusal === 'elsewhere' ? { to: place } : {}
  return new ServerFailure(url, why, { isHarmless: refusal !== 'kind', cause: refused, ...to })
}

function ofLimit(url: string, reached: BodyLimitReached): ServerFailure {
  const { code, limit } = reached
  return code === 'ERR_ANSWER_TOO_LARGE'
    ? new ServerFailure(url, 'size', { cause: reached, kibibytes: limit.bytes / 1024 })
    : new ServerFailure(url, 'slow', { cause: reached, seconds: limit.ms / 1000 })
}

const faults: readonly string[] = Object.keys({
  not_a_url: true,
  scheme: true,
  userinfo: true,
  port: true,
  private: true,
  redirects: true,
  elsewhere: true,
  kind: true,
} satisfies Partial<Record<ServerFault & RefusedPage['refusal'], true>>)

function isFault(refusal: string): refusal is ServerFault {
  return faults.includes(refusal)
}

/** The time that somebody gave it is over. */
function isOver(error: Error): boolean {
  return (
    isOf(error, SdkErrorCode.RequestTimeout) || error.name === 'TimeoutError' || error.name === 'AbortError'
  )
}

function isOf(error: Error, code: SdkErrorCode): boolean {
  return error instanceof SdkError && error.code === code
}

const mostCauses = 10

/** The SDK keeps the cause of a failed beginning among its facts. */
function causesOf(cause: unknown): Error[] {
  const causes: Error[] = []
  let next = cause
  while (next instanceof Error && causes.length < mostCauses) {
    causes.push(next)
    const { data } = next as { data?: unknown }
    next = next.cause ?? (isObject(data) ? data.cause : undefined)
  }
  return causes
}
