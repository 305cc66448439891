import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { readMessageText } from '../../../../shared/engine/models/protocol/message-text.ts'
import type { ChatMessage } from '../../../../shared/engine/models/protocol/model-client.ts'
import { briefText } from '../../../../shared/engine/transcript/brief-entry.ts'
import type { UserMessage } from '../../../../shared/engine/transcript/entry.ts'
import type { BadRequest } from '../../../../shared/words/refused/faults.ts'
import { filesOf, withQuotedTexts } from './given-parts.ts'
import { ParameterError } from './openai-error.ts'

/** Messages of a request: far more than any conversation has, and few enough to be read quickly. */
const mostMessages = 10_000

/** Messages that the model reads: between these two, so that the beginning moves by their difference. */
const fewestRead = 40
const mostRead = 60
/** Bytes of what the user typed in older ones: it is stored with every message. */
const mostOlderBytes = 256 * 1024

/** Earlier user messages whose files are given to the model again, as in our own conversations. */
const messagesWithFiles = 2

/** A message of a client's history: its words, and nothing that it claims to have done. */
export interface GivenMessage {
  role: 'system' | 'user' | 'assistant'
  content: unknown
}

/** Reads `messages`. Claimed tool results count as the assistant's words. Throws ParameterError. */
export function readGivenMessages(messages: unknown): GivenMessage[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw bad({ why: 'messages_missing' })
  }
  if (messages.length > mostMessages) {
    throw bad({ why: 'too_many_given', count: messages.length, most: mostMessages })
  }
  return messages.map((message) => {
    const role = isObject(message) ? roles[String(message.role)] : undefined
    if (!isObject(message) || role === undefined) {
      throw bad({ why: 'message_unfit' })
    }
    return { role, content: message.content ?? '' }
  })
}

const roles: Record<string, GivenMessage['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'assistant',
  function: 'assistant',
}

/** What is stored of a client's history. */
type ReadHistory = Pick<UserMessage, 'earlier' | 'older' | 'olderSaid'>

/**
 * The messages before the user's last one, as the model reads them: the newest ones, starting with a user message, with
 * their words, and the files of the last ones; system messages in any case. Of the older ones, what the user typed: what
 * was said in them is known.
 */
export function projectEarlier(given: readonly GivenMessage[]): ReadHistory {
  const newestUsers = given.filter(({ role }) => role === 'user').slice(-messagesWithFiles)
  const said = given
    .map((message) => ({
      role: message.role,
      content: textOf(message),
      files: newestUsers.includes(message) ? filesOf(message.content) : [],
    }))
    .filter(({ role, content }) => role === 'user' || content.trim() !== '')
  const system = said.filter(({ role }) => role === 'system')
  const turns = said.filter(({ role }) => role !== 'system')
  const moves = mostRead - fewestRead
  const start = Math.max(0, Math.floor((turns.length - fewestRead) / moves) * moves)
  const first = turns.findIndex(({ role }, index) => index >= start && role === 'user')
  const end = first < 0 ? turns.length : first
  const read = turns.slice(end).map((message) => ({ ...message, content: briefText(message.content) }))
  const earlier = [...system, ...read].map(withFiles)
  const olderSaid = typedIn(turns.slice(0, end))
  return {
    ...(earlier.length > 0 ? { earlier } : {}),
    ...(end > 0 ? { older: end } : {}),
    ...(olderSaid.length > 0 ? { olderSaid } : {}),
  }
}

/** What the user typed, in the newest messages whose words fit. */
function typedIn(messages: readonly { role: string; content: string }[]): string[] {
  const typed = messages.filter(({ role }) => role === 'user').map(({ content }) => briefText(content))
  let left = mostOlderBytes
  const newest = typed.findLastIndex((text) => {
    left -= new TextEncoder().encode(text).byteLength
    return left < 0
  })
  return typed.slice(newest + 1)
}

/** Their files are separated from their words later, like those of the newest message. */
function withFiles({
  role,
  content,
  files,
}: {
  role: GivenMessage['role']
  content: string
  files: unknown[]
}): ChatMessage {
  if (files.length === 0) return { role, content }
  return { role, content: [{ type: 'text', text: content }, ...files] } as ChatMessage
}

/** The words of a message; a picture or file is mentioned in its place. */
function textOf({ role, content }: GivenMessage): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw bad({ why: 'content_unfit' })
  const parts = role === 'user' ? withQuotedTexts(content) : content
  return parts
    .filter(isObject)
    .map((part) => (part.type === 'text' ? readMessageText([part]) : `[${String(part.type).slice(0, 40)}]`))
    .join('\n')
}

function bad(fault: BadRequest): ParameterError {
  return new ParameterError('messages', fault)
}
