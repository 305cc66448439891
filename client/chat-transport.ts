import { type ChatTransport, DefaultChatTransport } from 'ai'
import type { ChatMessage } from './message.ts'

export interface TransportOptions {
  fetch: typeof fetch
  /** The agent that a new conversation is with; without one it is the user's first. */
  agentId?: (() => string | undefined) | undefined
  /** The model that is chosen for the conversation, null to leave it to the agent, undefined to change nothing. */
  model?: (() => string | null | undefined) | undefined
}

/** The transport that `useChat` is given. It sends what is new: the conversation itself is stored. */
export function createChatTransport({ fetch, agentId, model }: TransportOptions): ChatTransport<ChatMessage> {
  return new DefaultChatTransport<ChatMessage>({
    api: 'chat',
    fetch,
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
      headers: { accept: 'text/event-stream' },
      body: {
        ...body,
        id,
        messages: newMessages(messages),
        trigger,
        ...(messageId === undefined ? {} : { messageId }),
        ...named('agentId', agentId?.()),
        ...named('model', model?.()),
      },
    }),
  })
}

function named(key: string, value: string | null | undefined) {
  return value === undefined ? {} : { [key]: value }
}

/** The messages after the last answer; after a decision, that answer. */
export function newMessages<Message extends { role: string }>(messages: readonly Message[]): Message[] {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(answered === messages.length - 1 ? answered : answered + 1)
}
