import untypedSniffer from 'html-encoding-sniffer'
import { calendarFacts } from '../../../shared/integrations/email/calendar-facts.ts'
import { decodeText } from '../../../shared/integrations/email/decode-text.ts'
import { joinFlowed } from '../../../shared/integrations/email/flowed-text.ts'
import { textOfHtml } from '../../../shared/integrations/email/html-text.ts'
import { isBlank, saysAll, withoutFillers } from '../../../shared/integrations/email/visible-text.ts'
import { bytesOf, headerOf, type Part } from './resources.ts'

/** Parts inside parts that are read; a mail with more was made to be hard to read. */
const deepest = 100
/** Parts that are read. */
const mostParts = 500
/** Characters of HTML that are read for all mails of a call, each of which costs a fraction of a microsecond. */
const mostHtml = 600_000

/** What a person reads of a part. */
interface Reading {
  text: string
  isHtml: boolean
  /** It was too much to be read, and the text says so. */
  isUnread?: boolean
}

const nothing: Reading = { text: '', isHtml: false }

/** Reads the mails of one call, within the CPU time that one call has. */
export class MailReader {
  private htmlLeft = mostHtml

  /**
   * What a person reads of a mail, as its structure says (RFC 2046, 5.1): of alternatives one, of a frame with its pictures
   * the frame, everything else in its order. Invitations come as their facts.
   */
  read(payload: Part | undefined): string {
    const calendars: string[] = []
    let left = mostParts
    const readPart = (part: Part, depth: number): Reading => {
      if (--left < 0 || depth > deepest) return nothing
      const type = typeOf(part)
      if (isCalendar(part) && part.body?.data !== undefined) {
        const text = textOf(part)
        // The same invitation often comes twice: beside the text, and as a file.
        if (!calendars.includes(text)) calendars.push(text)
        return nothing
      }
      if (type === 'message/rfc822' || (part !== payload && isFile(part))) return nothing
      if (type === 'text/plain') return { text: plainTextOf(part), isHtml: false }
      if (type === 'text/html') return this.readHtml(part)
      const readings = partsIn(part, type).map((one) => readPart(one, depth + 1))
      if (type === 'multipart/alternative') return chooseOne(readings)
      const filled = readings.filter(({ text }) => !isBlank(text))
      if (type === 'multipart/related') return filled[0] ?? nothing
      const isAny = (name: 'isHtml' | 'isUnread') => filled.some((one) => one[name])
      const text = filled.map((one) => one.text).join('\n\n')
      return { text, isHtml: isAny('isHtml'), isUnread: isAny('isUnread') }
    }
    const text = payload ? withoutFillers(readPart(payload, 0).text.replaceAll('\r\n', '\n')) : ''
    const isAlone = isBlank(text)
    const facts = calendars.map((one) => withoutFillers(calendarFacts(one, isAlone)))
    const body = [isAlone ? '' : text, ...new Set(facts)].filter((one) => one !== '').join('\n\n')
    return body.trim() || whyUnreadable(payload)
  }

  private readHtml(part: Part): Reading {
    const html = htmlOf(part)
    this.htmlLeft -= html.length
    const isUnread = this.htmlLeft < 0
    const text = isUnread ? '[This email is too long to be read together with the others.]' : textOfHtml(html)
    return { text, isHtml: true, isUnread }
  }
}

/** The plain text, unless the HTML says more: then that is what people read. */
function chooseOne(readings: readonly Reading[]): Reading {
  const filled = readings.filter(({ text }) => !isBlank(text))
  const html = filled.findLast(({ isHtml }) => isHtml)
  const plain = filled.find(({ isHtml }) => !isHtml)
  if (!html || !plain) return html ?? plain ?? nothing
  return html.isUnread || saysAll(plain.text, html.text) ? plain : html
}

/** The parts of a part that may be text. */
function partsIn({ parts = [] }: Part, type: string): readonly Part[] {
  // What follows is the signature (RFC 1847), or what a program reads (RFC 6522).
  if (type === 'multipart/signed') return parts.slice(0, 1)
  return type.startsWith('multipart/') ? parts.slice(0, mostParts) : []
}

export function typeOf({ mimeType, headers }: Part): string {
  const type = (mimeType ?? '').toLowerCase()
  // Without a declared type, a part is plain text (RFC 2045, 5.2).
  return type === '' && (headers?.length ?? 0) > 0 ? 'text/plain' : type
}

/** Whether a part is shown as a file, not as text. */
export function isFile(part: Part): boolean {
  return Boolean(part.filename) || /^\s*attachment\b/i.test(headerOf(part, 'content-disposition'))
}

/** Whether a part is an invitation or the like; as a file, too, once it is loaded. */
export function isCalendar(part: Part): boolean {
  return /^(?:text\/calendar|application\/ics)$/.test(typeOf(part))
}

/** The text of a part in the charset that it declares. */
function textOf(part: Part): string {
  return decodeText(bytesOf(part.body?.data), parameterOf(part, 'charset'))
}

function plainTextOf(part: Part): string {
  const text = textOf(part)
  if (parameterOf(part, 'format')?.toLowerCase() !== 'flowed') return text
  return joinFlowed(text, parameterOf(part, 'delsp')?.toLowerCase() === 'yes')
}

/** The package has no types, and runtimes guess different ones. */
const sniffEncoding = untypedSniffer as unknown as (bytes: Uint8Array, options: object) => string

/** A page may declare its charset itself, where the part does not. */
function htmlOf(part: Part): string {
  if (parameterOf(part, 'charset') !== undefined) return textOf(part)
  const bytes = bytesOf(part.body?.data)
  return decodeText(bytes, sniffEncoding(bytes, { defaultEncoding: 'windows-1252' }))
}

/** A parameter of Content-Type. */
function parameterOf(part: Part, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(
    headerOf(part, 'content-type'),
  )
  return found ? (found[1] ?? found[2]) : undefined
}

/** Why a mail has no text that can be read here; empty if it simply has none. */
function whyUnreadable(payload: Part | undefined): string {
  const open = payload ? [payload] : []
  for (let part = open.pop(); part; part = open.pop()) {
    const kind = unreadable.find(({ is }) => is(part))
    if (kind?.instead) return `[${kind.instead}]`
    if (typeOf(part).startsWith('multipart/')) open.push(...(part.parts ?? []).slice(0, mostParts).reverse())
  }
  return ''
}

/** Parts that only other programs can read; `note`: what such a file is; `instead`: what a mail of nothing else says. */
const unreadable: { is: (part: Part) => boolean; note: string; instead?: string }[] = [
  {
    is: (part) =>
      /^application\/(?:vnd\.)?ms-tnef$/.test(typeOf(part)) || /^winmail\.dat$/i.test(part.filename ?? ''),
    note: 'A file that Outlook makes (TNEF): it contains the formatted text and the attached files of the email in a format of its own, which cannot be read here.',
    instead:
      'The text of this email is in the attached file winmail.dat, in a format of Outlook (TNEF) that cannot be read here. The sender can send it as plain text or HTML.',
  },
  {
    is: (part) => typeOf(part) === 'multipart/encrypted' || typeOf(part) === 'application/pgp-encrypted',
    note: 'A part of an email that is encrypted with PGP.',
    instead: 'This email is encrypted with PGP: its text cannot be read here.',
  },
  {
    is: (part) =>
      /^application\/(?:x-)?pkcs7-mime$/.test(typeOf(part)) &&
      parameterOf(part, 'smime-type') === 'signed-data',
    note: 'A signed email (S/MIME) with its text inside.',
    instead: 'This email is signed with S/MIME in such a way that its text cannot be read here.',
  },
  {
    is: (part) => /^application\/(?:x-)?pkcs7-mime$/.test(typeOf(part)),
    note: 'An encrypted email (S/MIME).',
    instead: 'This email is encrypted with S/MIME: its text cannot be read here.',
  },
  {
    is: (part) => /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/.test(typeOf(part)),
    note: 'A digital signature.',
  },
]

/** What a file is that only other programs can read. */
export function noteOn(part: Part): string | undefined {
  return unreadable.find(({ is }) => is(part))?.note
}
