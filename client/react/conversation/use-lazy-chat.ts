import { useEffect, useRef, useState } from 'react'
import type { ChatMessage } from '../../api/message.ts'
import { failureOf } from '../../askback-error.ts'
import type { FilePart, Upload } from '../../attached-files.ts'
import type { ChatEngine, ChatEngineOptions } from '../../chat-engine.ts'
import { ChatStore, type ChatView, failureIn } from '../../chat-store.ts'
import { whenIdle } from '../messages/when-idle.ts'

/** `messageId`: the message it replaces; `seen`: what the page shows before that, as `POST chat` takes it. */
interface SentMessage {
  text: string
  files?: FileList | FilePart[]
  messageId?: string
  seen?: readonly string[]
}

type LazyChatOptions = Omit<ChatEngineOptions, 'id' | 'onData'> & {
  upload: Upload
  /** Whether the user who opened the chat is still signed in. */
  isMine?: (() => boolean) | undefined
  /** What was being sent when the chat was left could not be. */
  onLost(view: ChatView): void
  /** It has arrived. */
  onArrived(): void
}

/** The actions of a chat. */
export interface LazyChat {
  setMessages(change: (shown: ChatMessage[]) => ChatMessage[]): void
  sendMessage(message: SentMessage): Promise<void>
  regenerate: ChatEngine['regenerate']
  resumeStream(): Promise<void>
  /** Why the chat failed, if it did. */
  failure(): (Error & { code?: string }) | undefined
  clearError(): void
  stop(): Promise<void>
}

/** A chat is shown and left: what nobody sees is not received, but what is being sent still arrives. */
interface Showing {
  show(): void
  leave(): Promise<void>
}

/**
 * `useChat`, without making the page wait for its code: it is loaded when the page is idle, or when it is first needed.
 * Until then stored messages can be shown, and a sent message waits in the list.
 */
export function useLazyChat({ id, ...options }: LazyChatOptions & { id: string }): LazyChat & ChatView {
  const latest = useRef(options)
  latest.current = options
  const [held, setHeld] = useState(() => openChat(id, latest))
  const { store, chat } = held
  const [view, setView] = useState<ChatView>(store.view)
  // Each conversation is a separate chat.
  if (held.id !== id) {
    const next = openChat(id, latest)
    setHeld(next)
    setView(next.store.view)
  }
  useEffect(() => store.subscribe(setView), [store])
  useEffect(() => whenIdle(() => void loadEngine().catch(() => {})), [])
  useEffect(() => {
    chat.show()
    return () => void chat.leave()
  }, [chat])
  return { ...chat, ...view }
}

/** Tells, by the id of a conversation, that a message was sent or lost after its sender had left: the user may be back already. */
export const leftBehind = new EventTarget()

const loadEngine = () => import('../../chat-engine.ts')

function openChat(id: string, latest: { readonly current: LazyChatOptions }) {
  const store = new ChatStore()
  let engine: ChatEngine | undefined
  /** How often it was stopped: messages still waiting for the code are then not sent. */
  let stops = 0
  const start = async (): Promise<ChatEngine> => {
    const { startChat } = await loadEngine().catch(() => {
      throw failureOf('unreachable')
    })
    // What one user says is never sent as another.
    if (latest.current.isMine?.() === false) throw failureOf('signed_out')
    engine ??= startChat(store, {
      id,
      fetch: (...call) => latest.current.fetch(...call),
      agentId: () => latest.current.agentId?.(),
      model: () => latest.current.model?.(),
      scope: () => latest.current.scope?.(),
      onData: (part) => {
        if (part.type === 'data-notice') store.notice = part.data
      },
      onFinish: (end) => latest.current.onFinish?.(end),
    })
    return engine
  }
  let isShown = false
  const performing = new Set<Promise<void>>()
  /** Runs something that needs the code. */
  const perform = (work: (engine: ChatEngine) => Promise<void>): Promise<void> => {
    const performed = performNow(work).finally(() => performing.delete(performed))
    performing.add(performed)
    return performed
  }
  /** If the code cannot be loaded, that is an error of the chat like any other. */
  const performNow = async (work: (engine: ChatEngine) => Promise<void>): Promise<void> => {
    if (engine) return work(engine)
    const before = stops
    store.status = 'submitted'
    try {
      const started = await start()
      store.status = 'ready'
      if (stops === before) await work(started)
    } catch (error) {
      if (engine) throw error
      store.error = error as Error
      store.status = 'error'
    }
  }
  const chat: LazyChat & Showing = {
    setMessages: (change) => {
      store.messages = change(store.messages)
    },
    async sendMessage({ text, files = [], messageId, seen }) {
      // An input's file list is emptied together with the input.
      const parts = Array.isArray(files) ? files : await Promise.all([...files].map(latest.current.upload))
      if (messageId !== undefined)
        return perform((one) => one.sendMessage({ text, files: parts, messageId }, { body: { seen } }))
      const shown: ChatMessage = {
        id: crypto.randomUUID(),
        role: 'user',
        parts: [...parts, { type: 'text', text }],
      }
      store.pushMessage(shown)
      return perform((one) => {
        store.messages = store.messages.filter((other) => other !== shown)
        return one.sendMessage(shown)
      })
    },
    regenerate: (which) => perform((one) => one.regenerate(which)),
    resumeStream: () => perform((one) => one.resumeStream()),
    failure: () => failureIn(store.view),
    clearError() {
      if (store.status !== 'error') return
      store.error = undefined
      store.status = 'ready'
    },
    async stop() {
      stops++
      await engine?.stop()
    },
    show() {
      isShown = true
    },
    async leave() {
      isShown = false
      const isSending = performing.size > 0
      await Promise.race([Promise.allSettled(performing), streaming(store)])
      if (isShown) return
      if (isSending && store.status === 'error') latest.current.onLost(store.view)
      else if (isSending) latest.current.onArrived()
      if (isSending) leftBehind.dispatchEvent(new Event(id))
      await engine?.stop()
    },
  }
  return { id, store, chat }
}

/** Resolves once an answer arrives, which begins when the message was received. */
function streaming(store: ChatStore): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = store.subscribe(({ status }) => {
      if (status !== 'streaming') return
      resolve()
      // The first call comes while it subscribes.
      queueMicrotask(() => unsubscribe())
    })
  })
}
