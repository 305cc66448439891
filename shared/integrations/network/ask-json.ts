import { parseExactJson } from '../../engine/core/exact-json.ts'
import { bodyLimits, readText } from '../../engine/core/outside-body.ts'
import { timeouts } from '../../engine/core/timeouts.ts'
import { saidError, ToolCallError, type ToolError } from '../../engine/core/tool-error.ts'

export interface JsonRequest {
  /** The action's signal: aborts when nobody is waiting any more. */
  signal: AbortSignal
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
}

/**
 * Calls an HTTP API and resolves to the JSON of its answer, within 25 s; a number that a double would change is the text of its
 * digits. Rejects with an error that the engine
 * classifies: with status, headers and body for an error status, as a gateway's page for an answer that is not JSON,
 * as something that its operator has to set up for a URL without a base, and any other error unchanged.
 */
export async function askJson(url: string | URL, request: JsonRequest): Promise<unknown> {
  if (!URL.canParse(url)) throw new ToolCallError(noBaseUrl(String(url)))
  const { json, signal, headers, method = json === undefined ? 'GET' : 'POST' } = request
  const response = await fetch(url, {
    method,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.providerMs)]),
    headers: { accept: 'application/json', ...(json === undefined ? {} : jsonType), ...headers },
    // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
    body: json === undefined ? undefined : new Blob([JSON.stringify(json)]),
  })
  const text = await readText(response, bodyLimits.api)
  if (!response.ok) throw failure(text, response)
  try {
    return parseExactJson(text)
  } catch {
    throw failure('', { status: 502 })
  }
}

/** The path and the query are left out: they hold values of the call. */
function noBaseUrl(url: string): ToolError {
  const base = url.split(/[/?]/, 1)[0]
  return saidError('not_configured', { code: 'base_url_missing', values: { base } }, { resolver: 'nobody' })
}

const jsonType = { 'content-type': 'application/json' }

function failure(text: string, { status, headers }: { status: number; headers?: Headers }): Error {
  return Object.assign(new Error(text), { status, headers })
}
