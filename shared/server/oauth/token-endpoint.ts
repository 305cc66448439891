import { z } from 'zod'
import { readJsonText } from '../../engine/core/json-value.ts'
import { bodyLimits, readText } from '../../engine/core/outside-body.ts'
import { saidError, ToolCallError, type ToolError } from '../../engine/core/tool-error.ts'
import { classifyError } from '../../engine/failures/classify-error.ts'
import { writeLog } from '../log/log-line.ts'
import type { OAuthServer } from './oauth-server.ts'

/** The answer of a token endpoint (RFC 6749, 5.1; the last two are Google's and OpenID Connect's). */
const tokensSchema = z.object({
  access_token: z.string().min(1),
  /** Seconds; if missing, an hour is usual. */
  expires_in: z.coerce.number().positive().default(3600),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  refresh_token_expires_in: z.coerce.number().positive().optional(),
  id_token: z.string().optional(),
})
export type Tokens = z.infer<typeof tokensSchema>

/** The provider has ended the grant or does not know the code: `invalid_grant` (RFC 6749, 5.2). */
export class GrantRefused extends Error {
  override name = 'GrantRefused'
}

/** Milliseconds for the provider's answer; shorter than the lease of a refresh. */
const timeoutMs = 10_000

/**
 * Exchanges an authorization code. Rejects with GrantRefused, or with ToolCallError: `time` while the provider is
 * unavailable, `nobody` if the operator's client is wrong.
 */
export function exchangeCode(
  server: OAuthServer,
  grant: { code: string; verifier: string; redirectUri: string },
  send: typeof fetch = fetch,
): Promise<Tokens> {
  const { code, verifier, redirectUri } = grant
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  }
  return requestTokens(server, form, send)
}

/** Gets new tokens for a refresh token; rejects like `exchangeCode`. */
export function refreshTokens(
  server: OAuthServer,
  refreshToken: string,
  send: typeof fetch = fetch,
): Promise<Tokens> {
  return requestTokens(server, { grant_type: 'refresh_token', refresh_token: refreshToken }, send)
}

/** Ends a grant at the provider (RFC 7009). False if that failed; an expired token counts as ended. */
export async function revokeToken(
  server: OAuthServer,
  token: string,
  send: typeof fetch = fetch,
): Promise<boolean> {
  try {
    const response = await post(server.revokeUrl, { token }, send)
    const answer = await readAnswer(response)
    return response.ok || answer.error === 'invalid_token'
  } catch (cause) {
    writeLog('oauth-not-revoked', { server: server.name }, cause)
    return false
  }
}

async function requestTokens(
  server: OAuthServer,
  grant: Record<string, string>,
  send: typeof fetch,
): Promise<Tokens> {
  const { clientId, clientSecret, tokenUrl } = server
  const form = { ...grant, client_id: clientId, client_secret: clientSecret }
  let response: Response
  let answer: Answer
  try {
    response = await post(tokenUrl, form, send)
    answer = await readAnswer(response)
  } catch (cause) {
    throw new ToolCallError(classifyError(cause))
  }
  const tokens = response.ok ? tokensSchema.safeParse(answer) : undefined
  if (tokens?.success) return tokens.data
  if (answer.error === 'invalid_grant') throw new GrantRefused('The provider refused the grant.')
  throw new ToolCallError(failureOf(server, response, answer))
}

interface Answer {
  error?: unknown
}

function post(url: string, form: Record<string, string>, send: typeof fetch): Promise<Response> {
  return send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
    body: new Blob([new URLSearchParams(form).toString()]),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

async function readAnswer(response: Response): Promise<Answer> {
  const answer = readJsonText(await readText(response, bodyLimits.signIn))
  return typeof answer === 'object' && answer !== null ? answer : {}
}

/** A provider that is busy or unavailable is temporary; any other refusal is about our registration there. */
function failureOf({ name }: OAuthServer, { status, headers }: Response, answer: Answer): ToolError {
  if (status === 429 || status >= 500)
    return classifyError(answer, { httpStatus: status, headers, body: answer })
  // RFC 6749, 5.2: a short code from a fixed set, which tells the operator what to correct.
  const code =
    typeof answer.error === 'string' && /^\w{1,40}$/.test(answer.error) ? answer.error : 'unreadable'
  writeLog('oauth-client-refused', { server: name, status, code })
  return saidError('not_configured', { code: 'provider_misconfigured' }, { resolver: 'nobody' })
}
