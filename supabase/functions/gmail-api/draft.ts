import type { MailboxEmailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import { messageIdFor } from '../../../shared/integrations/email/message.ts'
import type { IntegrationAction } from '../../../shared/server/integration-function/integration-action.ts'
import { composeMail } from './compose.ts'
import { inertHtml } from './draft-html.ts'
import type { GmailSettings } from './gmail.ts'
import { gmailCreateDraft } from './integration.ts'
import { type Mailbox, openConnected, openSender } from './mailbox.ts'
import { compareNewest, lookAtThread, requireNewest } from './newest-email.ts'
import type { Draft } from './resources.ts'

interface DraftNote {
  connectionId: string
  messageId: string
}

/** Saves a mail without sending it. */
export function createDraft(settings: GmailSettings): IntegrationAction<MailboxEmailParameters> {
  return {
    tool: gmailCreateDraft,
    chooses: true,
    notesFirst: true,
    async run(params, context) {
      const { userId, idempotencyKey } = context
      // Drafts need no approval, and are rendered as soon as they are opened: anything a hostile text put in would load.
      const inert = params.html === undefined ? params : { ...params, html: inertHtml(params.html) }
      const mailbox = await openSender('gmail_create_draft', params, context, settings)
      const messageId = await messageIdFor(userId, idempotencyKey, mailbox.address)
      const mail = await composeMail(inert, mailbox, {
        messageId,
        date: new Date(),
        findUserFile: context.readFile,
      })
      // Nobody knew whether the first try had saved it.
      const [earlier] = context.earlierNote === undefined ? [] : await findDrafts(mailbox, messageId)
      if (earlier) return { draft_id: earlier.id, message_id: earlier.message?.id ?? '' }
      await context.note({ connectionId: mailbox.connectionId, messageId } satisfies DraftNote)
      await requireNewest(mailbox, mail, context)
      context.effectBegins()
      const draft = await mailbox.gmail.post<Draft>('/drafts', mail)
      return { draft_id: draft.id, message_id: draft.message?.id ?? '' }
    },
    look: (params, context) => lookAtThread('gmail_create_draft', params, context, settings),
    compare: compareNewest,
    /** Found by its Message-ID, it was saved. Gmail may have given it another one, so not finding it proves nothing. */
    async verify(_, context) {
      const { connectionId = '', messageId } = (context.note ?? {}) as Partial<DraftNote>
      const mailbox = await openConnected(connectionId, context, settings)
      if (!mailbox || !messageId) return 'unknown'
      return (await findDrafts(mailbox, messageId)).length > 0 ? 'sent' : 'unknown'
    },
  }
}

/** `messageId`: with its angle brackets. */
export async function findDrafts({ gmail }: Mailbox, messageId: string): Promise<Draft[]> {
  const query = { q: `rfc822msgid:${messageId.slice(1, -1)}` }
  const { drafts = [] } = await gmail.ask<{ drafts?: Draft[] }>({ path: '/drafts', query })
  return drafts
}
