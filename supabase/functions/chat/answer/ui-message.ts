import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { projectAnswer } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry, UserMessage } from '../../../../shared/engine/transcript/entry.ts'
import { type MessagePart, MessageParts, textPart } from './message-parts.ts'

/** A message as AI SDK clients show it. */
export interface UiMessage {
  id: string
  role: 'user' | 'assistant'
  parts: MessagePart[]
  metadata?: Record<string, unknown>
}

/** An assistant message: what is written of it up to the end of its last run. `tools` by name, for forms. */
export function projectUiMessage(
  { conversationId, runId, messageId }: { conversationId: string; runId: string; messageId: string },
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): UiMessage {
  const { status, usage, text } = projectAnswer(entries, tools)
  const ended = entries.slice(0, entries.findLastIndex(({ type }) => type === 'run-end') + 1)
  const parts = ended.length > 0 ? projectParts(ended, tools) : [{ type: 'step-start' }, textPart(text)]
  return { id: messageId, role: 'assistant', parts, metadata: { conversationId, runId, status, usage } }
}

/** The parts that entries come to. */
export function projectParts(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): MessagePart[] {
  const message = new MessageParts(tools)
  for (const entry of entries) message.take(entry)
  return message.list
}

/** The parts of a message of the user. Files stand there as they are stored for clients: without their bytes. */
export function projectUserParts({ content }: UserMessage): MessagePart[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.map((part) => ({ ...part }))
}
