import { clipText } from '../core/clip-text.ts'
import { isObject } from '../core/json-value.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { readHeaderAddresses, readSender } from './email-address.ts'
import { collectValues } from './trusted-output.ts'

/** A mail that a tool has shown. */
export interface ShownMail {
  id: string
  /** Undefined if it names no address or more than one, or if answers are to go to another one. */
  sender: string | undefined
  /** Set if the mail asks for answers to other addresses than its sender's. */
  parties?: AnsweredParties
}

/** Whom a mail comes from and whom it wants to be answered, as addresses, several with commas. */
export interface AnsweredParties {
  from: string
  replyTo: string
}

/** Which mails an output shows. */
export interface ReadMails {
  /** It is only this one. */
  mail?: string | undefined
  /** It only lists some, without their bodies. */
  isList?: boolean
}

/** The mails anywhere in an output: objects with an id and a sender. The contents of a mail are not searched. */
export function listMails(output: unknown): ShownMail[] {
  const mails: ShownMail[] = []
  const open: unknown[] = [output]
  while (open.length > 0) {
    const next = open.pop()
    const mail = asMail(next)
    if (mail) mails.push(mail)
    else open.push(...membersOf(next))
  }
  return mails
}

/** The id of the only mail in an output that shows nothing else. */
export function onlyMailIn(output: unknown): string | undefined {
  let place = output
  for (;;) {
    const mail = asMail(place)
    if (mail) return mail.id
    const filled = membersOf(place).filter(isFilled)
    if (filled.length !== 1) return undefined
    place = filled[0]
  }
}

/** What a mail says, however short. */
const ofBody = new Set(['body', 'text', 'html', 'content'])
/** What a list says about a mail. */
const ofList = new Set(['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'date', 'snippet', 'labels'])

/** Whether an output only lists mails, without their bodies. */
export function isBareList(output: unknown): boolean {
  const open: unknown[] = [output]
  let mails = 0
  while (open.length > 0) {
    const next = open.pop()
    if (isObject(next) && asMail(next)) {
      mails++
      const others = Object.entries(next).filter(([name]) => !ofList.has(name))
      if (others.some(([name, value]) => ofBody.has(name) || isFilled(value))) return false
    } else if (typeof next === 'string') {
      if (isFilled(next)) return false
    } else open.push(...membersOf(next))
  }
  return mails > 0
}

/** Whether a tool shows mails of the mailbox that another one replies from, as far as can be told. */
export function isOfMailbox(answering: ToolSpecification, reader: ToolSpecification | undefined): boolean {
  if (!answering.providers) return true
  return answering.providers.some((provider) => reader?.providers?.includes(provider))
}

/** The id of the mail that a call replies to. */
export function answeredId(tool: ToolSpecification, args: Record<string, unknown>): string | undefined {
  const id = tool.repliesTo === undefined ? undefined : args[tool.repliesTo]
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function asMail(value: unknown): ShownMail | undefined {
  if (!isObject(value) || !Object.hasOwn(value, 'from')) return undefined
  const id = value.id ?? value.message_id ?? value.messageId
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  const from = collectValues(value.from).map(String)
  const sender = from.length === 1 ? readSender(from[0] ?? '') : undefined
  const replyTo = collectValues(value.reply_to ?? value.replyTo ?? value['reply-to']).map(String)
  if (!replyTo.some((text) => text.trim() !== '')) return { id: String(id), sender }
  // One address, and the same one: else nobody can tell who gets the answer.
  if (sender !== undefined && readSender(replyTo.join(', ')) === sender) return { id: String(id), sender }
  return {
    id: String(id),
    sender: undefined,
    parties: { from: joinAddresses(from), replyTo: joinAddresses(replyTo) },
  }
}

/** Addresses of a header without the names beside them; what cannot be read as one stays as it is. */
function joinAddresses(headers: readonly string[]): string {
  const header = headers.join(', ')
  return clipText(readHeaderAddresses(header).join(', ') || header, longestShown)
}

/** Characters. */
const longestShown = 200

function membersOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

/** A flag, a count or a page token reveals nothing. */
function isFilled(value: unknown): boolean {
  return typeof value === 'string' ? /\s/.test(value) : membersOf(value).length > 0
}
