/** One mail as `GET /inbox/messages` shows it. */
export interface InboxMessage {
  id: string
  /** With angle brackets, as in the mail. */
  messageId: string | null
  from: string
  to: string[]
  cc: string[]
  /** Recipients that its headers do not name. */
  bcc: string[]
  replyTo: string[]
  subject: string
  text: string
  html: string | null
  /** ISO 8601: the date of the mail, or else when it arrived. */
  date: string
  attachments: InboxAttachment[]
  /** As received, one line each; empty for a mail that the stack wrote itself. */
  headers: string[]
}

interface InboxAttachment {
  filename: string | null
  contentType: string
  /** In bytes. */
  size: number
  /** Base64. */
  content: string
}
