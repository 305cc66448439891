import { isObject, readJsonOrText } from '../../../../shared/engine/core/json-value.ts'
import { bodyLimits, readText } from '../../../../shared/engine/core/outside-body.ts'
import { saidError, ToolCallError, type ToolError } from '../../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../../shared/engine/failures/classify-error.ts'
import { rejectedCredentials } from '../../../../shared/integrations/definition/connection-error.ts'
import type { IntegrationProvider } from '../../../../shared/integrations/definition/integration.ts'
import { readFoundPage } from './found-page.ts'
import type { FoundPage, Search, SearchKind, SearchProvider } from './search-provider.ts'

/** Milliseconds for one provider: short enough that the next one can be tried within the same call. */
const timeoutMs = 8_000

export interface Asking {
  provider: SearchProvider
  about: IntegrationProvider
  /** The URL before the documented path. */
  baseURL: string
  key: string
  signal: AbortSignal
}

/** Calls one provider. Throws a ToolCallError that explains its failure. */
export async function askProvider(kind: SearchKind, search: Search, asking: Asking): Promise<FoundPage[]> {
  const { provider, signal } = asking
  const { url, init } = writeRequest(kind, search, asking)
  const answer = await send(url, {
    ...init,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // If a provider redirected, the key would be sent along.
    redirect: 'error',
  }).catch((cause) => {
    throw new ToolCallError(unreachable(cause, asking))
  })
  const results = answer.status < 400 && isObject(answer.body) ? provider.read(kind, answer.body) : undefined
  if (!results) throw new ToolCallError(explain(answer, asking))
  return results
    .map((result) => readFoundPage(result, provider))
    .filter((page) => page !== undefined)
    .slice(0, search.num_results)
}

function writeRequest(
  kind: SearchKind,
  search: Search,
  { provider, baseURL, key }: Asking,
): { url: string; init: RequestInit } {
  const { endpoints, names, key: place } = provider
  const { method, path, fixed } = endpoints[kind]
  const parameters: Record<string, unknown> = {
    ...fixed,
    [names.query]: search.query,
    [names.count]: search.num_results,
    ...provider.narrow(search, kind),
    ...('parameter' in place ? { [place.parameter]: key } : {}),
  }
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...('header' in place ? { [place.header]: `${place.before}${key}` } : {}),
  }
  const url = `${baseURL}${path}`
  if (method === 'GET') {
    const words = Object.entries(parameters).map(([name, value]) => [name, String(value)])
    return { url: `${url}?${new URLSearchParams(words)}`, init: { headers } }
  }
  // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
  const body = new Blob([JSON.stringify(parameters)])
  return { url, init: { method, headers: { ...headers, 'content-type': 'application/json' }, body } }
}

interface ProviderAnswer {
  status: number
  headers: Headers
  body: unknown
}

async function send(url: string, init: RequestInit): Promise<ProviderAnswer> {
  const response = await fetch(url, init)
  const text = await readText(response, bodyLimits.search)
  return { status: response.status, headers: response.headers, body: readJsonOrText(text) }
}

/** Explains a failed answer: by its status, corrected if the provider uses one unusually, and by its words. */
function explain({ status, headers, body }: ProviderAnswer, { provider, about }: Asking): ToolError {
  const words = typeof body === 'string' ? body : JSON.stringify(body)
  const meant = provider.failures.find(([pattern]) => pattern.test(words))?.[1] ?? status
  const error = classifyError(body, { toolName: about.id, httpStatus: meant, headers, body })
  if (meant === 401 || error.errorType === 'authentication_error') return refusedKey(about)
  // A success with neither results nor an error did not come from this provider.
  if (status < 400 && error.errorType === 'execution_error') return brokenAnswer(about)
  return error
}

function refusedKey(about: IntegrationProvider): ToolError {
  return rejectedCredentials(about, { code: 'key_refused' })
}

function brokenAnswer({ name }: IntegrationProvider): ToolError {
  return saidError('unavailable', { code: 'provider_unreadable', values: { provider: name } })
}

/** The error's words may contain the URL, and so the key: only its type is used. */
function unreachable(cause: unknown, { about, signal }: Asking): ToolError {
  signal.throwIfAborted()
  const isSlow = cause instanceof Error && cause.name === 'TimeoutError'
  return classifyError(undefined, { toolName: about.id, httpStatus: isSlow ? 504 : 503 })
}
