import { randomUUID } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import PostalMime, { type Address } from 'postal-mime'
import type { InboxMessage } from './inbox-message.ts'

/** Sender and recipients as given in SMTP; the headers of the mail may say something else. */
export interface Envelope {
  from: string
  to: string[]
}

export async function readMessage(source: Buffer, envelope: Envelope): Promise<InboxMessage> {
  const mail = await PostalMime.parse(source, { attachmentEncoding: 'base64' })
  const date = new Date(mail.date ?? Number.NaN)
  const to = listAddresses(mail.to)
  const cc = listAddresses(mail.cc)
  const named = new Set([...to, ...cc].map((address) => address.toLowerCase()))
  return {
    id: randomUUID(),
    messageId: mail.messageId ?? null,
    from: listAddresses(mail.from && [mail.from])[0] ?? envelope.from,
    to,
    cc,
    bcc: envelope.to.filter((address) => !named.has(address.toLowerCase())),
    replyTo: listAddresses(mail.replyTo),
    subject: mail.subject ?? '',
    text: withoutLastLineEnd(mail.text ?? ''),
    html: withoutLastLineEnd(mail.html ?? '') || null,
    date: (Number.isNaN(date.getTime()) ? new Date() : date).toISOString(),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => {
      const base64 = String(content)
      return { filename, contentType: mimeType, size: Buffer.byteLength(base64, 'base64'), content: base64 }
    }),
    headers: mail.headerLines.map(({ line }) => line),
  }
}

/** A mail that the stack writes itself: a password reset, a magic link. */
export function composeMessage(mail: {
  to: string
  subject: string
  text?: string
  html?: string
}): InboxMessage {
  return {
    id: randomUUID(),
    messageId: null,
    from: 'sign-in@askback.test',
    to: [mail.to],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: mail.subject,
    text: mail.text ?? '',
    html: mail.html ?? null,
    date: new Date().toISOString(),
    attachments: [],
    headers: [],
  }
}

function listAddresses(header: readonly Address[] = []): string[] {
  return header
    .flatMap((entry) => entry.group ?? [entry])
    .flatMap(({ address }) => (address ? [withReadableDomain(address)] : []))
}

/** Domains of other scripts are encoded in the mail, but not in what the servers agreed on. */
function withReadableDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  return address.slice(0, at) + (domainToUnicode(domain) || domain)
}

/** The last line end belongs to the protocol. */
function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}
