import type { Buffer } from 'node:buffer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { sha256 } from '../../engine/core/sha256.ts'
import { Question } from '../../engine/core/tool-error.ts'
import { readEmailAddress } from '../../engine/schema/email-format.ts'
import type { EmailFile } from './attached-files.ts'
import type { EmailParameters } from './email-parameters.ts'
import { literalHeader } from './literal-header.ts'
import type { Mailbox } from './mailbox.ts'

/** A mail as it is sent. */
export interface Message {
  envelope: { from: string; to: string[] }
  /** With angle brackets. */
  messageId: string
  raw: Buffer
}

export interface MessageFacts {
  from: Mailbox
  messageId: string
  date: Date
  files: readonly EmailFile[]
  /** Message-IDs of the mail being answered and of those before it, newest last. */
  references?: readonly string[]
  /** Set if the provider takes the recipients from the headers, and removes this one. */
  keepBcc?: boolean
}

/** The text and addresses of a mail. */
type Letter = Omit<EmailParameters, 'attachments' | 'from'>

/**
 * Builds the mail. We set the envelope ourselves and never read it from headers, so a header cannot add a recipient.
 * Throws a Question that names the parameter that cannot be used.
 */
export async function buildMessage(params: Letter, facts: MessageFacts): Promise<Message> {
  const to = readAddresses(params.to, 'to')
  const cc = readAddresses(params.cc ?? [], 'cc')
  const bcc = readAddresses(params.bcc ?? [], 'bcc')
  const replyTo = params.reply_to === undefined ? [] : [readAddress(params.reply_to, 'reply_to')]
  const composer = new MailComposer({
    from: facts.from,
    to: to.map(withoutName),
    cc: cc.map(withoutName),
    replyTo: replyTo.map(withoutName),
    subject: literalHeader(params.subject),
    text: params.body,
    html: params.html,
    attachments: [...facts.files],
    bcc: facts.keepBcc ? bcc.map(withoutName) : undefined,
    ...(facts.references?.length
      ? { references: [...facts.references], inReplyTo: facts.references.at(-1) }
      : {}),
    messageId: facts.messageId,
    date: facts.date,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const mail = composer.compile()
  // Missing from the types.
  Object.assign(mail, { keepBcc: facts.keepBcc === true })
  return {
    envelope: { from: facts.from.address, to: unique([...to, ...cc, ...bcc]) },
    messageId: facts.messageId,
    raw: await mail.build(),
  }
}

/**
 * The Message-ID for an idempotency key: the same delivery always has the same one, so that servers and mail programs
 * can recognise a copy. It includes the user, because clients choose the keys of direct calls.
 */
export async function messageIdFor(userId: string, idempotencyKey: string, sender: string): Promise<string> {
  const id = (await sha256(JSON.stringify([userId, idempotencyKey]))).slice(0, 40)
  return `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`
}

/** As objects: a string would be parsed again, and could become several addresses or a group. */
function withoutName(address: string) {
  return { name: '', address }
}

function readAddresses(addresses: readonly string[], parameter: string): string[] {
  return addresses.map((address, index) => readAddress(address, `${parameter}[${index}]`))
}

function readAddress(text: string, parameter: string): string {
  const reading = readEmailAddress(text)
  if (reading.ok) return reading.address
  throw new Question(
    `There seems to be an issue with the email address format. Please check that ${JSON.stringify(text)} is one complete address: ${reading.fault}.`,
    {
      parameter,
      said: { code: 'value_unfit', values: { value: text, format: 'email', example: 'ada@example.com' } },
    },
  )
}

function unique(addresses: string[]): string[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()]
}
