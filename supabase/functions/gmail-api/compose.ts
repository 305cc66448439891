import { Buffer } from 'node:buffer'
import { Question } from '../../../shared/engine/core/tool-error.ts'
import {
  type EmailFile,
  type FindUserFile,
  readFile,
  requireSmallFiles,
} from '../../../shared/integrations/email/attached-files.ts'
import { decodeHeader } from '../../../shared/integrations/email/decode-text.ts'
import {
  type MailboxAttachment,
  type MailboxEmailParameters,
  maxAttachmentBytes,
} from '../../../shared/integrations/email/email-parameters.ts'
import { buildMessage } from '../../../shared/integrations/email/message.ts'
import { cleanFileName } from '../../../shared/integrations/text/file-name.ts'
import type { RawMail } from './gmail.ts'
import { attachedParts, fileIdOf } from './mail-view.ts'
import type { Mailbox } from './mailbox.ts'
import { bytesOf, headerOf, type Message, type Part } from './resources.ts'

/** Maximum number of Message-IDs in a reply's references, newest ones: a thread of years has hundreds. */
const mostReferences = 20

/** The complete mail of a call: with attachments from the mailbox, and in the thread of the mail it replies to. */
export async function composeMail(
  params: MailboxEmailParameters,
  mailbox: Mailbox,
  { findUserFile, ...facts }: { messageId: string; date: Date; findUserFile: FindUserFile },
): Promise<RawMail> {
  const { reply_to_message_id: answeredId, attachments = [] } = params
  if (answeredId !== undefined || attachments.some(isInMailbox)) mailbox.requireScopeOf('gmail_read_emails')
  const answered = answeredId === undefined ? undefined : await readAnswered(mailbox, answeredId)
  const files: EmailFile[] = []
  for (const [index, attachment] of attachments.entries()) {
    files.push(await fileFor(mailbox, attachment, `attachments[${index}]`, findUserFile))
    requireSmallFiles(files)
  }
  const { raw } = await buildMessage(params, {
    ...facts,
    from: { name: '', address: mailbox.address },
    files,
    references: answered?.references ?? [],
    keepBcc: true,
  })
  return { raw, threadId: answered?.threadId }
}

function isInMailbox({ content, file_id, attachment_id }: MailboxAttachment): boolean {
  return content === undefined && file_id === undefined && attachment_id !== undefined
}

/** What makes a mail a reply (https://developers.google.com/workspace/gmail/api/guides/threads). */
async function readAnswered({ gmail }: Mailbox, id: string) {
  const metadataHeaders = ['Message-ID', 'References']
  const path = `/messages/${encodeURIComponent(id)}`
  const { threadId, payload } = await gmail.ask<Message>({
    path,
    query: { format: 'metadata', metadataHeaders },
  })
  const before = messageIdsIn(headerOf(payload, 'references'))
  const own = messageIdsIn(headerOf(payload, 'message-id'))
  return { threadId, references: [...before, ...own].slice(-mostReferences) }
}

/** Only valid Message-IDs: the header was written by somebody else. */
function messageIdsIn(header: string): string[] {
  return header.slice(0, 20_000).match(/<[!-;=?-~]{1,250}>/g) ?? []
}

async function fileFor(
  mailbox: Mailbox,
  attachment: MailboxAttachment,
  place: string,
  findUserFile: FindUserFile,
): Promise<EmailFile> {
  const { content, message_id: messageId, attachment_id: fileId, filename, content_type } = attachment
  const isUsers = attachment.file_id !== undefined
  const isNew = fileId === undefined && messageId === undefined
  if (content !== undefined || isUsers || isNew) return await readFile(attachment, place, findUserFile)
  if (fileId === undefined || messageId === undefined) {
    const missing = fileId !== undefined ? 'message_id' : 'attachment_id'
    throw new Question(questions[missing], { parameter: `${place}.${missing}` })
  }
  const path = `/messages/${encodeURIComponent(messageId)}`
  const { payload } = await mailbox.gmail.ask<Message>({ path, query: { format: 'full' } })
  const parts = attachedParts(payload, true)
  const part = parts.find((one) => fileIdOf(one) === fileId || one.body?.attachmentId === fileId)
  if (!part) {
    const known = parts.map((one) => `${fileIdOf(one)} (${one.filename})`)
    throw new Question(
      `That email has no attached file "${fileId}". ${known.length > 0 ? `Please use one of: ${known.slice(0, 20).join(', ')}.` : 'It has no attachments.'}`,
      { parameter: `${place}.attachment_id` },
    )
  }
  if ((part.body?.size ?? 0) > maxAttachmentBytes) {
    const values = { file: part.filename, mebibytes: maxAttachmentBytes / 1_048_576 }
    throw new Question({ code: 'attachment_too_large', values }, { parameter: place, resolver: 'user' })
  }
  return {
    filename: filename ?? cleanFileName(decodeHeader(part.filename ?? ''), part.mimeType ?? ''),
    content: Buffer.from(await contentOf(mailbox, path, part)),
    contentType: content_type ?? part.mimeType,
  }
}

const questions = {
  message_id: 'Which email is the file attached to? Please provide the id of the email.',
  attachment_id: 'Which file of that email should be attached? Please provide the id of the attached file.',
}

/** Small files are part of the mail itself, others are fetched. */
async function contentOf({ gmail }: Mailbox, path: string, { body }: Part): Promise<Uint8Array> {
  if (body?.attachmentId === undefined) return bytesOf(body?.data)
  const found = await gmail.ask<{ data?: string }>({
    path: `${path}/attachments/${encodeURIComponent(body.attachmentId)}`,
  })
  return bytesOf(found.data)
}
