import { timeouts } from '../../engine/core/timeouts.ts'

export interface JsonRequest {
  /** The action's signal: aborts when nobody is waiting any more. */
  signal: AbortSignal
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
}

/**
 * Calls an HTTP API and resolves to the JSON of its answer, within 25 s. Rejects with an error that the engine
 * classifies: with status, headers and body for an error status, as a gateway's page for an answer that is not JSON,
 * and any other error unchanged.
 */
export async function askJson(url: string | URL, request: JsonRequest): Promise<unknown> {
  const { json, signal, headers, method = json === undefined ? 'GET' : 'POST' } = request
  const response = await fetch(url, {
    method,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.providerMs)]),
    headers: { accept: 'application/json', ...(json === undefined ? {} : jsonType), ...headers },
    // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
    ...(json === undefined ? {} : { body: new Blob([JSON.stringify(json)]) }),
  })
  const text = await response.text()
  if (!response.ok) throw failure(text, response)
  try {
    return JSON.parse(text)
  } catch {
    throw failure('', { status: 502 })
  }
}

const jsonType = { 'content-type': 'application/json' }

function failure(text: string, { status, headers }: { status: number; headers?: Headers }): Error {
  return Object.assign(new Error(text), { status, ...(headers ? { headers } : {}) })
}
