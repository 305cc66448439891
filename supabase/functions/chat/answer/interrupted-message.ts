import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { summarize } from '../../../../shared/engine/loop/ending/summary.ts'
import { projectToolUses } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { callsWithoutEnd, endCall, type UnreportedWrite } from '../entries/unreported-write.ts'

/**
 * A message whose last run died after a call or a decision had a result: with the ledger's record of its writes, and an
 * end that says so, as long as nobody continues it. Returns any other message unchanged.
 */
export function endInterrupted(
  entries: readonly Entry[],
  unreported: readonly UnreportedWrite[],
  tools: ReadonlyMap<string, ToolSpecification>,
): readonly Entry[] {
  const last = entries.slice(entries.findLastIndex(({ type }) => type === 'run-end') + 1)
  const ledger = new Map(unreported.map((write) => [write.toolCallId, write]))
  const ends = callsWithoutEnd(last).flatMap((call) => {
    const write = ledger.get(call.toolCallId)
    return write ? endCall(call, write) : []
  })
  const isSeen = last.some(({ type }) => type === 'result' || type === 'decision')
  if (ends.length === 0 && !isSeen) return entries
  const ours = summarize({ code: 'interrupted' }, projectToolUses([...last, ...ends]), tools)
  return [...entries, ...ends, { type: 'run-end', status: 'failed', text: '', ours }]
}
