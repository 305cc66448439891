import type {
  Approval,
  Connected,
  FormAnswer,
  ResumeAgentOptions,
} from '../../../../shared/engine/loop/run/run-options.ts'
import type { DecidedBy } from '../../../../shared/engine/transcript/entry.ts'
import type { Decision } from './decision.ts'

/** The decisions in the engine's format; if none of the three is present, it is the clock. */
export function applyDecisions(
  decisions: readonly Decision[],
): Pick<ResumeAgentOptions, 'answer' | 'approval' | 'connection' | 'skip'> {
  const form = decisions.find(({ type }) => type === 'input')
  const connection = decisions.find(({ type }) => type === 'connection')
  const skip = decisions.find(({ type }) => type === 'skip')
  const approvals = decisions.filter(({ type }) => type === 'approval').map(toApproval)
  return {
    ...(form ? { answer: toFormAnswer(form) } : {}),
    approval: approvals.length > 0 ? approvals : undefined,
    connection: connection && toConnection(connection),
    skip: skip && { itemId: skip.itemId ?? '', ...byOf(skip) },
  }
}

function toConnection({ itemId = '', asksFirst = false }: Decision): Connected {
  return { itemId, asksFirst: asksFirst || undefined }
}

function toFormAnswer({ itemId = '', values = {}, by }: Decision): FormAnswer {
  return { itemId, values, ...byOf({ by }) }
}

function toApproval({
  itemId = '',
  toolCallId = '',
  decision = 'deny',
  values,
  input,
  reason,
  by,
  approvedBy,
}: Decision): Approval {
  return {
    toolCallId,
    approvalId: itemId,
    decision,
    values,
    input,
    reason: reason || undefined,
    ...byOf({ by }),
    ...(approvedBy ? { approvedBy } : {}),
  }
}

function byOf({ by }: { by?: DecidedBy | undefined }): { by?: DecidedBy } {
  return by ? { by } : {}
}
