import { readUIMessageStream } from 'ai'
import { createChatTransport } from './chat-transport.ts'
import type { ChatMessage } from './message.ts'

/** Yields the answer that is being written in a conversation, from its beginning, as it grows. */
export async function* followAnswer(fetch: typeof globalThis.fetch, id: string): AsyncGenerator<ChatMessage> {
  const stream = await createChatTransport({ fetch }).reconnectToStream({ chatId: id })
  if (stream) yield* readUIMessageStream<ChatMessage>({ stream })
}
