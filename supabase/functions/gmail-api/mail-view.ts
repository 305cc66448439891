import { readAddressHeader, readSender } from '../../../shared/integrations/email/address-header.ts'
import { decodeHeader, decodeText } from '../../../shared/integrations/email/decode-text.ts'
import { textOfHtml } from '../../../shared/integrations/email/html-text.ts'
import { bytesOf, headerOf, headersOf, type Message, type Part, partsOf } from './resources.ts'

/** A mail as the agent reads it. */
export interface MailView {
  id: string
  thread_id: string
  from: string
  to: string
  cc?: string
  subject: string
  /** ISO 8601: when Gmail received it. */
  date: string
  snippet: string
  labels: string[]
  unread: boolean
  body?: string
  attachments?: AttachedFile[]
}

export interface AttachedFile {
  /** Identifies the file within its mail. */
  id: string
  filename: string
  content_type: string
  /** Bytes. */
  size: number
}

/** Characters of one body; longer ones are cut, with a note. */
const longestBody = 200_000

/** Characters of HTML that are parsed per call, which limits the cost of all its mails together. */
const mostHtml = 400_000

/** `labelNames`: names of the user's own labels by id. */
export function showMails(
  messages: readonly Message[],
  labelNames: ReadonlyMap<string, string>,
  withBody: boolean,
): MailView[] {
  let html = mostHtml
  const readHtml = (text: string) => {
    html -= text.length
    return html < 0 ? '[This email is too long to be read together with the others.]' : textOfHtml(text)
  }
  return messages.map((message) => showMail(message, labelNames, withBody ? readHtml : undefined))
}

function showMail(
  message: Message,
  labelNames: ReadonlyMap<string, string>,
  readHtml: ((html: string) => string) | undefined,
): MailView {
  const { payload, labelIds = [] } = message
  const cc = readAddressHeader(decodeHeader(headerOf(payload, 'cc')))
  return {
    id: message.id,
    thread_id: message.threadId,
    from: readSender(headersOf(payload, 'from').map(decodeHeader).join(', ')),
    to: readAddressHeader(decodeHeader(headerOf(payload, 'to'))),
    ...(cc ? { cc } : {}),
    subject: decodeHeader(headerOf(payload, 'subject')),
    date: dateOf(message.internalDate),
    snippet: textOfHtml(message.snippet ?? ''),
    labels: labelIds.map((id) => labelNames.get(id) ?? id),
    unread: labelIds.includes('UNREAD'),
    ...(readHtml ? { body: bodyOf(payload, readHtml), attachments: filesOf(payload) } : {}),
  }
}

function dateOf(milliseconds: string | undefined): string {
  const date = new Date(Number(milliseconds))
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** The plain text parts, joined; for a mail without any, its HTML as text. */
function bodyOf(payload: Part | undefined, readHtml: (html: string) => string): string {
  const texts = partsOf(payload).filter((part) => isShown(part))
  const plain = texts.filter(({ mimeType }) => mimeType === 'text/plain').map(textOf)
  const said = plain.filter((text) => text.trim() !== '')
  const chosen =
    said.length > 0
      ? said
      : texts.filter(({ mimeType }) => mimeType === 'text/html').map((part) => readHtml(textOf(part)))
  const body = chosen.join('\n\n').replaceAll('\r\n', '\n').trim()
  return body.length > longestBody
    ? `${body.slice(0, longestBody)}\n[The rest of this email is left out.]`
    : body
}

function isShown({ filename, body }: Part): boolean {
  return !filename && body?.data !== undefined
}

function textOf(part: Part): string {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headerOf(part, 'content-type'))?.[1]
  return decodeText(bytesOf(part.body?.data), charset)
}

/** The attachments: every part with a name, or with content that is fetched separately. */
function filesOf(payload: Part | undefined): AttachedFile[] {
  return attachedParts(payload).map((part) => ({
    id: fileIdOf(part),
    filename: decodeHeader(part.filename || nameless(part)),
    content_type: part.mimeType ?? 'application/octet-stream',
    size: part.body?.size ?? 0,
  }))
}

export function attachedParts(payload: Part | undefined): Part[] {
  return partsOf(payload).filter(({ filename, body }) => filename || body?.attachmentId)
}

/** Gmail's own ids have hundreds of characters and change with each answer: the part number stays. */
export function fileIdOf({ partId, body }: Part): string {
  return partId || body?.attachmentId || '0'
}

function nameless({ mimeType }: Part): string {
  return mimeType === 'message/rfc822' ? 'forwarded email' : 'file without a name'
}
