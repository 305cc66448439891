import type { ChatCompletionContentPart } from 'openai/resources/chat/completions'
import { headAndTail } from '../core/head-and-tail.ts'
import { readMessageText } from '../models/protocol/message-text.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { factsOf } from './message-facts.ts'

/** The result of a call. */
export type ResultMessage = Extract<ChatMessage, { role: 'tool' }>

/** Characters that are left of a result of an earlier turn: one that has no more stays whole. */
const briefLength = 2_048
/** Characters from which on a text of an earlier turn is shortened, and those that are left of it. */
const longText = 8_192
const shortText = 4_096

/** By message: every request of a run shortens the same ones. */
const briefs = new WeakMap<ChatMessage, ChatMessage>()

/** A result of an earlier turn in few words; the message itself if it is short. */
export function briefResult(message: ResultMessage): ChatMessage {
  const brief = briefs.get(message) ?? makeBrief(message)
  briefs.set(message, brief)
  return brief
}

function makeBrief(message: ResultMessage): ChatMessage {
  if (readMessageText(message.content).length <= briefLength) return message
  const content = factsOf(message).brief?.()
  return content === undefined ? shortenResult(message, briefLength) : { ...message, content }
}

/** A result in about so many characters; the message itself if it has no more. */
export function shortenResult(message: ResultMessage, characters: number): ChatMessage {
  const text = readMessageText(message.content)
  if (text.length <= characters) return message
  const content = factsOf(message).shorten?.(characters) ?? headAndTail(text, characters, tooLong)
  return content.length < text.length ? { ...message, content } : message
}

/** What is left of a result where there is no room even for that: where it stood. */
export function cutResult(message: ResultMessage, characters: number): ChatMessage {
  const text = readMessageText(message.content)
  const content = headAndTail(text, characters)
  return content === text ? message : { ...message, content }
}

/** A message of an earlier turn with beginning and end of each long text, and without pictures; itself if it is short. */
export function shortenText(message: ChatMessage): ChatMessage {
  if (message.role !== 'user' && message.role !== 'assistant') return message
  const { content } = message
  if (typeof content === 'string') {
    return content.length > longText ? { ...message, content: shorten(content) } : message
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const isLong = readMessageText(content).length > longText || message.content.some(isPicture)
  return isLong ? { ...message, content: message.content.map(shortenPart) } : message
}

function shortenPart(part: ChatCompletionContentPart): ChatCompletionContentPart {
  if (isPicture(part)) return { type: 'text', text: '[The picture is left out here.]' }
  return part.type === 'text' ? { ...part, text: shorten(part.text) } : part
}

function isPicture({ type }: { type: string }): boolean {
  return type === 'image_url'
}

function shorten(text: string): string {
  return headAndTail(text, shortText, `${tooLong}; ask the user for them if they matter`)
}

const tooLong = ', because the conversation is longer than you can read at once'
