import { type ChatTransport, DefaultChatTransport, type UIMessageChunk } from 'ai'
import { streamAnswer } from './json-stream.ts'
import type { ChatMessage } from './message.ts'

export interface TransportOptions {
  fetch: typeof fetch
  /** The agent that a new conversation is with; without one it is the user's first. */
  agentId?: (() => string | undefined) | undefined
}

/** The transport that `useChat` is given. It sends what is new: the conversation itself is stored. */
export function createChatTransport({ fetch, agentId }: TransportOptions): ChatTransport<ChatMessage> {
  return new JsonTransport({
    api: 'chat',
    fetch,
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
      headers: { accept: 'application/json' },
      body: {
        ...body,
        id,
        messages: newMessages(messages),
        trigger,
        ...(messageId === undefined ? {} : { messageId }),
        ...withAgent(agentId?.()),
      },
    }),
  })
}

function withAgent(agentId: string | undefined) {
  return agentId === undefined ? {} : { agentId }
}

/** The messages after the last answer; after a decision, that answer. */
export function newMessages<Message extends { role: string }>(messages: readonly Message[]): Message[] {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(answered === messages.length - 1 ? answered : answered + 1)
}

/** Until streams are there: the whole answer at once. */
class JsonTransport extends DefaultChatTransport<ChatMessage> {
  protected override processResponseStream(stream: ReadableStream<Uint8Array<ArrayBufferLike>>) {
    const answer = new TransformStream<UIMessageChunk, UIMessageChunk>()
    new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>)
      .json()
      .then((json) => streamAnswer(json).pipeTo(answer.writable))
      .catch((error) => answer.writable.abort(error))
    return answer.readable
  }
}
