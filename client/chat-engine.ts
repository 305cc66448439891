import { AbstractChat, type ChatInit } from 'ai'
import type { ChatMessage } from './api/message.ts'
import type { ChatStore } from './chat-store.ts'
import { createChatTransport, type TransportOptions } from './chat-transport.ts'

export { findUnsent, keepUnsent } from './unsent.ts'

export type ChatEngine = AbstractChat<ChatMessage>
export type ChatEngineOptions = Pick<ChatInit<ChatMessage>, 'id' | 'onData' | 'onFinish'> & TransportOptions

class Chat extends AbstractChat<ChatMessage> {}

/** Sends and receives, and writes into the store. With its libraries it is a quarter of the page, so load it on demand. */
export function startChat(
  state: ChatStore,
  { id, onData, onFinish, ...transport }: ChatEngineOptions,
): ChatEngine {
  return new Chat({
    id,
    onData,
    onFinish,
    state,
    transport: createChatTransport(transport),
  })
}
