import { readJsonText } from '../../../shared/engine/core/json-value.ts'
import { timeouts } from '../../../shared/engine/core/timeouts.ts'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import { signInAgain } from '../../../shared/integrations/definition/connection-error.ts'
import type { OpenConnection } from '../../../shared/server/connections/stored-connection.ts'
import { explainFailure, GmailFailure } from './failures.ts'
import { gmailProvider } from './integration.ts'

/** Where Gmail is; set only by the operator's environment, never by a user. */
export interface GmailSettings {
  /** The URL before `/gmail/v1`. */
  baseUrl: string
  /** Milliseconds for all requests of one call. */
  deadlineMs?: number
}

export const gmailBaseUrl = 'https://gmail.googleapis.com'
/** Bytes of one answer that are read: a mail with long texts, or an attachment in base64. */
const largestAnswer = 24 * 1_048_576
/** Bytes of a JSON request body; Google's limit is 10 MiB, and 35 for uploads. */
const largestJson = 5 * 1_048_576

export interface GmailRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below `/gmail/v1/users/me`. */
  path: string
  query?: Record<string, string | number | readonly string[] | undefined>
  body?: unknown
}

/** A mail to be sent to Gmail: the `message` of a draft, or the resource itself. */
export interface RawMail {
  raw: Uint8Array
  threadId?: string | undefined
}

/** One mailbox, for one call of a tool. */
export interface Gmail {
  /** Reads or prepares: if it fails, nothing has happened that anybody else sees. Rejects with ToolCallError. */
  ask<T>(request: GmailRequest): Promise<T>
  /** Has an effect: rejects with the original failure, so that the engine can judge whether it may have happened. */
  act<T>(request: GmailRequest): Promise<T>
  /** Sends a mail or makes a draft of it, like `send`. */
  post<T>(path: '/messages/send' | '/drafts', mail: RawMail): Promise<T>
}

/** `signal` aborts requests without an effect when nobody is waiting any more. */
export function openGmail(
  connection: Pick<OpenConnection, 'accessToken'>,
  { baseUrl, deadlineMs = timeouts.providerMs }: GmailSettings,
  signal: AbortSignal,
): Gmail {
  const deadline = AbortSignal.timeout(deadlineMs)
  const send = (token: string, url: URL, method: string, body: Blob | undefined, ends: AbortSignal) =>
    fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
      ...(body ? { body } : {}),
      signal: ends,
      redirect: 'error',
    })

  async function request<T>(url: URL, method: string, body: Blob | undefined, ends: AbortSignal): Promise<T> {
    const token = await connection.accessToken()
    let response = await send(token, url, method, body, ends)
    if (response.status === 401) {
      // Revoked, or expired by Google's clock: refused before anything was done, so a new token may be tried once.
      await response.body?.cancel()
      const other = await connection.accessToken({ instead: token })
      if (other === token) throw new ToolCallError(signInAgain(gmailProvider))
      response = await send(other, url, method, body, ends)
      if (response.status === 401) throw new ToolCallError(signInAgain(gmailProvider))
    }
    const text = await readText(response)
    const answer = readJsonText(text)
    if (!response.ok)
      throw explainFailure(new GmailFailure(response.status, response.headers, answer ?? text))
    // A gateway has answered for Gmail, or the answer is incomplete: treated like no answer.
    if (answer === undefined && text !== '') throw new GmailFailure(502, new Headers(), '')
    return answer as T
  }

  const act = <T>({ method = 'GET', path, query = {}, body }: GmailRequest, ends: AbortSignal) =>
    request<T>(urlOf(`${baseUrl}/gmail/v1/users/me${path}`, query), method, jsonBlob(body), ends)

  return {
    ask: (asked) => act<never>(asked, AbortSignal.any([deadline, signal])).catch(harmless),
    act: (asked) => act(asked, deadline),
    post(path, { raw, threadId }) {
      const isDraft = path === '/drafts'
      const thread = threadId === undefined ? {} : { threadId }
      const wrap = (message: object) => (isDraft ? { message } : message)
      if (raw.length * (4 / 3) < largestJson) {
        return act({ method: 'POST', path, body: wrap({ raw: base64Url(raw), ...thread }) }, deadline)
      }
      const url = urlOf(`${baseUrl}/upload/gmail/v1/users/me${path}`, { uploadType: 'multipart' })
      return request(url, 'POST', uploadOf(wrap(thread), raw), deadline)
    },
  }
}

/** For a request without an effect: says what went wrong, never that it may have happened. */
export function harmless(cause: unknown): never {
  if (cause instanceof ToolCallError) throw cause
  throw new ToolCallError(classifyError(cause, { toolName: 'gmail', effect: 'read' }))
}

function urlOf(address: string, query: NonNullable<GmailRequest['query']>): URL {
  const url = new URL(address)
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) {
      if (value !== undefined) url.searchParams.append(name, String(value))
    }
  }
  return url
}

function jsonBlob(body: unknown): Blob | undefined {
  return body === undefined ? undefined : new Blob([JSON.stringify(body)], { type: 'application/json' })
}

/** `uploadType=multipart`: the resource, then the mail. */
function uploadOf(resource: object, raw: Uint8Array): Blob {
  const boundary = `askback_${crypto.randomUUID()}`
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(resource)}\r\n--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`
  return new Blob([head, new Uint8Array(raw), `\r\n--${boundary}--\r\n`], {
    type: `multipart/related; boundary=${boundary}`,
  })
}

function base64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  const step = 0x8000
  for (let at = 0; at < bytes.length; at += step) {
    binary += String.fromCharCode(...bytes.subarray(at, at + step))
  }
  return btoa(binary)
}

/** The decompressed body, up to a limit: a small answer can decompress to a very large one. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > largestAnswer) {
      const asked =
        'An email is too large to be read here. Please ask for fewer emails, or without their text.'
      throw new ToolCallError(
        toolError('execution_error', asked, { details: { asked: { code: 'emails_too_large', asked } } }),
      )
    }
    chunks.push(chunk)
  }
  return await new Blob(chunks as BlobPart[]).text()
}
