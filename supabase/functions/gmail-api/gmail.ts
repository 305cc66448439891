import {
  createGoogleClient,
  type GoogleAccess,
  type GoogleClient,
} from '../../../shared/integrations/google/google-client.ts'
import { gmailService } from './gmail-service.ts'

/** Where Gmail is; set only by the operator's environment, never by a user. */
export interface GmailSettings {
  /** The URL before `/gmail/v1`. */
  baseUrl: string
  /** Milliseconds for all requests of one call. */
  deadlineMs?: number
}

export const gmailBaseUrl = 'https://gmail.googleapis.com'
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

/** One mailbox, for one call of a tool; requests end as those of `GoogleClient` do. */
export interface Gmail {
  ask<T>(request: GmailRequest): Promise<T>
  act<T>(request: GmailRequest): Promise<T>
  /** Sends a mail or makes a draft of it, like `act`. */
  post<T>(path: '/messages/send' | '/drafts', mail: RawMail): Promise<T>
}

/** `signal` as of `createGoogleClient`. */
export function openGmail(
  access: GoogleAccess,
  { baseUrl, deadlineMs }: GmailSettings,
  signal: AbortSignal,
): Gmail {
  const google: GoogleClient = createGoogleClient(gmailService, access, signal, deadlineMs)
  const requestOf = ({ method = 'GET', path, query = {}, body }: GmailRequest) => ({
    method,
    url: urlOf(`${baseUrl}/gmail/v1/users/me${path}`, query),
    body: jsonBlob(body),
  })
  const act = async <T>(asked: GmailRequest) => (await google.act(requestOf(asked))) as T
  return {
    ask: async <T>(asked: GmailRequest) => (await google.ask(requestOf(asked))) as T,
    act,
    async post<T>(path: string, { raw, threadId }: RawMail) {
      const isDraft = path === '/drafts'
      const thread = threadId === undefined ? {} : { threadId }
      const wrap = (message: object) => (isDraft ? { message } : message)
      if (raw.length * (4 / 3) < largestJson) {
        return await act<T>({ method: 'POST', path, body: wrap({ raw: base64Url(raw), ...thread }) })
      }
      const url = urlOf(`${baseUrl}/upload/gmail/v1/users/me${path}`, { uploadType: 'multipart' })
      return (await google.act({ method: 'POST', url, body: uploadOf(wrap(thread), raw) })) as T
    },
  }
}

function urlOf(address: string, query: NonNullable<GmailRequest['query']>): string {
  const url = new URL(address)
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) {
      if (value !== undefined) url.searchParams.append(name, String(value))
    }
  }
  return url.href
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
