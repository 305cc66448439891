import { timeouts } from '../../../shared/engine/core/timeouts.ts'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import { outcomeUnknown } from '../../../shared/engine/failures/outcome-unknown.ts'
import type { MailboxEmailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import { messageIdFor } from '../../../shared/integrations/email/message.ts'
import { harmless } from '../../../shared/integrations/google/google-client.ts'
import { GoogleFailure } from '../../../shared/integrations/google/google-failure.ts'
import type {
  ActionContext,
  IntegrationAction,
  VerifyContext,
} from '../../../shared/server/integration-function/integration-action.ts'
import { composeMail } from './compose.ts'
import { findDrafts } from './draft.ts'
import type { GmailSettings, RawMail } from './gmail.ts'
import { gmailService } from './gmail-service.ts'
import { gmailSendEmail } from './integration.ts'
import { type Mailbox, openConnected, openSender } from './mailbox.ts'
import { compareNewest, lookAtThread, requireNewest } from './newest-email.ts'
import type { Draft, Message } from './resources.ts'
import { drafting } from './scopes.ts'

/** What is recorded about a send before it happens. */
interface SendNote {
  connectionId: string
  /** Absent if only sending is allowed: then nobody can check whether the mail was sent. */
  messageId?: string
  /** Absent until the draft is there: until then it cannot be sent. */
  draftId?: string
  /** Somebody is deleting the draft, so that it can no longer be sent. */
  calledOff?: true
}

/** What the agent is told about a mail that was sent. */
export interface SentEmail {
  message_id: string
  thread_id: string
  from: string
}

/**
 * Sends once: the draft's Message-ID is recorded first, then its id, and the draft exists exactly as long as the mail was
 * not sent.
 */
export function sendEmail(settings: GmailSettings): IntegrationAction<MailboxEmailParameters> {
  return {
    tool: gmailSendEmail,
    chooses: true,
    notesFirst: true,
    async run(params, context): Promise<SentEmail> {
      const mailbox = await openSender('gmail_send_email', params, context, settings)
      const messageId = await messageIdFor(context.userId, context.idempotencyKey, mailbox.address)
      const mail = await composeMail(params, mailbox, {
        messageId,
        date: new Date(),
        findUserFile: context.readFile,
      })
      const sent = mailbox.hasScope(drafting)
        ? await sendDraft(mailbox, mail, messageId, context)
        : await sendAtOnce(mailbox, mail, context)
      return { message_id: sent.id, thread_id: sent.threadId, from: mailbox.address }
    },
    look: (params, context) => lookAtThread('gmail_send_email', params, context, settings),
    compare: compareNewest,
    verify: (_, context) => verifySend(context, settings),
  }
}

async function sendAtOnce(mailbox: Mailbox, mail: RawMail, context: ActionContext): Promise<Message> {
  await context.note({ connectionId: mailbox.connectionId } satisfies SendNote)
  await requireNewest(mailbox, mail, context)
  context.effectBegins()
  return await mailbox.gmail.post<Message>('/messages/send', mail)
}

async function sendDraft(
  mailbox: Mailbox,
  mail: RawMail,
  messageId: string,
  context: ActionContext,
): Promise<Message> {
  const { connectionId, gmail } = mailbox
  const note: SendNote = { connectionId, messageId }
  await context.note(note)
  const { id: draftId } = await makeDraft(mailbox, mail, messageId)
  try {
    await context.note({ ...note, draftId } satisfies SendNote)
    await requireNewest(mailbox, mail, context)
    context.effectBegins()
    return await gmail.act<Message>({ method: 'POST', path: '/drafts/send', body: { id: draftId } })
  } catch (cause) {
    // Somebody else has sent or deleted it in the meantime.
    if (cause instanceof GoogleFailure && cause.status === 404) throw new ToolCallError(outcomeUnknown())
    // Don't leave a draft behind after a refusal.
    if (isRefusal(cause)) await deleteDraft(mailbox, draftId).catch(() => {})
    throw cause
  }
}

async function makeDraft(mailbox: Mailbox, mail: RawMail, messageId: string): Promise<Draft> {
  try {
    return await mailbox.gmail.post<Draft>('/drafts', mail)
  } catch (cause) {
    // It may be there, with its answer lost.
    if (!isRefusal(cause)) {
      await findDrafts(mailbox, messageId)
        .then((drafts) => deleteDrafts(mailbox, drafts))
        .catch(() => {})
    }
    return harmless(cause, gmailService)
  }
}

/** Gmail did nothing, or the call was cancelled before Gmail was asked. */
function isRefusal(cause: unknown): boolean {
  if (cause instanceof ToolCallError) return cause.toolError.errorType !== 'outcome_unknown'
  return cause instanceof GoogleFailure && cause.status >= 400 && cause.status < 500 && cause.status !== 408
}

/**
 * A draft that still exists was not sent; it is deleted, so that a late request finds nothing to send. If it is gone
 * within the lease, it was sent: nobody else knew of it. Gmail may rewrite Message-IDs, so searching for ours would
 * prove nothing.
 */
async function verifySend(context: VerifyContext, settings: GmailSettings): Promise<Verification> {
  const note = (context.note ?? {}) as Partial<SendNote>
  const { connectionId, messageId, draftId, calledOff } = note
  if (!connectionId || !messageId) return 'unknown'
  const mailbox = await openConnected(connectionId, context, settings)
  if (!mailbox) return 'unknown'
  if (draftId && !(await isThere(mailbox, draftId))) {
    const age = Date.now() - context.effectStartedAt.getTime()
    if (calledOff || age > timeouts.effectLeaseMs) return 'unknown'
    // Unless somebody has cancelled it since we read the note.
    return (await context.amend(note)) ? 'sent' : 'unknown'
  }
  // Listed before it is recorded: afterwards another delivery may begin, whose draft looks the same.
  const unnoted = draftId ? [] : await findDrafts(mailbox, messageId)
  // Recorded first: anybody who finds the draft gone after this must not take it for sent, and no other can be noted.
  if (!(await context.amend({ ...note, calledOff: true }))) return 'unknown'
  await deleteDrafts(mailbox, unnoted)
  // If it is gone now, it was sent late, or deleted by a request that the runtime repeated on its own.
  return !draftId || (await deleteDraft(mailbox, draftId)) ? 'not_sent' : 'unknown'
}

async function deleteDrafts(mailbox: Mailbox, drafts: readonly Draft[]): Promise<void> {
  for (const { id } of drafts) await deleteDraft(mailbox, id)
}

async function isThere({ gmail }: Mailbox, draftId: string): Promise<boolean> {
  const path = `/drafts/${encodeURIComponent(draftId)}`
  return await found(gmail.act({ path, query: { format: 'minimal' } }))
}

/** False if it was already gone. */
async function deleteDraft({ gmail }: Mailbox, draftId: string): Promise<boolean> {
  return await found(gmail.act({ method: 'DELETE', path: `/drafts/${encodeURIComponent(draftId)}` }))
}

async function found(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (cause) {
    if (cause instanceof GoogleFailure && cause.status === 404) return false
    throw cause
  }
}
