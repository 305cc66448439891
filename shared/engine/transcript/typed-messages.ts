import { readMessageText } from '../models/protocol/message-text.ts'
import type { Entry, UserMessage } from './entry.ts'

/** What a person typed in one message, and into the forms that it led to. */
export interface TypedMessage {
  content: UserMessage['content']
  /** The values of each form. */
  forms: Record<string, unknown>[]
}

/** Every message of a transcript, oldest first, with those from elsewhere. */
export function typedMessages(entries: readonly Entry[]): TypedMessage[] {
  const messages: TypedMessage[] = []
  for (const entry of entries) {
    if (entry.type === 'user-message') {
      if (entry.replacesHistory) messages.length = 0
      const earlier = (entry.earlier ?? []).filter(({ role }) => role === 'user')
      const said = [...(entry.olderSaid ?? []), ...earlier.map(({ content }) => readMessageText(content))]
      messages.push(...said.map((content) => ({ content, forms: [] })))
      messages.push({ content: entry.content, forms: [] })
    }
    if (entry.type === 'client-call') messages.push({ content: '', forms: [] })
    if (entry.type === 'decision' && entry.values && entry.by?.door !== 'client') {
      messages.at(-1)?.forms.push(entry.values)
    }
  }
  return messages
}
