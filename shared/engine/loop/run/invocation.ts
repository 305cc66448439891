import type { CallState } from '../../transcript/loop-state.ts'
import { typedMessages } from '../../transcript/typed-messages.ts'
import type { Invocation } from './ledger.ts'
import type { RoundCall } from './round-call.ts'
import type { Run } from './run.ts'
import { meaningOf } from './sameness.ts'

/** The ledger row for a call. */
export function describeInvocation(run: Run, { call, specification, state, needs }: RoundCall): Invocation {
  const { continues } = call
  const item = state.decided?.question ?? (continues && run.state.items.get(continues)?.question) ?? undefined
  const knows =
    item && (item.reason === 'repetition' || item.reason === 'unknown') && state.decided !== undefined
  const isWrite = call.effect === 'write' && typeof call.input === 'object'
  const siblings = isWrite ? listSiblings(run, state) : []
  return {
    id: crypto.randomUUID(),
    runId: run.state.run?.runId ?? '',
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    effect: call.effect,
    attempt: call.attempt,
    intent: call.intent,
    arguments: call.input,
    repairs: call.repairs,
    repetition: call.repetition ?? 0,
    ...(isWrite
      ? {
          meaning: meaningOf(specification, call.input as Record<string, unknown>, run.user),
          typed: typedMessages(run.entries),
        }
      : {}),
    ...(siblings.length > 0 ? { siblings } : {}),
    ...(item ? { itemAskedAt: item.since ?? item.askedAt } : {}),
    ...(knows ? { coveredUntil: item.since ?? item.askedAt } : {}),
    ...(continues === undefined ? {} : { continues }),
    ...(needs ? { needs } : {}),
  }
}

/** Other calls of the tool in the same model reply. */
function listSiblings({ state }: Run, { call, step }: CallState): string[] {
  return [...state.calls.values()]
    .filter((other) => other.step === step && other.call.toolName === call.toolName)
    .map((other) => other.call.toolCallId)
    .filter((id) => id !== call.toolCallId)
}
