import { readMessageText } from '../models/protocol/message-text.ts'
import type { ChatMessage, ModelRequest } from '../models/protocol/model-client.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** What tells whether one request is larger than another, whatever tokenizer counts them. */
export interface RequestSize {
  /** Tokens, unscaled. */
  estimated: number
  /** Characters of its messages in Latin letters, digits and marks, and all others. */
  latin: number
  others: number
}

export const nothing: RequestSize = { estimated: 0, latin: 0, others: 0 }

/** The size of a request; its characters are counted once for each message, by identity. */
export function sizeOf({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): RequestSize {
  const size = { ...nothing, estimated: estimateTokens({ messages, tools }) }
  for (const message of messages) {
    const { latin, others } = charactersOf(message)
    size.latin += latin
    size.others += others
  }
  return size
}

type Characters = Pick<RequestSize, 'latin' | 'others'>
const counted = new WeakMap<ChatMessage, Characters>()
/** The first character of the phonetic alphabet: everything before is Latin. */
const firstOther = 0x250

function charactersOf(message: ChatMessage): Characters {
  const known = counted.get(message)
  if (known) return known
  const text = readMessageText(message.content)
  let others = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= firstOther) others++
  const characters = { latin: text.length - others, others }
  counted.set(message, characters)
  return characters
}
