import { type ToolResult, toolError } from '../../../../shared/engine/core/tool-error.ts'
import { outcomeUnknown } from '../../../../shared/engine/failures/outcome-unknown.ts'
import { shortenOutput } from '../../../../shared/engine/tools/shorten-output.ts'
import type { Call, Entry, PriorWrite, Result } from '../../../../shared/engine/transcript/entry.ts'
import type { HistoryMessage, LoadedTurn, UnreportedWrite } from './loaded-turn.ts'

/**
 * The entries that a run goes on from: the history, in which every call has an end, and what is written of its own
 * message, as it is. A write whose process died in an earlier turn ends as the ledger says, each time it is read: it
 * may know more by then.
 */
export function readTranscript({ history, entries, unreportedWrites }: LoadedTurn): Entry[] {
  const ledger = new Map(unreportedWrites.map((write) => [write.toolCallId, write]))
  const ended = new Set(
    history.flatMap((message) => message.entries.filter(isResult)).map(({ toolCallId }) => toolCallId),
  )
  const earlier = history.flatMap((message) => {
    const open = callsWithoutEnd(message).filter((call) => !ended.has(call.toolCallId))
    return [...message.entries, ...open.flatMap((call) => endCall(call, ledger.get(call.toolCallId)))]
  })
  return [...earlier, ...entries]
}

/** The writes that the entries do not tell of: of messages that were replaced, or that are too far back to be read. */
export function readPriorWrites({ priorWrites, history }: LoadedTurn): PriorWrite[] {
  const told = new Set(
    history.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.type === 'call' ? [entry.toolCallId] : [])),
    ),
  )
  return priorWrites
    .filter(({ isEarlier, toolCallId }) => !isEarlier || !told.has(toolCallId))
    .map(({ result, isEarlier, isAsked, toolCallId, ...write }) => ({
      ...write,
      ...(isAsked ? { isAsked } : {}),
      ...(isEarlier ? { isEarlier } : { toolCallId }),
      ...(result ? { result: shorten(result).result } : {}),
    }))
}

/** The ledger keeps results whole; what a model reads of them stands in the entries. */
function shorten(result: ToolResult): { result: ToolResult; note?: string } {
  if (!result.ok) return { result }
  const { data, note } = shortenOutput(result.data ?? null)
  return { result: { ok: true, data }, ...(note === undefined ? {} : { note }) }
}

/** The calls of complete steps that nobody was asked about. Time has passed for those that waited for the clock. */
function callsWithoutEnd({ entries }: HistoryMessage): Call[] {
  const calls = new Map<string, Call>()
  let step: Call[] | undefined
  for (const entry of entries) {
    if (entry.type === 'run-start') step = undefined
    else if (entry.type === 'step-start') step = []
    else if (entry.type === 'step-end') {
      for (const call of step ?? []) calls.set(call.toolCallId, call)
      step = undefined
    } else if (entry.type === 'call') {
      if (step) step.push(entry)
      else calls.set(entry.toolCallId, entry)
    } else if (entry.type === 'question' && entry.kind !== 'wait') calls.delete(entry.toolCallId)
  }
  return [...calls.values()]
}

/** What a claimed write went on with is closed: it was when it was claimed. */
function endCall({ toolCallId, continues }: Call, write: UnreportedWrite | undefined): Entry[] {
  const { status, result } = findOutcome(write)
  const tries = write && status !== 'cancelled' ? 1 : 0
  const about = { ...shorten(result), tries, durationMs: write?.durationMs ?? 0 }
  const end: Result = { type: 'result', toolCallId, status, ...about }
  return tries > 0 && continues !== undefined
    ? [end, { type: 'closed', itemId: continues, toolCallId, as: 'replaced' }]
    : [end]
}

function findOutcome(write: UnreportedWrite | undefined): Pick<Result, 'status' | 'result'> {
  if (!write || write.status === 'pending') return neverRan
  const { status, result } = write
  if (status === 'succeeded') return { status, result: result ?? { ok: true, data: null } }
  if (status === 'running' || status === 'unknown') {
    return { status: 'unknown', result: result ?? outcomeUnknown() }
  }
  return result ? { status, result } : neverRan
}

const neverRan = {
  status: 'cancelled',
  result: toolError('cancelled', 'This was stopped before it ran, so nothing was done.'),
} as const

function isResult(entry: Entry): entry is Result {
  return entry.type === 'result'
}
