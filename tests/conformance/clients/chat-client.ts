import type { AiModule, ClientChat, ClientMessage } from './versions.ts'

/** A request that a client has sent. */
export interface SentRequest {
  method: string
  path: string
  body: { messageId?: string; trigger?: string; messages?: ClientMessage[] } | undefined
}

/** `useChat` without React: the state machine and the transport of a version, as they are published. */
export interface ChatClient {
  chat: ClientChat
  requests: SentRequest[]
  errors: Error[]
  /** POSTs so far. */
  posts(): number
  /** Cuts every answer that is being read, and refuses new ones, until it is called with false. */
  goOffline(isOffline: boolean): void
  /** Resolves when a condition holds for what the app sees. */
  until(holds: (chat: ClientChat) => boolean): Promise<void>
  last(): ClientMessage
}

export interface ChatClientOptions {
  api: string
  token: string
  id: string
  /** The initial messages, as an app loads them. */
  messages?: ClientMessage[]
  /** Default: sends when every approval has its answer. */
  sendAutomaticallyWhen?: 'approvals' | 'tool calls' | 'never'
}

export function openChat(ai: AiModule, options: ChatClientOptions): ChatClient {
  const { api, token, id, messages = [], sendAutomaticallyWhen = 'approvals' } = options
  const requests: SentRequest[] = []
  const errors: Error[] = []
  const open = new Set<AbortController>()
  const watchers = new Set<() => void>()
  let offline = false

  const counted = async (input: string | URL, init: RequestInit = {}) => {
    const { method = 'GET', body } = init
    const path = new URL(input).pathname
    requests.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    if (offline) throw new TypeError('Failed to fetch')
    const cut = new AbortController()
    open.add(cut)
    const signal = init.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal
    const response = await fetch(input, { ...init, signal })
    return withCut(response, cut.signal)
  }

  const changed = () => {
    for (const look of watchers) look()
  }
  /** What `useChat` of React keeps: plain values, replaced on each change. */
  const state = {
    status: 'ready',
    error: undefined as Error | undefined,
    messages: structuredClone(messages),
    pushMessage: (message: ClientMessage) => {
      state.messages = [...state.messages, message]
      changed()
    },
    popMessage: () => {
      state.messages = state.messages.slice(0, -1)
    },
    replaceMessage: (index: number, message: ClientMessage) => {
      state.messages = state.messages.with(index, structuredClone(message))
      changed()
    },
    snapshot: <T>(value: T): T => structuredClone(value),
  }
  const observed = new Proxy(state, {
    set(target, key, value) {
      Reflect.set(target, key, value)
      changed()
      return true
    },
  })
  const rules = {
    approvals: ai.lastAssistantMessageIsCompleteWithApprovalResponses,
    'tool calls': ai.lastAssistantMessageIsCompleteWithToolCalls,
    never: () => false,
  }
  const chat = new ai.AbstractChat({
    id,
    state: observed,
    transport: new ai.DefaultChatTransport({
      api,
      headers: () => ({ authorization: `Bearer ${token}` }),
      fetch: counted,
    }),
    sendAutomaticallyWhen: rules[sendAutomaticallyWhen],
    onError: (error: Error) => errors.push(error),
  })
  return {
    chat,
    requests,
    errors,
    posts: () => requests.filter(({ method }) => method === 'POST').length,
    goOffline(isOffline) {
      offline = isOffline
      if (isOffline) for (const one of open) one.abort(new TypeError('network error'))
    },
    until: (holds) =>
      new Promise((resolve) => {
        const look = () => {
          if (!holds(chat)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
      }),
    last: () => chat.messages.at(-1) as ClientMessage,
  }
}

/** The response, whose body ends with the error that browsers give when the network is gone. */
function withCut(response: Response, cut: AbortSignal): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(cut.aborted ? new TypeError('network error') : error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, response)
}
