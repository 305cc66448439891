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

const withEnhancedCode = /(?:^|[\s:=("'])([245]\d\d)[\s-]#?([245]\.\d{1,3}\.\d{1,3})(?=$|[\s:])/
const withCode = /^([245]\d\d)[\s-](?=\S)/

/**
 * The reply inside a text. A reply code and an enhanced code prove it; a reply code alone (`454 Throttling failure`)
 * counts only where `code` says that this is one.
 */
export function readSmtpReply(text: string, code?: number): SmtpReply | undefined {
  const enhanced = withEnhancedCode.exec(text)
  if (enhanced)
    return { code: Number(enhanced[1]), enhanced: enhanced[2], text: text.slice(enhanced.index).trim() }
  const bare = withCode.exec(text)
  return bare && Number(bare[1]) === code ? { code, text } : undefined
}
