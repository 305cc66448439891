/** The part of `ai` that these tests use, alike in all versions. */
export interface AiModule {
  parseJsonEventStream(options: {
    stream: ReadableStream<Uint8Array>
    schema: unknown
  }): ReadableStream<{ success: boolean; value?: unknown; error?: unknown }>
  readUIMessageStream(options: {
    message?: ClientMessage | undefined
    stream: ReadableStream<unknown>
    onError?: (error: unknown) => void
  }): AsyncIterable<ClientMessage>
  uiMessageChunkSchema: unknown
  lastAssistantMessageIsCompleteWithApprovalResponses(options: { messages: ClientMessage[] }): boolean
  lastAssistantMessageIsCompleteWithToolCalls(options: { messages: ClientMessage[] }): boolean
  DefaultChatTransport: new (options: Record<string, unknown>) => object
}

export interface ClientPart {
  type: string
  text?: string
  state?: string
  toolCallId?: string
  input?: unknown
  output?: unknown
  errorText?: string
  approval?: { id: string; approved?: boolean }
  id?: string
  data?: unknown
}

export interface ClientMessage {
  id: string
  role: 'user' | 'assistant'
  parts: ClientPart[]
  metadata?: { status?: string; pending?: unknown[]; runId?: string; conversationId?: string }
}

/** The part of `@ai-sdk/react` that these tests use. */
export interface ReactModule {
  useChat(options: Record<string, unknown>): ClientChat
  Chat: new (options: Record<string, unknown>) => object
}

/** What `useChat` hands to an app. */
export interface ClientChat {
  id: string
  messages: ClientMessage[]
  status: 'submitted' | 'streaming' | 'ready' | 'error'
  error: Error | undefined
  sendMessage(message?: { text: string; messageId?: string }): Promise<void>
  regenerate(options?: { messageId?: string }): Promise<void>
  resumeStream(): Promise<void>
  stop(): Promise<void>
  clearError(): void
  setMessages(messages: ClientMessage[]): void
  addToolApprovalResponse(response: { id: string; approved: boolean; reason?: string }): Promise<void>
}

/** The versions of `ai` that streams must be right for: the floors refuse any key that they do not know. */
export const versions = ['ai-6-floor', 'ai-6', 'ai-7-floor', 'ai-7'] as const
export type Version = (typeof versions)[number]

/** Versions that reset a message when a resumed stream begins; the older ones add to what they have. */
export const resetsOnResume: readonly Version[] = ['ai-6', 'ai-7']

/** The module of `@ai-sdk/react` that was published with a version, with its own `ai`. */
export async function loadReact(version: Version): Promise<ReactModule> {
  return (await import(/* @vite-ignore */ version.replace('ai', 'react'))) as ReactModule
}

export async function loadVersion(version: Version): Promise<AiModule> {
  const loaded = await import(/* @vite-ignore */ version)
  return loaded as AiModule
}
