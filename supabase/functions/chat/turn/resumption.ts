import type {
  Approval,
  Connected,
  FormAnswer,
  ResumeAgentOptions,
} from '../../../../shared/engine/loop/run/run-options.ts'
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
    ...(approvals.length > 0 ? { approval: approvals } : {}),
    ...(connection ? { connection: toConnection(connection) } : {}),
    ...(skip ? { skip: { itemId: skip.itemId ?? '' } } : {}),
  }
}

function toConnection({ itemId = '', asksFirst = false }: Decision): Connected {
  return { itemId, ...(asksFirst ? { asksFirst } : {}) }
}

function toFormAnswer({ itemId = '', values = {} }: Decision): FormAnswer {
  return { itemId, values }
}

function toApproval({
  itemId = '',
  toolCallId = '',
  decision = 'deny',
  values,
  input,
  reason,
}: Decision): Approval {
  return {
    toolCallId,
    approvalId: itemId,
    decision,
    ...(values ? { values } : {}),
    ...(input ? { input } : {}),
    ...(reason ? { reason } : {}),
  }
}
