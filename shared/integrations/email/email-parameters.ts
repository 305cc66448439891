import * as z from 'zod'

/** Maximum number of to, cc and bcc recipients each; RFC 5321 4.5.3.1.8 lets servers stop at 100. */
const maxRecipients = 100
/** Characters; together with "Subject: ", an ASCII subject without spaces stays below 998 octets (RFC 5322 2.1.1). */
const maxSubjectLength = 900
/** Characters of one text: 1 MiB, as much as a user may write in one chat message. */
const maxTextLength = 1_048_576
const maxAttachments = 10
/** Bytes of all decoded attachments: most servers accept 25 MB, and base64 adds a third. */
export const maxAttachmentBytes = 10 * 1_048_576

/** One line of text: a line break in a header value would start another header. */
const oneLine = /^\P{Cc}*$/u

/**
 * One name without a folder, without characters that reverse the reading direction and so hide its extension, and
 * without an encoded word (RFC 2047), which mail programs decode.
 */
const fileName = /^(?!\.{1,2}$)(?!.*=\?)[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069/\\]+$/u

const address = z.string().meta({ title: 'email address', format: 'email' })

const attachmentFields = {
  file_id: z
    .string()
    .max(64)
    .meta({
      title: 'file of the user',
      description:
        'The file_id of a file that the user attached to a message: that file as it is. Nothing else is needed with it.',
      question: 'Which of your files should I attach?',
      hint: 'Please name the file as it is shown in the conversation.',
    })
    .optional(),
  filename: z
    .string()
    .regex(fileName)
    .max(255)
    .meta({
      title: 'file name',
      description: 'What the file is called in the email; needed with content.',
      question: 'What should the attached file be called?',
      hint: 'Please provide a file name.',
      examples: ['report.pdf'],
      aliases: ['name', 'file_name'],
    })
    .optional(),
  content: z
    .string()
    .meta({
      description: 'What a new file holds, where there is no file_id.',
      question: 'What does the attached file contain?',
      hint: 'Please provide its content as plain text, or in base64 for any other kind of file.',
      aliases: ['data'],
    })
    .optional(),
  content_type: z
    .string()
    // The parts of a multipart would become parts of the mail.
    .regex(/^(?![Mm][Uu][Ll][Tt][Ii][Pp][Aa][Rr][Tt]\/)[\w.+-]+\/[\w.+-]+$/)
    .max(127)
    .meta({
      hint: 'Please provide a media type like application/pdf.',
      examples: ['application/pdf'],
      aliases: ['contentType', 'mime_type', 'type'],
    })
    .optional(),
  encoding: z
    .enum(['text', 'base64'])
    .meta({
      description: 'How content is written; by default text for text types and base64 for all others.',
    })
    .optional(),
}

/** A stored file of the user, a new one with its content, or an attachment of a mail in the sending mailbox. */
const mailboxAttachment = z.strictObject({
  ...attachmentFields,
  message_id: z
    .string()
    .max(200)
    .meta({
      title: 'mail with the file',
      description:
        'Instead of content: the id of an email that has the file attached, together with attachment_id.',
      question: 'Which email is the file attached to?',
      hint: 'Please provide the id of the email.',
    })
    .optional(),
  attachment_id: z
    .string()
    .max(4096)
    .meta({
      title: 'attached file of that mail',
      description: 'The id of the file, as gmail_read_emails lists it.',
      question: 'Which file of that email should I attach?',
      hint: 'Please provide the id of the attached file.',
    })
    .optional(),
})

/** The fields of every mail. */
const emailFields = {
  to: z
    .array(address)
    .min(1)
    .max(maxRecipients)
    .meta({
      title: 'recipient email address',
      short: 'to',
      description: 'Email addresses of the recipients.',
      question: 'Who should I send this email to?',
      hint: 'Please provide the recipient email address.',
      examples: [['ada@example.com']],
      aliases: ['recipient', 'recipients', 'to_email', 'to_address', 'email', 'email_address', 'send_to'],
      source: 'conversation',
    }),
  cc: z
    .array(address)
    .max(maxRecipients)
    .meta({
      title: 'Cc',
      short: 'cc',
      description: 'Email addresses that get a copy.',
      question: 'Who should get a copy of this email?',
      hint: 'Please provide the email address.',
      examples: [['grace@example.com']],
      aliases: ['cc_recipients', 'carbon_copy'],
      source: 'conversation',
    })
    .optional(),
  bcc: z
    .array(address)
    .max(maxRecipients)
    .meta({
      title: 'Bcc',
      short: 'bcc',
      description: 'Email addresses that get a copy which the other recipients do not see.',
      question: 'Who should get a blind copy of this email?',
      hint: 'Please provide the email address.',
      examples: [['grace@example.com']],
      aliases: ['bcc_recipients', 'blind_carbon_copy'],
      source: 'conversation',
    })
    .optional(),
  reply_to: address
    .meta({
      title: 'reply email address',
      short: 'reply to',
      description: 'Email address that answers should go to, when it is not the sender.',
      question: 'Which address should answers to this email go to?',
      hint: 'Please provide the email address.',
      examples: ['office@example.com'],
      source: 'conversation',
    })
    .optional(),
  subject: z
    .string()
    .regex(oneLine)
    .max(maxSubjectLength)
    .meta({
      title: 'subject line',
      short: 'subject',
      description: 'The subject, one line.',
      question: 'What is the subject of this email?',
      hint: 'Please provide the subject in one line.',
      examples: ['Meeting on Thursday'],
      aliases: ['title', 'subject_line'],
    }),
  body: z
    .string()
    .max(maxTextLength)
    .meta({
      title: 'text of the email',
      short: 'body',
      description: 'The message as plain text.',
      question: 'What should this email say?',
      hint: 'Please provide the text of the message.',
      examples: ['Hello Ada,\n\nshall we meet on Thursday at ten?\n\nBest regards'],
      aliases: ['text', 'message', 'content', 'body_text', 'text_body', 'message_body'],
    }),
  html: z
    .string()
    .max(maxTextLength)
    .meta({
      title: 'HTML of the email',
      short: 'HTML',
      description:
        'The same message as HTML, for readers that show it. The plain text in body is still needed.',
      aliases: ['html_body', 'body_html'],
    })
    .optional(),
  from: address
    .meta({
      title: 'sending account',
      short: 'from',
      description: 'Address of the account to send from, when the user has several. Leave it out otherwise.',
      question: 'Which of your accounts should this email come from?',
      hint: 'Please provide the email address of the account.',
      aliases: ['sender', 'from_email', 'from_address', 'account'],
    })
    .optional(),
}

const attachments = <T extends z.ZodType>(attachment: T) =>
  z
    .array(attachment)
    .max(maxAttachments)
    .meta({
      title: 'attached files',
      short: 'attachments',
      description: 'Files to attach: those of the user by their file_id, new ones with their content.',
      aliases: ['files'],
    })
    .optional()

/** The parameters of `smtp_send_email`. */
export const emailParameters = z.strictObject({
  ...emailFields,
  attachments: attachments(z.strictObject(attachmentFields)),
})

/** The parameters of `gmail_send_email` and `gmail_create_draft`, which can also attach files of the mailbox and reply. */
export const mailboxEmailParameters = z.strictObject({
  ...emailFields,
  attachments: attachments(mailboxAttachment),
  reply_to_message_id: z
    .string()
    .max(200)
    .meta({
      title: 'email that is answered',
      description:
        'The id of the email that this one answers, as gmail_search_emails gives it; it then goes into the same thread.',
      question: 'Which email should this one answer?',
      hint: 'Please provide its id.',
      aliases: ['in_reply_to', 'reply_to_id'],
    })
    .optional(),
})

export type EmailParameters = z.infer<typeof emailParameters>
export type MailboxEmailParameters = z.infer<typeof mailboxEmailParameters>
export type EmailAttachment = z.infer<z.ZodObject<typeof attachmentFields>>
export type MailboxAttachment = z.infer<typeof mailboxAttachment>
