import type { Entry, OwnSaid, Result } from '../../../../shared/engine/transcript/entry.ts'
import { titleOf } from '../../../../shared/engine/wording/tool-title.ts'
import type { FindTool } from './tool-of-call.ts'
import { shorten, type UnreportedWrite } from './unreported-write.ts'

/**
 * The entries of a message with what became known after them: a write that ended as unknown or denied, and of which the
 * ledger now knows that it was done, ends as done, and the end of its run says so. So does one whose repetition has
 * failed. The stored entries stay as they are.
 */
export function withLaterOutcomes(
  entries: readonly Entry[],
  unreported: readonly UnreportedWrite[],
  findTool: FindTool,
): readonly Entry[] {
  const done = new Map(unreported.filter(isDone).map((write) => [write.toolCallId, write]))
  if (done.size === 0) return entries
  const shown: Entry[] = [...entries]
  for (const [toolCallId, write] of done) {
    const index = entries.findLastIndex(
      (entry) => (entry.type === 'call' || entry.type === 'result') && entry.toolCallId === toolCallId,
    )
    const last = entries[index]
    const call = entries.find((entry) => entry.type === 'call' && entry.toolCallId === toolCallId)
    // One that was made again and has no end yet gets it elsewhere.
    if (call?.type !== 'call' || last?.type !== 'result' || last.result.ok) continue
    shown[index] = succeeded(last, write)
    const wasTold = entries.some(
      (entry) => entry.type === 'result' && entry.toolCallId === toolCallId && entry.result.ok,
    )
    if (wasTold) continue
    const end = shown.findIndex((entry, place) => place > index && entry.type === 'run-end')
    const ending = shown[end]
    const title = titleOf(findTool(toolCallId, entries) ?? { name: call.toolName })
    if (ending?.type === 'run-end') {
      shown[end] = { ...ending, ours: [...(ending.ours ?? []), doneAfterAll(title, call.toolName)] }
    }
  }
  return shown
}

function isDone({ status, result }: UnreportedWrite): boolean {
  return status === 'succeeded' && result?.ok !== false
}

function succeeded({ type, toolCallId, durationMs }: Result, { result }: UnreportedWrite): Result {
  const outcome = shorten(result ?? { ok: true, data: null })
  return { type, toolCallId, status: 'succeeded', ...outcome, tries: 1, durationMs }
}

function doneAfterAll(tool: string, toolName: string): OwnSaid {
  return { code: 'done_after_all', values: { tools: [tool], toolNames: [toolName] } }
}
