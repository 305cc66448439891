import { Buffer } from 'node:buffer'
import { headerText, readMail, type StoredMail } from './gmail-message.ts'
import { looksInTrash, readQuery } from './gmail-query.ts'
import { GoogleApiError, googleError, invalidArgument, notFound } from './google-error.ts'

export interface Label {
  id: string
  name: string
  type: 'system' | 'user'
}

const systemLabels = ['INBOX', 'SENT', 'DRAFT', 'TRASH', 'SPAM', 'UNREAD', 'STARRED', 'IMPORTANT']
/** Labels that only Gmail itself adds and removes. */
const fixedLabels = ['SENT', 'DRAFT']

/** One account's mail, in memory. Throws GoogleApiError with what the API would respond. */
export class Mailbox {
  readonly email: string
  readonly mails = new Map<string, StoredMail>()
  /** The mail of each draft, by the draft's id. */
  readonly drafts = new Map<string, string>()
  readonly labels: Label[] = systemLabels.map((name) => ({ id: name, name, type: 'system' }))
  /** Gmail replaces the Message-ID of some mails; this mailbox does when it is set to. */
  rewritesMessageIds = false
  private count = 0

  constructor(email: string) {
    this.email = email
  }

  /** Adds a mail that arrived, or that a test needs. */
  deliver(
    raw: Buffer | string,
    labels: readonly string[] = ['INBOX', 'UNREAD'],
    at = Date.now(),
  ): StoredMail {
    return this.store(Buffer.from(raw), labels, undefined, at)
  }

  /** What was sent from here, oldest first. */
  get sent(): StoredMail[] {
    return [...this.mails.values()].filter(({ labelIds }) => labelIds.has('SENT'))
  }

  send(raw: Buffer, threadId: string | undefined): StoredMail {
    const mail = readMail(raw, this.facts([]))
    const recipients = ['to', 'cc', 'bcc'].map((name) => headerText(mail, name)).join(' ')
    if (!recipients.trim()) throw invalidArgument('Recipient address required')
    if (!recipients.includes('@')) throw invalidArgument('Invalid To header')
    const from = headerText(mail, 'from')
    const written = this.rewritesMessageIds ? withNewMessageId(raw, this.nextId()) : raw
    // Gmail fills in the account's own address.
    const whole = from === '' ? Buffer.concat([Buffer.from(`From: ${this.email}\r\n`), written]) : written
    return this.store(whole, ['SENT'], threadId, Date.now())
  }

  createDraft(raw: Buffer, threadId: string | undefined): { id: string; mail: StoredMail } {
    const mail = this.store(raw, ['DRAFT'], threadId, Date.now())
    const id = `r-${this.nextId()}`
    this.drafts.set(id, mail.id)
    return { id, mail }
  }

  draft(id: string): StoredMail {
    return this.mail(this.drafts.get(id) ?? '')
  }

  deleteDraft(id: string): void {
    this.mails.delete(this.draft(id).id)
    this.drafts.delete(id)
  }

  /** Replaces the draft by a message with a new id. */
  sendDraft(id: string): StoredMail {
    const draft = this.draft(id)
    const sent = this.send(draft.raw, draft.threadId)
    this.deleteDraft(id)
    return sent
  }

  mail(id: string): StoredMail {
    // Malformed ids get another error than unknown ones.
    if (!/^(?:[0-9a-f]{1,16})?$/.test(id)) throw invalidArgument('Invalid id value')
    const mail = this.mails.get(id)
    if (!mail) throw notFound()
    return mail
  }

  remove(id: string): void {
    this.mails.delete(this.mail(id).id)
  }

  modify(ids: readonly string[], add: readonly string[], remove: readonly string[]): StoredMail[] {
    for (const label of [...add, ...remove]) {
      if (!this.labels.some(({ id }) => id === label)) throw invalidArgument(`Invalid label: ${label}`)
      if (fixedLabels.includes(label)) throw invalidArgument(`Invalid label: ${label}`)
    }
    const mails = ids.map((id) => this.mail(id))
    for (const mail of mails) {
      for (const label of add) mail.labelIds.add(label)
      for (const label of remove) mail.labelIds.delete(label)
      mail.historyId = ++this.count
    }
    return mails
  }

  createLabel(name: unknown): Label {
    if (typeof name !== 'string' || name.trim() === '' || name.length > 225)
      throw invalidArgument('Invalid label name')
    if (this.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) {
      throw new GoogleApiError(googleError(409, 'aborted', 'Label name exists or conflicts'))
    }
    const label: Label = { id: `Label_${this.labels.length}`, name, type: 'user' }
    this.labels.push(label)
    return label
  }

  /** Newest first, without spam and trash unless they are asked for. */
  search({ q = '', labelIds = [] as string[], includeSpamTrash = false }): StoredMail[] {
    const names = new Map(
      this.labels.map(({ id, name }) => [name.toLowerCase().replaceAll(' ', '-'), id] as const),
    )
    const fits = readQuery(q, names)
    const hidden = includeSpamTrash || looksInTrash(q) ? [] : ['TRASH', 'SPAM']
    return [...this.mails.values()]
      .filter((mail) => labelIds.every((label) => mail.labelIds.has(label)))
      .filter((mail) => !hidden.some((label) => mail.labelIds.has(label) && !labelIds.includes(label)))
      .filter(fits)
      .sort((a, b) => b.internalDate - a.internalDate || b.historyId - a.historyId)
  }

  thread(id: string): StoredMail[] {
    const mails = [...this.mails.values()].filter(({ threadId }) => threadId === id)
    if (mails.length === 0) throw notFound()
    return mails
  }

  private store(
    raw: Buffer,
    labels: readonly string[],
    threadId: string | undefined,
    at: number,
  ): StoredMail {
    if (threadId !== undefined) this.thread(threadId)
    const facts = this.facts(labels, at)
    const mail = readMail(raw, facts)
    const mails = [...this.mails.values()]
    const answered = mails.find((other) => isAnswerTo(mail, other))
    // Gmail's three conditions for a thread: its id, the reference headers, and the same subject.
    const joined = threadId ?? answered?.threadId
    const stored = { ...mail, threadId: joined ?? facts.id }
    this.mails.set(stored.id, stored)
    return stored
  }

  private facts(labels: readonly string[], internalDate = Date.now()) {
    const id = this.nextId()
    return { id, threadId: id, labelIds: new Set(labels), internalDate, historyId: this.count }
  }

  private nextId(): string {
    return (0x18c2f0a1b0000000n + BigInt(++this.count)).toString(16)
  }
}

function isAnswerTo(mail: StoredMail, other: StoredMail): boolean {
  const id = headerText(other, 'message-id')
  const bare = (one: StoredMail) => headerText(one, 'subject').replace(/^(?:re|fwd?): */i, '')
  return id !== '' && headerText(mail, 'references').includes(id) && bare(mail) === bare(other)
}

function withNewMessageId(raw: Buffer, id: string): Buffer {
  const text = raw.toString('latin1').replace(/^Message-ID:.*$/im, `Message-ID: <CA+${id}@mail.gmail.com>`)
  return Buffer.from(text, 'latin1')
}
