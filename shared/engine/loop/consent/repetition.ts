import { callKey, canonicalJson } from '../../core/canonical-json.ts'
import type { PriorWrite } from '../../transcript/entry.ts'
import type { CallState, LoopState } from '../../transcript/loop-state.ts'
import { itemOfCall } from '../../transcript/open-items.ts'
import type { DoneBefore } from '../run/ledger.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'
import { isSameEffect } from '../run/sameness.ts'
import { besideCall } from '../run/still-waiting.ts'

/**
 * The write that a call would repeat, which was, or may have been, carried out before: for the same message by
 * another run or a process that died, or for any message with an unknown outcome. With equal arguments, or the same in
 * other words. Undefined if there is none.
 */
export function findRepetition(
  run: Run,
  call: RoundCall,
  args: Record<string, unknown>,
): DoneBefore | undefined {
  const prior = writesBefore(run, call).filter(
    (write) =>
      write.toolName === call.call.toolName && isSameEffect(call.specification, write.arguments, args),
  )
  const newest = prior.findLast(isDone) ?? prior.at(-1)
  if (!newest) return undefined
  const same = prior.filter((write) => canonicalJson(write.arguments) === canonicalJson(args))
  const { arguments: earlier, at, status = 'succeeded', isSecond = false } = newest
  const before = same.map(({ repetition = 0 }) => repetition + 1)
  return {
    write: { arguments: earlier, at: at || undefined, status, isSecond },
    nextRepetition: Math.max(call.call.repetition ?? 0, ...before),
  }
}

function writesBefore(run: Run, { call, state: own, key }: RoundCall): PriorWrite[] {
  const { state } = run
  const isNew = own.index > state.recoveredIndex
  const ofTheDead = isNew ? state.writes.filter(({ index }) => index <= state.recoveredIndex) : []
  const unknown = [...state.writes, ...state.calls.values()].filter(isUnknown)
  // The model was told that it is done, and calls it again.
  const insisted = state.reportedDone.has(key) ? state.writes.filter((write) => write.key === key) : []
  const before = new Set([...ofTheDead, ...insisted, ...unknown])
  before.delete(own)
  if (before.size === 0) return [...state.priorWrites]
  const beside = besideCall(run, call.toolCallId)
  for (const write of before) if (beside.has(write.call.toolCallId) && write.key !== key) before.delete(write)
  return [...state.priorWrites, ...[...before].map(describeWrite)]
}

function isUnknown({ result }: CallState): boolean {
  return result?.status === 'unknown'
}

function describeWrite(write: CallState): PriorWrite {
  const { toolName, input, repetition = 0 } = write.call
  return {
    toolName,
    arguments: typeof input === 'object' ? input : {},
    at: write.call.startedAt,
    repetition,
    status: isUnknown(write) ? 'unknown' : 'succeeded',
    isSecond: write.result?.isSecond === true,
  }
}

/**
 * Writes of replaced answers to this message that may have happened, that nobody has repeated since, and about which
 * nobody was asked in this one.
 */
export function findUnaskedWrites(state: LoopState): UnaskedWrite[] {
  return state.priorWrites.filter((write): write is UnaskedWrite => {
    const { toolCallId, repetition = 0, isAsked = false } = write
    if (toolCallId === undefined || isAsked || isDone(write)) return false
    const wasAsked = state.calls.has(toolCallId) || itemOfCall(state.items, toolCallId) !== undefined
    const wasDoneAgain = state.priorWrites.some(
      (other) => (other.repetition ?? 0) > repetition && keyOfWrite(other) === keyOfWrite(write),
    )
    return !wasAsked && !wasDoneAgain
  })
}

export type UnaskedWrite = PriorWrite & { toolCallId: string }

/** One that the ledger still has as running may have happened, too: its process may have just died. */
function isDone({ status = 'succeeded' }: PriorWrite): boolean {
  return status === 'succeeded'
}

function keyOfWrite({ toolName, arguments: args }: PriorWrite): string {
  return callKey(toolName, args)
}
