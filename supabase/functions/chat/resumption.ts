import type { Approval, ResumeAgentOptions } from '../../../shared/loop/run-options.ts'
import type { ContinuedTurn } from './loaded-turn.ts'

/** What the user, a new connection or the clock has decided, as the engine takes it. */
export function resumptionOf({ answer, applied = [] }: ContinuedTurn): Partial<ResumeAgentOptions> {
  if (answer === undefined) {
    return {
      approval: applied.map(
        ({ toolCallId, approved, reason }): Approval => ({
          toolCallId,
          decision: approved ? 'approve' : 'deny',
          ...(reason === undefined ? {} : { reason }),
        }),
      ),
    }
  }
  const { type, toolCallId = '', values = {}, decision = 'deny', input, reason } = answer
  switch (type) {
    case 'input':
      return { answer: { toolCallId, values } }
    case 'approval':
      return {
        approval: {
          toolCallId,
          decision,
          ...(input === undefined ? {} : { input }),
          ...(reason === undefined ? {} : { reason }),
        },
      }
    case 'connection':
      return { connection: true }
    case 'wait':
      return {}
  }
}
