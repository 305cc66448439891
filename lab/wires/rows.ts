import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

/** A recorded answer of a model server, or what a model wrote as text, with what it means. */
export interface WireRow {
  id: string
  provider: string
  model: string
  family?: string
  /** `raw-text`: what the model wrote, as a server without a parser passes it on. */
  form: 'plain' | 'sse' | 'raw-text'
  request_tools: { name: string; description?: string; parameters: Record<string, unknown> }[]
  status: number
  headers: Record<string, string>
  body?: string
  text?: string
  expected: {
    kind: 'calls' | 'text' | 'broken' | 'refusal' | 'empty' | 'error'
    text: string
    toolCalls: { name: string; arguments: Record<string, unknown> | null }[]
    reasoning?: string
    error?: 'retry' | 'operator' | 'user' | 'request'
  }
  /** Played, but not counted. */
  ambiguous?: unknown
}

/** The rows of a file of JSON lines, which may be compressed (`.gz`). */
export async function readRows(path: string): Promise<WireRow[]> {
  const bytes = await readFile(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WireRow)
}
