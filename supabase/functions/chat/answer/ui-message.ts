import type { MessageMetadata } from '../../../../shared/api/message.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { projectAnswer, projectToolUses } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry, UserMessage } from '../../../../shared/engine/transcript/entry.ts'
import { isStoredFile } from '../../../../shared/engine/transcript/file-content.ts'
import { inputsIn, sayTexts } from '../../../../shared/engine/transcript/own-words.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayOwn } from '../../../../shared/words/say.ts'
import { closedWords } from './closed-words.ts'
import { MessageParts, textPart } from './message-parts.ts'
import type { PendingItem } from './open-item.ts'
import type { MessagePart } from './part-list.ts'
import type { ClosedItems } from './run-view.ts'

/** A message as AI SDK clients show it. */
export interface UiMessage {
  id: string
  role: 'user' | 'assistant'
  parts: MessagePart[]
  metadata?: Record<string, unknown>
}

/**
 * The metadata of an assistant message about its run. `pending` is present even if empty: clients merge each
 * metadata object into the previous one.
 */
export type AnswerMetadata = Required<Pick<MessageMetadata, 'status' | 'usage' | 'pending' | 'toolTimes'>> &
  Pick<MessageMetadata, 'texts'>

/** An assistant message in a language, as written up to the end of its last run. `tools` by name, for forms. */
export function projectUiMessage(
  { conversationId, runId, messageId }: { conversationId: string; runId: string; messageId: string },
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
  language: Language,
): UiMessage {
  const { status, usage, text } = projectAnswer(entries, tools, language)
  const ended = entries.slice(0, entries.findLastIndex(({ type }) => type === 'run-end') + 1)
  const parts =
    ended.length > 0 ? projectParts(ended, tools, language) : [{ type: 'step-start' }, textPart(text)]
  const times = projectToolUses(entries).map(({ toolCallId, durationMs }) => [toolCallId, durationMs])
  const ours = ended.flatMap((entry) => (entry.type === 'run-end' ? (entry.ours ?? []) : []))
  const texts = sayTexts(language, ours, inputsIn(ended), tools)
  const metadata: AnswerMetadata = {
    status,
    usage,
    pending: [],
    toolTimes: Object.fromEntries(times),
    ...(texts.length > 0 ? { texts } : {}),
  }
  return { id: messageId, role: 'assistant', parts, metadata: { conversationId, runId, ...metadata } }
}

/** The message with its items that can still be decided. */
export function withOpenItems(message: UiMessage, items: readonly PendingItem[]): UiMessage {
  const pending = items.filter(({ messageId }) => messageId === message.id)
  return { ...message, metadata: { ...message.metadata, pending } }
}

/** The message with cards that say how they were closed, if that happened in a later message. */
export function withClosedItems(message: UiMessage, closed: ClosedItems, language: Language): UiMessage {
  return { ...message, parts: message.parts.flatMap((part) => closeCard(part, closed, language)) }
}

/** How items close that nobody has decided. */
const undecided = ['replaced', 'yielded', 'expired', 'stop', 'message', 'gone']

function closeCard(part: MessagePart, closed: ClosedItems, language: Language): MessagePart | MessagePart[] {
  if (part.type === 'data-question' && isObject(part.data)) {
    const as = closed[String(part.data.itemId)]
    const { schema: _, ...data } = part.data
    return as === undefined
      ? part
      : { ...part, data: { ...data, answered: true, ...(undecided.includes(as) ? { closed: as } : {}) } }
  }
  if (part.state !== 'approval-requested' || !isObject(part.approval)) return part
  const as = closed[String(part.approval.id)]
  if (as === undefined) return part
  const words = closedWords(as)
  const text = sayOwn(language, words)
  const toolCallId = String(part.toolCallId)
  return [
    { ...part, state: 'output-error', errorText: text },
    { type: 'data-closed', id: toolCallId, data: { toolCallId, code: words.code, text } },
  ]
}

/** The parts made from entries. */
export function projectParts(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
  language: Language,
): MessagePart[] {
  const message = new MessageParts(tools, language)
  for (const entry of entries) message.add(entry)
  return [...message.list]
}

/** The parts of a user message. `sign` makes the URL by which a browser gets a stored file. */
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
