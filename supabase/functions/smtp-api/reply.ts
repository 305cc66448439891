import { cleanReason } from '../../../shared/engine/failures/clean-reason.ts'

/** A final or temporary reply of a mail server. */
export interface SmtpReply {
  /** Three digits; 0 if there were none. */
  code: number
  /** RFC 3463: class, subject and detail, like `5.1.1`. */
  enhancedCode?: string
  /** All its lines without their codes. */
  text: string
  /** The same, fit to be shown. */
  reason: string
}

/** RFC 5321 allows 512 characters per line; further lines add nothing. */
const maxReply = 2_000
/** `550 5.1.1`, also with a server's own tag between the two. */
const codes = /^(\d{3})?[ -]?(?:(?:\w+ )?#?([245]\.\d{1,3}\.\d{1,3})(?=\s|$))?\s*/
/** What Google's servers end a reply with: `x12-20a - gsmtp`. */
const signature = /(?: (?=[\w.-]{0,99}\d)[\w.-]{1,99})? - g(?:smtp|cdp)$/

export function readReply(response: string): SmtpReply {
  const lines = response.slice(0, maxReply).split(/\r?\n/)
  const [, code = '0', enhancedCode] = codes.exec(lines[0] ?? '') ?? []
  const text = lines.map((line) => line.replace(codes, '')).join(' ')
  return {
    code: Number(code),
    enhancedCode,
    text,
    reason: cleanReason(text.replace(signature, '')),
  }
}
