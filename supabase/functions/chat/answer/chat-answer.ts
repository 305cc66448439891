import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { type Answer, projectAnswer } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { bindApprovals, type PendingCall } from './pending-call.ts'
import type { RunView } from './run-view.ts'
import { projectUiMessage, type UiMessage, withoutClosed } from './ui-message.ts'

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
  const { pending: asked, message, ...answer } = projectChatAnswer(view, view.entries, view.tools)
  const open = new Set(view.pending.map(({ toolCallId }) => toolCallId))
  const pending = asked?.filter(({ toolCallId }) => open.has(toolCallId))
  return {
    ...answer,
    message: withoutClosed(message, (toolCallId) => open.has(toolCallId)),
    // A run that waited for the clock is stopped by the next message.
    ...(view.status === 'stopped' ? { status: 'failed' as const } : {}),
    ...(pending?.length ? { pending } : {}),
  }
}
