import { Question, saidError, ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { GoogleFailure } from '../../../shared/integrations/google/google-failure.ts'
import type { IntegrationAction } from '../../../shared/server/integration-function/integration-action.ts'
import type { Gmail, GmailSettings } from './gmail.ts'
import { gmailManageLabels } from './integration.ts'
import { findLabels, isSame, listLabels } from './labels.ts'
import { openMailbox } from './mailbox.ts'
import { changeEmails, type LabelChange, verifyChange } from './organise.ts'
import type { LabelParameters } from './parameters.ts'
import type { Label } from './resources.ts'

export function manageLabels(settings: GmailSettings): IntegrationAction<LabelParameters> {
  return {
    tool: gmailManageLabels,
    chooses: true,
    async run(params, context) {
      const { gmail } = await openMailbox('gmail_manage_labels', params, context, settings)
      if (params.action === 'list') return { labels: (await listLabels(gmail)).map(show) }
      const name = nameOf(params)
      if (params.action === 'create') {
        context.effectBegins()
        return { labels: [show(await create(gmail, name))] }
      }
      const ids = idsOf(params)
      const change = changeOf(params, await labelOf(gmail, name))
      const request = (ids: string[]) => ({ path: '/messages/batchModify', body: { ids, ...change } })
      return { results: await changeEmails(gmail, ids, request, context.effectBegins) }
    },
    async verify(params, context) {
      const { gmail } = await openMailbox('gmail_manage_labels', params, context, settings)
      const { action, label_name: name = '' } = params
      if (action === 'list') return 'not_sent'
      const label = (await listLabels(gmail)).find((one) => isSame(one.name, name))
      if (action === 'create') return label ? 'sent' : 'not_sent'
      return label ? await verifyChange(gmail, params.message_ids ?? [], changeOf(params, label)) : 'unknown'
    },
  }
}

function show({ id, name, type = 'user' }: Label) {
  return { id, name, type }
}

async function create(gmail: Gmail, name: string): Promise<Label> {
  try {
    return await gmail.act<Label>({ method: 'POST', path: '/labels', body: { name } })
  } catch (cause) {
    if (!(cause instanceof GoogleFailure && cause.status === 409)) throw cause
    const details = { parameter: 'label_name', value: name }
    throw new ToolCallError(
      saidError('conflict', { code: 'label_exists', values: { label: name } }, { details }),
    )
  }
}

async function labelOf(gmail: Gmail, name: string): Promise<Label> {
  const [label] = await findLabels(gmail, [name], 'label_name')
  return label as Label
}

function changeOf({ action }: LabelParameters, { id }: Label): LabelChange {
  return action === 'apply'
    ? { addLabelIds: [id], removeLabelIds: [] }
    : { addLabelIds: [], removeLabelIds: [id] }
}

/** Required by every action except `list`, which a shared schema cannot express. */
function nameOf({ label_name: name }: LabelParameters): string {
  if (name !== undefined) return name
  throw new Question('Which label is this about? Please provide its name.', missing('label_name'))
}

function idsOf({ message_ids: ids }: LabelParameters): string[] {
  if (ids !== undefined) return ids
  throw new Question(
    'Which emails is this about? Please provide the ids of the emails.',
    missing('message_ids'),
  )
}

function missing(parameter: string) {
  const values = { toolName: 'gmail_manage_labels', parameter }
  return { parameter, said: { code: 'value_missing', values } } as const
}
