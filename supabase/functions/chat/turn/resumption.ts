import type { Answer, Approval, ResumeAgentOptions } from '../../../../shared/engine/loop/run-options.ts'
import type { Decision } from '../request/decision.ts'

/** What was decided, as the engine takes it; none of the three is the clock. */
export function applyDecisions(
  decisions: readonly Decision[],
): Pick<ResumeAgentOptions, 'answer' | 'approval' | 'connection'> {
  const form = decisions.find(({ type }) => type === 'input')
  const approvals = decisions.filter(({ type }) => type === 'approval').map(toApproval)
  return {
    ...(form ? { answer: toAnswer(form) } : {}),
    ...(approvals.length > 0 ? { approval: approvals } : {}),
    ...(decisions.some(({ type }) => type === 'connection') ? { connection: true as const } : {}),
  }
}

function toAnswer({ toolCallId = '', values = {} }: Decision): Answer {
  return { toolCallId, values }
}

function toApproval({ toolCallId = '', decision = 'deny', input, reason }: Decision): Approval {
  return {
    toolCallId,
    decision,
    ...(input ? { input } : {}),
    ...(reason ? { reason } : {}),
  }
}
