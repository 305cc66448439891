import { Buffer } from 'node:buffer'
import { messageResource, readMail } from '../local/simulator/gmail-message.ts'
import { type MailView, showMails } from '../supabase/functions/gmail-api/mail-view.ts'
import type { Message } from '../supabase/functions/gmail-api/resources.ts'

/** A part of a mail, as it is written: headers and bytes. */
export interface WrittenPart {
  headers: string[]
  body: Buffer
}

interface PartOptions {
  charset?: string
  /** More parameters of Content-Type, as they are written. */
  parameters?: string
  headers?: string[]
}

const quotedPrintable = (bytes: Buffer) =>
  [...bytes]
    .map((byte) =>
      byte === 61 || byte > 126
        ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')
    // Soft breaks, wherever a line gets long.
    .replace(/[^\r\n]{72}(?!\r?\n|$)/g, (line) => {
      const cut = /=[\dA-F]?$/.exec(line)
      return cut ? `${line.slice(0, cut.index)}=\r\n${cut[0]}` : `${line}=\r\n`
    })

/** A text part, quoted-printable. `text`: a string in UTF-8, or the bytes themselves. */
export function text(type: string, content: string | Buffer, options: PartOptions = {}): WrittenPart {
  const { charset = 'utf-8', parameters = '', headers = [] } = options
  const bytes = Buffer.from(content as string)
  return {
    headers: [
      `Content-Type: ${type}${charset === '' ? '' : `; charset=${charset}`}${parameters}`,
      'Content-Transfer-Encoding: quoted-printable',
      ...headers,
    ],
    body: Buffer.from(quotedPrintable(bytes), 'latin1'),
  }
}

export const plain = (content: string | Buffer, options?: PartOptions) => text('text/plain', content, options)
export const html = (content: string | Buffer, options?: PartOptions) => text('text/html', content, options)

/** A file, attached unless `disposition` says otherwise. */
export function file(
  name: string,
  type: string,
  { content = 'content', disposition = 'attachment', headers = [] as string[], parameters = '' } = {},
): WrittenPart {
  return {
    headers: [
      `Content-Type: ${type}${name === '' ? '' : `; name="${name}"`}${parameters}`,
      `Content-Disposition: ${disposition}${name === '' ? '' : `; filename="${name}"`}`,
      'Content-Transfer-Encoding: base64',
      ...headers,
    ],
    body: Buffer.from(Buffer.from(content).toString('base64')),
  }
}

let boundaries = 0

/** `multipart/<kind>` of these parts. */
export function multi(kind: string, ...parts: WrittenPart[]): WrittenPart {
  const boundary = `=_part_${++boundaries}`
  const written = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n`),
    write(part),
    Buffer.from('\r\n'),
  ])
  return {
    headers: [`Content-Type: multipart/${kind}; boundary="${boundary}"`],
    body: Buffer.concat([
      Buffer.from('This is a multi-part message in MIME format.\r\n'),
      ...written,
      Buffer.from(`--${boundary}--\r\n`),
    ]),
  }
}

/** A mail inside a mail. */
export function forwarded(headers: string[], content: WrittenPart, name = ''): WrittenPart {
  const named = name === '' ? [] : [`Content-Disposition: attachment; filename="${name}"`]
  return {
    headers: ['Content-Type: message/rfc822', ...named],
    body: write({ ...content, headers: [...headers, ...content.headers] }),
  }
}

/** A part as bytes. */
export function write({ headers, body }: WrittenPart): Buffer {
  return Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`), body])
}

const usual = ['From: Grace <grace@example.com>', 'To: ada@example.com', 'Subject: Hello']

/** How the agent reads a mail that Gmail has received. */
export function shown(content: WrittenPart, headers: string[] = usual): MailView {
  const raw = write({ ...content, headers: [...headers, 'MIME-Version: 1.0', ...content.headers] })
  return shownAs(
    messageResource(
      readMail(raw, {
        id: 'a1',
        threadId: 'a1',
        labelIds: new Set(['INBOX']),
        internalDate: 0,
        historyId: 1,
      }),
      'full',
    ) as Message,
  )
}

/** The same of a resource as Gmail's API gives it. */
export function shownAs(message: Message): MailView {
  return showMails([message], new Map(), true)[0] as MailView
}

/** A resource with one text part whose bytes Gmail has not converted. */
export function ofBytes(contentType: string, bytes: number[] | Buffer): Message {
  const data = Buffer.from(bytes as number[])
  return {
    id: 'a1',
    threadId: 'a1',
    payload: {
      mimeType: (contentType || 'text/plain').replace(/;.*/s, ''),
      headers: contentType === '' ? [] : [{ name: 'Content-Type', value: contentType }],
      body: { size: data.length, data: data.toString('base64url') },
    },
  }
}
