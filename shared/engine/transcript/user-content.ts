import type { ChatCompletionContentPart } from 'openai/resources/chat/completions'
import type { FilePart, UserMessage, UserPart } from './entry.ts'

/** A user message as the model reads it: files that came by their address are named, not given. */
export function messageContent(content: UserMessage['content']): string | ChatCompletionContentPart[] {
  if (typeof content === 'string') return content
  const parts = content.flatMap(shownPart)
  const words = parts.filter((part) => part.type === 'text')
  return words.length === parts.length
    ? words
        .map(({ text }) => text)
        .filter(isSomething)
        .join('\n')
    : parts
}

/** The user's own words: texts alone, neither names nor types of files. */
export function typedWords(content: UserMessage['content']): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' && 'text' in part ? part.text : '')).join('\n')
}

/** True when there is nothing that a model could answer. */
export function isEmptyContent(content: UserMessage['content']): boolean {
  const shown = messageContent(content)
  return typeof shown === 'string' ? !isSomething(shown) : shown.length === 0
}

function isSomething(text: string): boolean {
  return text.trim() !== ''
}

function shownPart(part: UserPart): ChatCompletionContentPart[] {
  if (isFile(part)) {
    const name = part.filename ?? 'a file'
    const text = `[The user attached ${name} (${part.mediaType}). Its content cannot be read here.]`
    return [{ type: 'text', text }]
  }
  return isForClients(part) ? [] : [part]
}

function isFile(part: UserPart): part is FilePart {
  return part.type === 'file' && 'mediaType' in part
}

function isForClients(part: UserPart): part is Extract<UserPart, { type: `data-${string}` }> {
  return part.type.startsWith('data-')
}
