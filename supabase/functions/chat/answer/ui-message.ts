import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { type Answer, projectAnswer, projectToolUses } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry, OwnText, UserMessage } from '../../../../shared/engine/transcript/entry.ts'
import { isStoredFile } from '../../../../shared/engine/transcript/file-content.ts'
import { MessageParts, textPart } from './message-parts.ts'
import type { MessagePart } from './part-list.ts'
import { bindApprovals, type PendingCall } from './pending-call.ts'

/** A message as AI SDK clients show it. */
export interface UiMessage {
  id: string
  role: 'user' | 'assistant'
  parts: MessagePart[]
  metadata?: Record<string, unknown>
}

/**
 * What an assistant message says of its run besides its parts. `pending` is there when nothing is: clients lay each
 * metadata over the one before.
 */
export interface AnswerMetadata extends Pick<Answer, 'status' | 'usage'> {
  pending: PendingCall[]
  /** Milliseconds that each call of the message took. */
  toolTimes: Record<string, number>
  /** Which of its texts are our own sentences, and what each says. */
  texts?: OwnText[]
}

/** An assistant message: what is written of it up to the end of its last run. `tools` by name, for forms. */
export function projectUiMessage(
  { conversationId, runId, messageId }: { conversationId: string; runId: string; messageId: string },
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): UiMessage {
  const { status, usage, text, pending: asked = [] } = projectAnswer(entries, tools)
  const ended = entries.slice(0, entries.findLastIndex(({ type }) => type === 'run-end') + 1)
  const parts = ended.length > 0 ? projectParts(ended, tools) : [{ type: 'step-start' }, textPart(text)]
  const times = projectToolUses(entries).map(({ toolCallId, durationMs }) => [toolCallId, durationMs])
  const texts = ended.flatMap((entry) => (entry.type === 'run-end' ? (entry.ours ?? []) : []))
  const metadata: AnswerMetadata = {
    status,
    usage,
    pending: bindApprovals(asked, entries),
    toolTimes: Object.fromEntries(times),
    ...(texts.length > 0 ? { texts } : {}),
  }
  return { id: messageId, role: 'assistant', parts, metadata: { conversationId, runId, ...metadata } }
}

/** The message without questions that can no longer be answered. */
export function withoutClosed(message: UiMessage, isOpen: (toolCallId: string) => boolean): UiMessage {
  const { metadata } = message
  if (!metadata || !Array.isArray(metadata.pending)) return message
  const pending = metadata.pending.filter(({ toolCallId }) => isOpen(toolCallId))
  return { ...message, metadata: { ...metadata, pending } }
}

/** The parts that entries come to. */
export function projectParts(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): MessagePart[] {
  const message = new MessageParts(tools)
  for (const entry of entries) message.take(entry)
  return [...message.list]
}

/** The parts of a message of the user. `sign` makes the address by which a browser gets a stored file. */
export async function projectUserParts(
  { content }: UserMessage,
  sign: (fileId: string) => Promise<string>,
): Promise<MessagePart[]> {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return await Promise.all(
    content.map(async (part) => {
      if (!isStoredFile(part)) return { ...part }
      const { type, mediaType, filename, file_id } = part
      return { type, mediaType, filename, url: await sign(file_id) }
    }),
  )
}
