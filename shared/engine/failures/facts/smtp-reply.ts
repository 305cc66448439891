import { statusInText } from './status-text.ts'

/** A final or temporary reply of a mail server. */
export interface SmtpReply {
  /** Three digits. */
  code: number
  /** RFC 3463: class, subject, detail. */
  enhanced?: string
  text: string
  /** The command it answers, where the client says so. */
  command?: string
}

/** RFC 5321 allows 512 characters a line; several lines say no more. */
const maxReply = 2_000

/** `550 5.1.1`, also with a server's own tag between the two. */
const withEnhancedCode = /(?<=^|[\s:;=("'])([245]\d\d)[\s-](?:\w+ )?#?([245]\.\d{1,3}\.\d{1,3})(?=$|[\s:])/
/** Codes that mail servers use; the others are HTTP's. */
const bare = /^(4[2-7]\d|5[0-57]\d)[\s-](?=\S)/

/** Codes that HTTP has no use for: whoever passes one on has talked to a mail server. */
const onlyReplies = /^(?:45[245]|53[2458]|55\d)$/

/** What may as well be a status of HTTP: `500 status code (no body)`. */
const httpStatuses = /^(?:42[2-9]|431|50\d|51[01]|52[0-7])\b/
const smtpWords =
  /\b(?:syntax|commands?|sequence|parameters?|arguments?|mail|rcpt|helo|ehlo|address|auth\w*|recipients?|licen[cs]e)\b/i

/**
 * The reply inside a text. A reply code with an enhanced code proves it; a reply code alone (`454 Throttling failure`)
 * counts only where `code` says that this is one.
 */
export function readSmtpReply(wholeText: string, code?: number): SmtpReply | undefined {
  const text = wholeText.slice(0, maxReply)
  const enhanced = withEnhancedCode.exec(text)
  if (enhanced)
    return { code: Number(enhanced[1]), enhanced: enhanced[2], text: text.slice(enhanced.index).trim() }
  const found = bare.exec(text)
  const isStatus = statusInText(text) !== undefined || (httpStatuses.test(text) && !smtpWords.test(text))
  if (found && Number(found[1]) === code && !isStatus) return { code, text }
  return onlyReplies.test(String(code)) ? { code: Number(code), text } : undefined
}
