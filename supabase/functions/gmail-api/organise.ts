import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import type { IntegrationAction } from '../../../shared/server/integration-function/integration-action.ts'
import type { Gmail, GmailSettings } from './gmail.ts'
import { eachInBatches } from './in-batches.ts'
import { gmailEmailActions } from './integration.ts'
import { openMailbox } from './mailbox.ts'
import type { ActionParameters } from './parameters.ts'
import { emailsNotFound } from './read.ts'
import type { Message } from './resources.ts'

export interface LabelChange {
  addLabelIds: string[]
  removeLabelIds: string[]
}

/** The result for one email. */
export interface EmailOutcome {
  id: string
  ok: boolean
  error?: string
}

/** How each action changes the labels of an email. */
const changes: Record<Exclude<ActionParameters['action'], 'delete_forever'>, LabelChange> = {
  mark_read: { addLabelIds: [], removeLabelIds: ['UNREAD'] },
  mark_unread: { addLabelIds: ['UNREAD'], removeLabelIds: [] },
  archive: { addLabelIds: [], removeLabelIds: ['INBOX'] },
  unarchive: { addLabelIds: ['INBOX'], removeLabelIds: [] },
  star: { addLabelIds: ['STARRED'], removeLabelIds: [] },
  unstar: { addLabelIds: [], removeLabelIds: ['STARRED'] },
  delete: { addLabelIds: ['TRASH'], removeLabelIds: ['INBOX'] },
}

export function emailActions(settings: GmailSettings): IntegrationAction<ActionParameters> {
  return {
    tool: gmailEmailActions,
    chooses: true,
    async run(params, context) {
      const { gmail } = await openMailbox('gmail_email_actions', params, context, settings)
      return {
        results: await changeEmails(gmail, params.message_ids, requestFor(params), context.effectBegins),
      }
    },
    async verify(params, context) {
      const { gmail } = await openMailbox('gmail_email_actions', params, context, settings)
      const { action } = params
      return await verifyChange(
        gmail,
        params.message_ids,
        action === 'delete_forever' ? undefined : changes[action],
      )
    },
  }
}

function requestFor({ action }: ActionParameters) {
  if (action === 'delete_forever')
    return (ids: string[]) => ({ path: '/messages/batchDelete', body: { ids } })
  const change = changes[action]
  return (ids: string[]) => ({ path: '/messages/batchModify', body: { ids, ...change } })
}

/**
 * Checks which of the emails exist, then changes those in one request: it happens to all of them or to none, and
 * Gmail itself silently ignores unknown ids.
 */
export async function changeEmails(
  gmail: Gmail,
  ids: readonly string[],
  request: (ids: string[]) => { path: string; body: object },
  effectBegins: () => void,
): Promise<EmailOutcome[]> {
  const unique = [...new Set(ids)]
  const labels = await labelsOfEach(gmail, unique)
  const there = unique.filter((_, index) => labels[index] !== undefined)
  if (there.length === 0) throw noneThere()
  effectBegins()
  await gmail.act({ method: 'POST', ...request(there) })
  return unique.map((id, index) =>
    labels[index] === undefined
      ? { id, ok: false, error: 'There is no email with this id.' }
      : { id, ok: true },
  )
}

function noneThere(): ToolCallError {
  return new ToolCallError(
    toolError(
      'not_found',
      'Question: There are no emails with these ids, so nothing was changed. Please search for the emails first, and use the ids that are listed.',
      { details: { parameter: 'message_ids', asked: emailsNotFound } },
    ),
  )
}

/** Whether the emails are in the desired state; repeating the change for those that are not does no harm. */
export async function verifyChange(
  gmail: Gmail,
  ids: readonly string[],
  change: LabelChange | undefined,
): Promise<Verification> {
  const labels = await labelsOfEach(gmail, [...new Set(ids)])
  const isDone = (labels: readonly string[] | undefined) => labels === undefined || isAsMeant(labels, change)
  return labels.every(isDone) ? 'sent' : 'not_sent'
}

function isAsMeant(labels: readonly string[], change: LabelChange | undefined): boolean {
  if (!change) return false
  const { addLabelIds, removeLabelIds } = change
  return (
    addLabelIds.every((label) => labels.includes(label)) &&
    !removeLabelIds.some((label) => labels.includes(label))
  )
}

/** The labels of each email, undefined for one that does not exist. */
async function labelsOfEach(gmail: Gmail, ids: readonly string[]): Promise<(string[] | undefined)[]> {
  return await eachInBatches(ids, async (id) => {
    const path = `/messages/${encodeURIComponent(id)}`
    try {
      const { labelIds = [] } = await gmail.ask<Message>({ path, query: { format: 'minimal' } })
      return labelIds
    } catch (cause) {
      const type = cause instanceof ToolCallError ? cause.toolError.errorType : undefined
      if (type === 'not_found' || type === 'invalid_value') return undefined
      throw cause
    }
  })
}
