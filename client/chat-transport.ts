import { type ChatTransport, DefaultChatTransport, type UIMessageChunk } from 'ai'
import type { ChatMessage } from './api/message.ts'

export interface TransportOptions {
  fetch: typeof fetch
  /** The agent for a new conversation; the user's first one if absent. */
  agentId?: (() => string | undefined) | undefined
  /** The model chosen for the conversation; null leaves it to the agent, undefined changes nothing. */
  model?: (() => string | null | undefined) | undefined
  /** What a new conversation belongs to in the app, such as an organisation. */
  scope?: (() => string | undefined) | undefined
}

/** The transport for `useChat`. It only sends what is new: the conversation itself is stored. */
export function createChatTransport({
  fetch,
  agentId,
  model,
  scope,
}: TransportOptions): ChatTransport<ChatMessage> {
  return new InputBoundTransport<ChatMessage>({
    api: 'chat',
    fetch,
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
      headers: { accept: 'text/event-stream' },
      body: {
        ...body,
        id,
        messages: newMessages(messages),
        trigger,
        ...named('messageId', messageId),
        ...named('agentId', agentId?.()),
        ...named('model', model?.()),
        ...named('scope', scope?.()),
      },
    }),
  })
}

class InputBoundTransport<Message extends ChatMessage> extends DefaultChatTransport<Message> {
  protected override processResponseStream(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    return super.processResponseStream(stream).pipeThrough(boundInputs())
  }

  /** Fails like a stream that breaks off: the run continues, and must not be requested again. */
  override async reconnectToStream(options: Parameters<ChatTransport<Message>['reconnectToStream']>[0]) {
    try {
      return await super.reconnectToStream(options)
    } catch (cause) {
      throw new TypeError((cause as Error).message, { cause })
    }
  }
}

/** Characters of a call's input that are shown while it is being written; the rest appears when it is complete. */
const mostWritten = 2000

/** `useChat` parses an unfinished input again with every chunk: a long document would freeze the page for minutes. */
export function boundInputs(): TransformStream<UIMessageChunk, UIMessageChunk> {
  const written = new Map<string, number>()
  return new TransformStream({
    transform(chunk, controller) {
      if (chunk.type === 'tool-input-delta') {
        const length = (written.get(chunk.toolCallId) ?? 0) + chunk.inputTextDelta.length
        written.set(chunk.toolCallId, length)
        if (length > mostWritten) return
      }
      controller.enqueue(chunk)
    },
  })
}

function named(key: string, value: string | null | undefined) {
  return value === undefined ? {} : { [key]: value }
}

/** The messages after the last answer; after a decision, that answer itself. */
export function newMessages<Message extends { role: string }>(messages: readonly Message[]): Message[] {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(answered === messages.length - 1 ? answered : answered + 1)
}
