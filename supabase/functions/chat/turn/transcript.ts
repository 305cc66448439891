import { briefEntry } from '../../../../shared/engine/transcript/brief-entry.ts'
import type { Entry, PriorWrite, Result } from '../../../../shared/engine/transcript/entry.ts'
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
  const earlier = history.flatMap((message, index) => {
    // Those that were asked about again may have ended in a later message.
    const later = new Set(history.slice(index + 1).flatMap((one) => one.entries.filter(isResult).map(callOf)))
    const open = callsWithoutEnd(message.entries).filter((call) => !later.has(call.toolCallId))
    const ends = open.flatMap((call) => {
      const write = ledger.get(call.toolCallId)
      return write?.status === 'running' ? leaveRunning(call) : endCall(call, write)
    })
    return [...withLaterOutcomes(message.entries, unreportedWrites, findTool), ...ends]
  })
  const asked = earlier.findLastIndex(({ type }) => type === 'user-message')
  const first = earlier.findIndex(({ type }) => type === 'user-message')
  const told = earlier.map((entry, index) => {
    // Those that were stored without a brief.
    const read = index < asked ? (briefEntry(entry, (id) => findTool(id, earlier)) ?? entry) : entry
    return index === first && olderMessages > 0 ? { ...read, older: olderMessages } : read
  })
  return [...told, ...entries]
}

/** Writes that the entries do not contain: from messages that were replaced, or that are too far back to be read. */
export function readPriorWrites({ priorWrites, history }: LoadedTurn): PriorWrite[] {
  const told = new Set(
    history.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.type === 'call' ? [entry.toolCallId] : [])),
    ),
  )
  return priorWrites
    .filter(({ isEarlier, write }) => !isEarlier || !told.has(write.toolCallId))
    .map(({ write, summary, isEarlier, isAsked }) => {
      const { toolName, toolCallId, arguments: args, at, repetition, status, isSecond, result } = write
      return {
        ...{ toolName, arguments: args, at, repetition, status },
        ...(summary === null ? {} : { summary }),
        ...(isAsked ? { isAsked } : {}),
        ...(isSecond && status !== 'succeeded' ? { isSecond } : {}),
        ...(isEarlier ? { isEarlier } : { toolCallId }),
        ...(result ? { result: shorten(result).result } : {}),
      }
    })
}

const callOf = ({ toolCallId }: Result): string => toolCallId

function isResult(entry: Entry): entry is Result {
  return entry.type === 'result'
}
