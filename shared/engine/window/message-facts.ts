import { attachment } from '../core/attached.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'

/** What has to be known of a message to make a request shorter, and no server is told. */
export interface MessageFacts {
  /** A user's message that belongs to the turn before it: a decision, a remark of ours. Every other one begins a turn. */
  continues?: true
  /** The result of a write: it is never shortened. */
  isWrite?: true
  /** What the write did, in one line: told in its place where its whole turn is left out. */
  line?: string
  /** The result as later turns read it; undefined if they read it whole. */
  brief?: () => string | undefined
  /** The result in about so many characters: its beginning and its end. */
  shorten?: (characters: number) => string
}

const known = attachment<MessageFacts>()

/** The message, of which this is known from now on. */
export function withFacts(message: ChatMessage, facts: MessageFacts): ChatMessage {
  return known.attach(message, facts)
}

export function factsOf(message: ChatMessage): MessageFacts {
  return known.of(message) ?? nothing
}

const nothing: MessageFacts = {}
