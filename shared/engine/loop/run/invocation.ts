import { isAnswerTo } from '../../transcript/answered-calls.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import { typedMessages } from '../../transcript/typed-messages.ts'
import { yieldsTo } from './ask.ts'
import type { Invocation } from './ledger.ts'
import type { RoundCall } from './round-call.ts'
import type { Run } from './run.ts'
import { meaningOf } from './sameness.ts'
import { besideCall } from './still-waiting.ts'

/** The ledger row for a call. */
export function describeInvocation(run: Run, { call, specification, state, needs }: RoundCall): Invocation {
  const { continues } = call
  const item = state.decided?.question ?? (continues && run.state.items.get(continues)?.question) ?? undefined
  const knows =
    item && (item.reason === 'repetition' || item.reason === 'unknown') && state.decided !== undefined
  const yields = continues !== undefined && item && yieldsTo(run, item, { ...call, arguments: call.input })
  const isWrite = call.effect === 'write' && typeof call.input === 'object'
  const siblings = isWrite ? listSiblings(run, state) : []
  const beside = isWrite && state.decided ? [...besideCall(run, call.toolCallId)] : []
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
    meaning: isWrite ? meaningOf(specification, call.input as Record<string, unknown>, run.user) : undefined,
    typed: isWrite ? typedMessages(run.entries) : undefined,
    siblings: siblings.length > 0 ? siblings : undefined,
    beside: beside.length > 0 ? beside : undefined,
    itemAskedAt: item ? (item.since ?? item.askedAt) : undefined,
    coveredUntil: knows ? (item.since ?? item.askedAt) : undefined,
    continues,
    yields: yields || undefined,
    needs,
    unasked: isWrite && !run.entries.some((entry) => isAnswerTo(entry, call.toolCallId)) ? true : undefined,
  }
}

/** Other calls of the tool in the same model reply. */
function listSiblings({ state }: Run, { call, step }: CallState): string[] {
  return [...state.calls.values()]
    .filter((other) => other.step === step && other.call.toolName === call.toolName)
    .map((other) => other.call.toolCallId)
    .filter((id) => id !== call.toolCallId)
}
