import { readAddressHeader, readSender } from '../../../shared/integrations/email/address-header.ts'
import { decodeHeader } from '../../../shared/integrations/email/decode-text.ts'
import { textOfHtml } from '../../../shared/integrations/email/html-text.ts'
import { withoutFillers } from '../../../shared/integrations/email/visible-text.ts'
import { MailReader, noteOn, typeOf } from './mail-text.ts'
import { headerOf, headersOf, type Message, type Part, partsOf } from './resources.ts'

/** A mail as the agent reads it. */
export interface MailView {
  id: string
  thread_id: string
  from: string
  to: string
  cc?: string
  /** Where answers are to go, if the mail says so; may differ from the sender. */
  reply_to?: string
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
  /** What it is, if only other programs can read it. */
  note?: string
  /** What it says, if it is a mail. */
  email?: AttachedEmail
}

/** A mail that was forwarded as a file. */
export interface AttachedEmail {
  from: string
  to: string
  subject: string
  /** As its sender has written it. */
  date: string
  body: string
  attachments: AttachedFile[]
}

/** Characters of one body; longer ones are cut, with a note. */
const longestBody = 200_000
/** Mails inside mails that are read. */
const deepestMail = 3

/** `labelNames`: names of the user's own labels by id. */
export function showMails(
  messages: readonly Message[],
  labelNames: ReadonlyMap<string, string>,
  withBody: boolean,
): MailView[] {
  const reader = withBody ? new MailReader() : undefined
  return messages.map((message) => showMail(message, labelNames, reader))
}

function showMail(
  message: Message,
  labelNames: ReadonlyMap<string, string>,
  reader: MailReader | undefined,
): MailView {
  const { payload, labelIds = [] } = message
  const cc = readAddressHeader(decodeHeader(headerOf(payload, 'cc')))
  const replyTo = senderIn(payload, 'reply-to')
  return {
    id: message.id,
    thread_id: message.threadId,
    from: senderIn(payload, 'from'),
    to: readAddressHeader(decodeHeader(headerOf(payload, 'to'))),
    cc: cc || undefined,
    reply_to: replyTo || undefined,
    subject: subjectOf(payload),
    date: dateOf(message.internalDate),
    snippet: withoutFillers(textOfHtml(message.snippet ?? '')),
    labels: labelIds.map((id) => labelNames.get(id) ?? id),
    unread: labelIds.includes('UNREAD'),
    ...(reader ? { body: bodyOf(payload, reader), attachments: filesOf(payload, reader, 0) } : {}),
  }
}

/** All headers of this name together: a mail must not pass for one of a single sender. */
function senderIn(payload: Part | undefined, name: 'from' | 'reply-to'): string {
  return readSender(headersOf(payload, name).map(decodeHeader).join(', '))
}

function subjectOf(payload: Part | undefined): string {
  return withoutFillers(decodeHeader(headerOf(payload, 'subject')))
}

function dateOf(milliseconds: string | undefined): string {
  const date = new Date(Number(milliseconds))
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

function bodyOf(payload: Part | undefined, reader: MailReader): string {
  const body = reader.read(payload)
  return body.length > longestBody
    ? `${body.slice(0, longestBody)}\n[The rest of this email is left out.]`
    : body
}

/** The attachments: every part with a name, or with content that is fetched separately. */
function filesOf(payload: Part | undefined, reader: MailReader, depth: number): AttachedFile[] {
  return attachedParts(payload).map((part) => {
    const note = noteOn(part)
    const email = typeOf(part) === 'message/rfc822' ? part.parts?.[0] : undefined
    return {
      id: fileIdOf(part),
      filename: decodeHeader(part.filename || nameless(part)),
      content_type: part.mimeType ?? 'application/octet-stream',
      size: part.body?.size ?? 0,
      note,
      email: email && depth < deepestMail ? readAttached(email, reader, depth + 1) : undefined,
    }
  })
}

function readAttached(payload: Part, reader: MailReader, depth: number): AttachedEmail {
  return {
    from: senderIn(payload, 'from'),
    to: readAddressHeader(decodeHeader(headerOf(payload, 'to'))),
    subject: subjectOf(payload),
    date: decodeHeader(headerOf(payload, 'date')),
    body: bodyOf(payload, reader),
    attachments: filesOf(payload, reader, depth),
  }
}

/** `withForwarded`: also those of mails that are attached themselves. */
export function attachedParts(payload: Part | undefined, withForwarded = false): Part[] {
  return partsOf(payload, withForwarded).filter(
    (part) => part.filename || part.body?.attachmentId || part.mimeType === 'message/rfc822',
  )
}

/** Gmail's own ids have hundreds of characters and change with each answer: the part number stays. */
export function fileIdOf({ partId, body }: Part): string {
  return partId || body?.attachmentId || '0'
}

function nameless({ mimeType }: Part): string {
  return mimeType === 'message/rfc822' ? 'forwarded email' : 'file without a name'
}
