import { timeouts } from '../../engine/core/timeouts.ts'

export interface JsonRequest {
  /** Of the action: nobody waits any more when it aborts. */
  signal: AbortSignal
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
}

/**
 * Asks an HTTP API and resolves to the JSON of its answer, within 25 s. Rejects with what the engine classifies: an
 * answer that is no success with its status, headers and body, one that is no JSON as a gateway's page, everything else
 * as it came.
 */
export async function askJson(url: string | URL, request: JsonRequest): Promise<unknown> {
  const { json, signal, headers, method = json === undefined ? 'GET' : 'POST' } = request
  const response = await fetch(url, {
    method,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.providerMs)]),
    headers: { accept: 'application/json', ...(json === undefined ? {} : jsonType), ...headers },
    // As a Blob it is sent once; with a text, Deno 2.9 repeats the request when the connection breaks.
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
