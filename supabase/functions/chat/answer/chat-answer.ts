import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { type Answer, type Pending, projectAnswer } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { approvalId } from '../entries/approval-id.ts'
import type { RunView } from './run-view.ts'
import { projectUiMessage, type UiMessage } from './ui-message.ts'

/** A question as clients are shown it; an approval says which one it is. */
export type PendingCall = Pending & { approvalId?: string }

/** The JSON answer of `POST chat`, `/answer`, `/approval` and `/resume`. */
export interface ChatAnswer extends Answer {
  conversationId: string
  runId: string
  message: UiMessage
  pending?: PendingCall[]
}

/** Which message of which conversation a run has written. */
export interface RunPlace {
  conversationId: string
  runId: string
  messageId: string
}

/** The answer of a run: the entries are those of its message. */
export function projectChatAnswer(
  { conversationId, runId, messageId }: RunPlace,
  entries: readonly Entry[],
  tools: readonly ToolSpecification[],
): ChatAnswer {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const { status, text, toolsUsed, usage, pending } = projectAnswer(entries, byName)
  const message = projectUiMessage({ conversationId, runId, messageId }, entries, byName)
  return {
    conversationId,
    runId,
    status,
    text,
    message,
    toolsUsed,
    usage,
    ...(pending ? { pending: bindApprovals(pending, entries) } : {}),
  }
}

/** The answer of a run that has ended, told again: as it was, but for what is no longer open. */
export function answerAgain(view: RunView): ChatAnswer {
  const { pending: asked, ...answer } = projectChatAnswer(view, view.entries, view.tools)
  const open = new Set(view.pending.map(({ toolCallId }) => toolCallId))
  const pending = asked?.filter(({ toolCallId }) => open.has(toolCallId))
  return {
    ...answer,
    // A run that waited for the clock is stopped by the next message.
    ...(view.status === 'stopped' ? { status: 'failed' as const } : {}),
    ...(pending?.length ? { pending } : {}),
  }
}

/** Gives each approval its id. */
export function bindApprovals(pending: readonly Pending[], entries: readonly Entry[]): PendingCall[] {
  return pending.map((wait) => {
    if (wait.type !== 'approval') return wait
    const question = entries.findLast(
      (entry) => entry.type === 'question' && entry.toolCallId === wait.toolCallId,
    )
    return question?.type === 'question' ? { ...wait, approvalId: approvalId(question) } : wait
  })
}
