import type { FileUIPart } from 'ai'
import type { ChatMessage, Conversation } from './api/message.ts'
import { isSameJson } from './values/json-text.ts'

/**
 * Replaces what is shown with what is stored. Messages that did not change keep their objects, so that they are not
 * rendered again; earlier messages and a message that was stopped before it arrived stay.
 */
export function showStored(
  shown: ChatMessage[],
  stored: Conversation,
): { messages: ChatMessage[]; hasEarlier: boolean } {
  const earlier = listEarlier(shown, stored)
  const messages = [
    ...earlier,
    ...keepEqual(shown, stored.messages),
    ...listUnsent(shown, [...earlier, ...stored.messages]),
  ]
  return { messages, hasEarlier: earlier.length > 0 }
}

/**
 * Updates shown messages with their stored versions: cards of earlier answers may be closed. The user's messages, which
 * may have been edited since, get the URLs of their files instead of the contents.
 */
export function updateShown(shown: ChatMessage[], stored: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map(stored.map((message) => [message.id, message]))
  const isOld = ({ role, parts }: ChatMessage, now: ChatMessage) =>
    role === 'assistant'
      ? !isSameJson(parts, now.parts)
      : parts.some((part) => isFile(part) && part.url.startsWith('data:'))
  const newer = shown.map((message) => {
    const now = byId.get(message.id)
    return now && isOld(message, now) ? now : message
  })
  return newer.some((message, index) => message !== shown[index]) ? newer : shown
}

/** Takes an answer that is read from its beginning once it is as long as what is shown of it. */
export function updateWritten(shown: ChatMessage[], written: ChatMessage): ChatMessage[] {
  return shown.map((held) =>
    written.id !== held.id || written.parts.length < held.parts.length
      ? held
      : { ...written, metadata: { ...held.metadata, ...written.metadata } },
  )
}

/** The ids that `POST chat` takes as `seen`: the last answer, and what follows it, which may not be stored. */
export function listNewest(shown: readonly ChatMessage[]): string[] {
  const answered = shown.findLastIndex(({ role }) => role === 'assistant')
  return shown.slice(Math.max(0, answered)).map(({ id }) => id)
}

export function isFile(part: ChatMessage['parts'][number]): part is FileUIPart {
  return part.type === 'file'
}

/** The newer list, with the old objects where nothing has changed. */
function keepEqual(shown: readonly ChatMessage[], stored: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map(shown.map((message) => [message.id, message]))
  return stored.map((message) => {
    const held = byId.get(message.id)
    return held && isSameJson(held.parts, message.parts) ? held : message
  })
}

/** The messages shown from before the newest stored ones. */
function listEarlier(shown: readonly ChatMessage[], { messages, next }: Conversation): ChatMessage[] {
  if (next === undefined) return []
  const first = shown.findIndex(({ id }) => id === messages[0]?.id)
  return shown.slice(0, Math.max(0, first))
}

/** The user's last message, if it was stopped before it arrived. */
export function listUnsent(shown: readonly ChatMessage[], stored: readonly ChatMessage[]): ChatMessage[] {
  const known = new Set(stored.map(({ id }) => id))
  const last = shown.slice(shown.findLastIndex(({ role }) => role === 'assistant') + 1)
  return last.filter(({ id }) => !known.has(id))
}
