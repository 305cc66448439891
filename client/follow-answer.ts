import { readUIMessageStream } from 'ai'
import type { ChatMessage } from './api/message.ts'
import { createChatTransport } from './chat-transport.ts'

/** Yields the answer that is being written in a conversation, from its beginning, as it grows. */
export async function* followAnswer(fetch: typeof globalThis.fetch, id: string): AsyncGenerator<ChatMessage> {
  const stream = await createChatTransport({ fetch }).reconnectToStream({ chatId: id })
  if (stream) yield* readUIMessageStream<ChatMessage>({ stream })
}
