import type { Compare, Seen } from '../../../shared/engine/core/seen.ts'
import { readSender } from '../../../shared/integrations/email/address-header.ts'
import { decodeHeader } from '../../../shared/integrations/email/decode-text.ts'
import type { MailboxEmailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import type {
  ActionContext,
  LookContext,
} from '../../../shared/server/integration-function/integration-action.ts'
import type { GmailSettings, RawMail } from './gmail.ts'
import { type Mailbox, openSender } from './mailbox.ts'
import { headersOf, type Message } from './resources.ts'

/** Labels of emails that nobody has sent, or that nobody wants to read. */
const besides = ['DRAFT', 'SPAM', 'TRASH']

/** For an email that answers another one: the newest email of that thread. */
export async function lookAtThread(
  tool: string,
  params: MailboxEmailParameters,
  context: LookContext,
  settings: GmailSettings,
): Promise<{ seen: Seen } | undefined> {
  const { reply_to_message_id: answeredId } = params
  if (answeredId === undefined) return undefined
  const mailbox = await openSender(tool, params, context, settings)
  mailbox.requireScopeOf('gmail_read_emails')
  const path = `/messages/${encodeURIComponent(answeredId)}`
  const { threadId } = await mailbox.gmail.ask<Message>({ path, query: { format: 'minimal' } })
  return { seen: await seeNewest(mailbox, threadId) }
}

/** Throws `Changed` if a newer email has come to the thread of an answer. Gmail has no condition for it. */
export async function requireNewest(
  mailbox: Mailbox,
  { threadId }: RawMail,
  { requireUnchanged }: Pick<ActionContext, 'requireUnchanged'>,
): Promise<void> {
  if (requireUnchanged && threadId !== undefined) requireUnchanged(await seeNewest(mailbox, threadId))
}

async function seeNewest({ gmail }: Mailbox, threadId: string): Promise<Seen> {
  const { messages = [] } = await gmail.ask<{ messages?: Message[] }>({
    path: `/threads/${encodeURIComponent(threadId)}`,
    query: { format: 'metadata', metadataHeaders: ['From'] },
  })
  const read = messages.filter(({ labelIds = [] }) => !besides.some((label) => labelIds.includes(label)))
  const [newest] = read.sort((a, b) => timeOf(b) - timeOf(a))
  return newest ? { id: newest.id, at: timeOf(newest), told: describe(newest) } : {}
}

/** A newer email; that an email was deleted is no change. */
export const compareNewest: Compare = (before, now) => {
  const isNewer = now.id !== undefined && now.id !== before.id && Number(now.at) >= Number(before.at ?? 0)
  return isNewer ? [{ what: 'newest_email', before: before.told ?? null, now: now.told }] : []
}

/** Milliseconds since 1970. */
function timeOf({ internalDate }: Message): number {
  return Number(internalDate ?? 0)
}

/** `Ada <ada@example.com>, 2026-11-22 06:12 UTC`. */
function describe(message: Message): string {
  const from = readSender(headersOf(message.payload, 'from').map(decodeHeader).join(', '))
  const at = new Date(timeOf(message)).toISOString().slice(0, 16).replace('T', ' ')
  return `${from}, ${at} UTC`
}
