import { Window } from 'happy-dom'
import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { gate } from '../../../support/gate.ts'
import type { AiModule, ClientChat, ClientMessage, ReactModule } from './versions.ts'

/** A request that a client has sent. */
export interface SentRequest {
  method: string
  path: string
  body: { messageId?: string; trigger?: string; messages?: ClientMessage[] } | undefined
}

/** The `useChat` of a version, unmodified, in a component that shows nothing. */
export interface ChatClient {
  /** What the hook has returned last, and what it offers. */
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
  /** As an app asks for it that was reloaded. */
  resume?: boolean
  /** The app makes the `Chat` itself, and gives that to the hook. */
  ownChat?: boolean
}

// React draws into a document, and asks for one.
const window = new Window()
Object.assign(globalThis, { window, document: window.document })

const mounted = new Set<{ unmount(): void }>()

/** As if every tab had been closed. */
export function closeTabs(): void {
  for (const root of mounted) root.unmount()
  mounted.clear()
}

export async function openChat(
  { ai, react }: { ai: AiModule; react: ReactModule },
  options: ChatClientOptions,
): Promise<ChatClient> {
  const {
    api,
    token,
    id,
    messages = [],
    sendAutomaticallyWhen = 'approvals',
    resume = false,
    ownChat,
  } = options
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

  const rules = {
    approvals: ai.lastAssistantMessageIsCompleteWithApprovalResponses,
    'tool calls': ai.lastAssistantMessageIsCompleteWithToolCalls,
    never: () => false,
  }
  const transport = new ai.DefaultChatTransport({
    api,
    headers: () => ({ authorization: `Bearer ${token}` }),
    fetch: counted,
  })
  let hook: ClientChat | undefined
  const { opened: listens, open: hear } = gate()
  const settings = {
    id,
    transport,
    messages: structuredClone(messages),
    sendAutomaticallyWhen: rules[sendAutomaticallyWhen],
    onError: (error: Error) => errors.push(error),
  }
  const chat = ownChat ? { chat: new react.Chat(settings) } : settings
  function Tab() {
    hook = react.useChat({ ...chat, resume })
    // Behind the effects of the hook: from then on it hears of changes.
    useEffect(hear, [])
    for (const look of watchers) queueMicrotask(look)
    return null
  }
  const root = createRoot(window.document.createElement('div') as never)
  mounted.add(root)
  root.render(createElement(Tab))
  const until = (holds: (chat: ClientChat) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!hook || !holds(hook)) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })
  await listens

  return {
    chat: seen(() => hook as ClientChat),
    requests,
    errors,
    posts: () => requests.filter(({ method }) => method === 'POST').length,
    goOffline(isOffline) {
      offline = isOffline
      if (isOffline) for (const one of open) one.abort(new TypeError('network error'))
    },
    until,
    last: () => hook?.messages.at(-1) as ClientMessage,
  }
}

/** What a hook returns as it is now. What it offers is over when the app has seen what came of it. */
function seen(hook: () => ClientChat): ClientChat {
  return new Proxy({} as ClientChat, {
    get(_, name) {
      const value = Reflect.get(hook(), name)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        const done = await value(...args)
        await new Promise((resolve) => setImmediate(resolve))
        return done
      }
    },
  })
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
