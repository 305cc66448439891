import { createToolCallId } from '../../core/identifiers.ts'
import { saidError } from '../../core/tool-error.ts'
import type { Call } from '../../transcript/entry.ts'
import type { DecidedCall } from '../../transcript/loop-state.ts'
import { append, type Run } from '../run/run.ts'
import { carryOut } from './decisions.ts'

/** Makes the calls that decisions allow to continue, each under its own id. */
export function makeDecidedCalls(run: Run): undefined {
  for (const decided of [...run.state.decidedCalls]) append(run, toCall(run, decided))
}

function toCall(run: Run, { decision, question }: DecidedCall): Call {
  const { state, specifications, limits } = run
  const carried = carryOut(run, question, decision)
  const { toolName, args } =
    'type' in carried ? { toolName: question.toolName, args: question.arguments } : carried
  const earlier = state.calls.get(question.toolCallId)?.call
  const specification = specifications.get(toolName)
  if (!specification) run.refusals.set(question.toolCallId, goneError())
  const attempt = earlier?.attempt ?? 1
  const isFilledIn = question.open.length > 0 && ['answer', 'approve', 'draft'].includes(decision.decision)
  // A completed form is a different call from the one that was approved; what a server is answered is no part of it.
  const isFilled = decision.decision === 'answer' && !question.server
  const isApproval = decision.decision === 'approve' || decision.decision === 'draft'
  const approved = isApproval || (!isFilled && earlier?.approved === true)
  const repetition = toolName === question.toolName ? (question.repetition ?? earlier?.repetition ?? 0) : 0
  return {
    type: 'call',
    toolCallId: question.toolCallId,
    messageId: createToolCallId(),
    name: toolName,
    toolName,
    effect: specification?.effect ?? 'write',
    prepared: true,
    input: args,
    repairs:
      earlier && toolName === earlier.toolName && (question.kind !== 'input' || question.server)
        ? earlier.repairs
        : [],
    intent: question.intent,
    attempt: isFilledIn ? Math.min(attempt + 1, limits.maxAttempts) : attempt,
    startedAt: new Date(run.clock.now()).toISOString(),
    ...(repetition > 0 ? { repetition } : {}),
    approved: approved ? true : undefined,
  }
}

/** The tool was taken from the agent after somebody was asked. */
function goneError() {
  return saidError('execution_error', { code: 'tool_gone' })
}
