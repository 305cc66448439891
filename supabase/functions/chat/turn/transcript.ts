import { briefEntry } from '../../../../shared/engine/transcript/brief-entry.ts'
import type { Call, Entry, PriorWrite, Result } from '../../../../shared/engine/transcript/entry.ts'
import { beginsTurn } from '../../../../shared/engine/transcript/turn-start.ts'
import { withLaterOutcomes } from '../entries/later-outcome.ts'
import { createFindTool } from '../entries/tool-of-call.ts'
import { callsWithoutEnd, endCall, leaveRunning, shorten } from '../entries/unreported-write.ts'
import type { LoadedTurn } from './loaded-turn.ts'

/**
 * The entries that a run continues: the history, in which every call has an end and what is long is brief, and the
 * unchanged entries of its own message. A write of an earlier turn ends as the ledger says, each time it is read: the
 * ledger may know more by then.
 */
export function readTranscript({
  history,
  olderMessages,
  entries,
  unreportedWrites,
  tools,
}: LoadedTurn): Entry[] {
  const ledger = new Map(unreportedWrites.map((write) => [write.toolCallId, write]))
  const findTool = createFindTool(tools)
  // Those that were asked about again may have ended in a later message.
  const endsLater = ({ toolCallId }: Call, index: number) =>
    history
      .slice(index + 1)
      .some(({ entries }) => entries.some((entry) => isResult(entry) && entry.toolCallId === toolCallId))
  const earlier = history.flatMap((message, index) => {
    const open = callsWithoutEnd(message.entries).filter((call) => !endsLater(call, index))
    const ends = open.flatMap((call) => {
      const write = ledger.get(call.toolCallId)
      return write?.status === 'running' ? leaveRunning(call) : endCall(call, write)
    })
    return [...withLaterOutcomes(message.entries, unreportedWrites, findTool), ...ends]
  })
  const asked = earlier.findLastIndex(beginsTurn)
  const first = earlier.findIndex(({ type }) => type === 'user-message')
  const before = earlier.map((entry, index) => {
    // Those that were stored without a brief.
    const read = index < asked ? (briefEntry(entry, (id) => findTool(id, earlier)) ?? entry) : entry
    return index === first && olderMessages > 0 ? { ...read, older: olderMessages } : read
  })
  return [...before, ...entries]
}

/** Writes that the entries do not contain: from messages that were replaced, or that are too far back to be read. */
export function readPriorWrites({ priorWrites, history }: LoadedTurn): PriorWrite[] {
  if (priorWrites.length === 0) return []
  const known = new Set(
    history.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.type === 'call' ? [entry.toolCallId] : [])),
    ),
  )
  return priorWrites
    .filter(({ isEarlier, write }) => !isEarlier || !known.has(write.toolCallId))
    .map(({ write, done, isEarlier, isAsked }) => {
      const { toolName, toolCallId, arguments: args, at, repetition, status, isSecond, result } = write
      return {
        ...{ toolName, arguments: args, at, repetition, status },
        ...(done === null ? {} : { done }),
        ...(isAsked ? { isAsked } : {}),
        ...(isSecond && status !== 'succeeded' ? { isSecond } : {}),
        ...(isEarlier ? { isEarlier } : { toolCallId }),
        ...(result ? { result: shorten(result).result } : {}),
      }
    })
}

function isResult(entry: Entry): entry is Result {
  return entry.type === 'result'
}
