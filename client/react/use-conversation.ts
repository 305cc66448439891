import type { FileUIPart } from 'ai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ApprovalDecision, Askback } from '../askback.ts'
import type { AskbackError } from '../askback-error.ts'
import { isSameJson } from '../json-text.ts'
import type { ChatAnswer, ChatMessage, Conversation, Decided, Pending } from '../message.ts'
import type { Made } from './receipt.tsx'
import { useDecisions } from './use-decisions.ts'
import { useLazyChat } from './use-lazy-chat.ts'

/** Milliseconds between two looks at a conversation that waits for somebody. */
const lookAgainMs = 5000
/** Milliseconds in which an answer to a decision counts as quick: a slower one is shown as it is written. */
const quickMs = 400

/** Milliseconds between two pictures of a message that is being written. */
const pictureMs = 50

const cutSentence = 'Connection lost. Work continues; you’ll see it when you’re back online.'

export interface ConversationOptions {
  id: string
  /** It is not stored yet: nothing is loaded. */
  isNew?: boolean
  /** The agent that a new conversation is with. */
  agentId?: string | undefined
  /** The model that is chosen for it from the next message on, null to leave it to the agent. */
  model?: string | null | undefined
  /** A turn has ended, or was decided on. */
  onChange?: (() => void) | undefined
}

/** What the user says. `files`: of an input, or as parts. */
export interface OutgoingMessage {
  text: string
  files?: FileList | FileUIPart[]
}

/** A conversation: the chat with what is asked of the user, decisions, and going on after a reload. */
export function useConversation(
  askback: Askback,
  { id, isNew = false, agentId, model, onChange }: ConversationOptions,
) {
  const latest = useRef({ agentId, model, onChange })
  latest.current = { agentId, model, onChange }
  const [pending, setPending] = useState<Pending[]>([])
  const [title, setTitle] = useState<string | null>(null)
  const [phase, setPhase] = useState<'loading' | 'ready' | 'missing'>(isNew ? 'ready' : 'loading')
  const [failure, setFailure] = useState<string>()
  const [isStopping, setStopping] = useState(false)
  // Decisions that are on their way.
  const [deciding, setDeciding] = useState(0)
  const inFlight = useRef(0)
  const [decided, setDecided] = useState<readonly Decided[]>([])
  const { made, decide: note } = useDecisions()
  // The oldest message that is shown, where there are earlier ones.
  const [next, setNext] = useState<string>()
  const [times, setTimes] = useState<Record<string, string>>({})

  const chat = useLazyChat({
    id,
    fetch: askback.fetch,
    agentId: () => latest.current.agentId,
    model: () => latest.current.model,
    onFinish: ({ isAbort }) => {
      if (!isAbort) void refresh()
    },
  })
  const { setMessages, resumeStream, status } = chat
  const isWriting = status === 'submitted' || status === 'streaming'
  const isBusy = isWriting || isStopping || deciding > 0
  const writing = useRef(isWriting)
  writing.current = isWriting

  /** Takes what is stored; messages that are the same stay as they are. */
  const take = useCallback(
    (stored: Conversation) => {
      setTitle(stored.title)
      setPending(stored.pending)
      setDecided((known) => together(known, stored.decided ?? []))
      setTimes((known) => ({ ...known, ...stored.times }))
      setMessages((shown) => {
        const earlier = listEarlier(shown, stored)
        if (earlier.length === 0) setNext(stored.next)
        return [
          ...earlier,
          ...keepEqual(shown, stored.messages),
          ...listUnsent(shown, [...earlier, ...stored.messages]),
        ]
      })
    },
    [setMessages],
  )

  /** What is asked for, after a turn. */
  const refresh = useCallback(async () => {
    const stored = await askback.conversations.get(id).catch(() => undefined)
    if (stored) {
      setTitle(stored.title)
      setPending(stored.pending)
      setDecided((known) => together(known, stored.decided ?? []))
      setTimes((known) => ({ ...known, ...stored.times }))
      setMessages((shown) => withStored(shown, stored.messages))
    }
    latest.current.onChange?.()
  }, [askback, id, setMessages])

  /** All of it, as it is stored; a run that is still at work goes on here. */
  const load = useCallback(async () => {
    try {
      const stored = await askback.conversations.get(id)
      take(stored)
      setPhase('ready')
      setFailure(undefined)
      if (stored.status === 'running') await resumeStream()
    } catch (error) {
      const { status, message } = error as AskbackError
      // A new one may have been stopped before it arrived.
      setPhase(status === 404 && !isNew ? 'missing' : 'ready')
      if (status !== 404) setFailure(message)
    }
  }, [askback, id, isNew, take, resumeStream])

  useEffect(() => {
    if (!isNew) void load()
  }, [load])

  /** The messages before those that are shown. Rejects with a sentence. */
  const loadEarlier = useCallback(async () => {
    const page = await askback.conversations.get(id, next)
    setDecided((known) => together(known, page.decided ?? []))
    setTimes((known) => ({ ...known, ...page.times }))
    setMessages((shown) => {
      // Not of what is shown by now.
      if (shown[0]?.id !== next) return shown
      setNext(page.next)
      return [...page.messages, ...shown]
    })
  }, [askback, id, next, setMessages])

  // A stream that broke off: what the run has done since then is shown when the connection is back.
  const isCut = chat.error instanceof TypeError
  const { clearError } = chat
  useEffect(() => {
    if (!isCut) return
    const comeBack = () => {
      clearError()
      void load()
    }
    window.addEventListener('online', comeBack)
    return () => window.removeEventListener('online', comeBack)
  }, [isCut, clearError, load])

  // What could not be sent is not stored: it stays on the page until it is tried again.
  const isIdle = chat.messages.length > 0 && !isBusy && chat.error === undefined
  const isWaiting = pending.length > 0
  useEffect(() => {
    if (!isIdle) return
    let isOver = false
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const stored = await askback.conversations.get(id).catch(({ status }: AskbackError) => status)
      // Older than what the user has said since.
      if (isOver) return
      // A new one may have been stopped before it arrived.
      if (stored === 404 && !isNew) setPhase('missing')
      if (typeof stored !== 'object') return
      take(stored)
      if (stored.status === 'running') await resumeStream()
      if (isWaiting && stored.pending.length === 0) latest.current.onChange?.()
    }
    const timer = isWaiting ? setInterval(look, lookAgainMs) : undefined
    // Another tab may have gone on with it, or deleted it.
    document.addEventListener('visibilitychange', look)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isIdle, isWaiting, askback, id, isNew, take, resumeStream])

  /** Shows an answer that goes on after a decision, as it is written. */
  const follow = useFollowing(id, askback.fetch, setMessages)

  /** Sends a decision; what comes of it is shown as it is written, and as it is stored. Rejects with a sentence. */
  const decide = (item: Pending, decision: Decided['decision'], send: () => Promise<ChatAnswer>) =>
    note(item, decision, async () => {
      setDeciding(++inFlight.current)
      setFailure(undefined)
      try {
        let isOver = false
        const sent = send().finally(() => {
          isOver = true
        })
        const settled = sent.catch(() => {})
        while (!isOver) {
          await Promise.race([settled, wait(quickMs)])
          if (!isOver && !writing.current) await Promise.race([settled, follow()])
        }
        return await sent
      } finally {
        const stored = await askback.conversations.get(id).catch(() => undefined)
        // What is being written here already goes on.
        if (stored && (writing.current || stored.status === 'running')) {
          setPending(stored.pending)
          setDecided((known) => together(known, stored.decided ?? []))
        } else if (stored) take(stored)
        setDeciding(--inFlight.current)
        // What became of it was lost on its way, and the work goes on: it is shown as it is written.
        if (stored?.status === 'running' && !writing.current && inFlight.current === 0)
          void follow().then(load)
        latest.current.onChange?.()
      }
    })

  // What was decided here is over as soon as its call goes on, however long the answer takes.
  const over = pending
    .filter((item) => made.some(({ itemId }) => itemId === item.itemId) && !isAsked(chat.messages, item))
    .map(({ itemId }) => itemId)
  const open = useMemo(
    () => (over.length === 0 ? pending : pending.filter(({ itemId }) => !over.includes(itemId))),
    [pending, over.join(' ')],
  )
  const told = useMemo(() => together<Made>(decided, made), [decided, made])

  const retryLoading = () => {
    clearError()
    return load()
  }

  return {
    id,
    title,
    messages: chat.messages,
    /** When messages were written, ISO 8601, by their ids, as far as that is known. */
    times,
    pending: open,
    /** What was decided in it: on this page, and before. */
    decided: told,
    phase,
    /** Loads the messages before those that are shown; absent where there are none. */
    loadEarlier: next === undefined ? undefined : loadEarlier,
    /** The model, a tool or a decision is at work. */
    isBusy,
    /** A sentence about what is going on, while it does. */
    notice: isBusy ? chat.notice : undefined,
    /** A sentence, when the last turn could not be done. */
    failure: failure ?? (isCut ? cutSentence : chat.error?.message),
    send(message: OutgoingMessage) {
      setFailure(undefined)
      return chat.sendMessage(message.files?.length ? message : { text: message.text })
    },
    /** Sends a message of the user in other words; what came after it is replaced. It keeps its files unless others are given. */
    edit(messageId: string, { text, files }: OutgoingMessage) {
      const sent = files ?? chat.messages.find(({ id }) => id === messageId)?.parts.filter(isFile) ?? []
      setFailure(undefined)
      setPending([])
      return chat.sendMessage({ text, messageId, ...(sent.length > 0 ? { files: sent } : {}) })
    },
    async regenerate(messageId?: string) {
      // The later answer that is being written goes.
      await chat.stop()
      setFailure(undefined)
      setPending([])
      return chat.regenerate(messageId === undefined ? {} : { messageId })
    },
    async stop() {
      // What was said before it is known how this ended would be shown as it was stored before.
      setStopping(true)
      await Promise.all([chat.stop(), askback.stop(id).catch(() => {})])
      await load()
      setStopping(false)
      latest.current.onChange?.()
    },
    answer: (item: Pending, values: Record<string, unknown>) =>
      decide(item, 'answer', () => askback.answer(id, item.itemId, values)),
    /** Goes on without what is asked for. */
    skip: (item: Pending) => decide(item, 'skip', () => askback.skip(id, item.itemId)),
    approve: (item: Pending, decision: ApprovalDecision) =>
      decide(item, decision.decision, () => askback.approve(id, item.toolCallId, decision)),
    /** Tries again what could not be done. */
    retry: () => (chat.messages.length > 0 && chat.error && !isCut ? chat.regenerate() : retryLoading()),
  }
}

export type ConversationState = ReturnType<typeof useConversation>

/**
 * Reads an answer that is being written, in whatever message: `useChat` reads only those that it has begun itself. At
 * most one at a time; ends when there is nothing more to read.
 */
function useFollowing(
  id: string,
  fetch: Askback['fetch'],
  setMessages: (change: (shown: ChatMessage[]) => ChatMessage[]) => void,
): () => Promise<void> {
  const current = useRef<Promise<void>>(undefined)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return useCallback(() => {
    const read = async () => {
      // Loaded when it is needed, like everything that reads streams.
      const { followAnswer } = await import('../follow-answer.ts')
      let latest: ChatMessage | undefined
      let timer: ReturnType<typeof setTimeout> | undefined
      const show = () => {
        timer = undefined
        const written = latest
        if (written) setMessages((shown) => shown.map((held) => further(held, written)))
      }
      for await (const written of followAnswer(fetch, id)) {
        if (isGone.current) return
        latest = written
        timer ??= setTimeout(show, pictureMs)
      }
      clearTimeout(timer)
      show()
    }
    current.current ??= read()
      .catch(() => {})
      .finally(() => {
        current.current = undefined
      })
    return current.current
  }, [id, fetch, setMessages])
}

/** What is read of a message from its beginning, when it has come as far as what is shown of it. */
function further(held: ChatMessage, written: ChatMessage): ChatMessage {
  if (written.id !== held.id || written.parts.length < held.parts.length) return held
  return { ...written, metadata: { ...held.metadata, ...written.metadata } }
}

/** Whether the messages show that a call is still waiting for this decision, or do not have it. */
function isAsked(messages: readonly ChatMessage[], { itemId, toolCallId }: Pending): boolean {
  const holds = (part: ChatMessage['parts'][number] | null) =>
    (part as { toolCallId?: string } | null)?.toolCallId === toolCallId
  const message = messages.findLast(({ parts }) => parts.some(holds))
  const part = message?.parts.findLast(holds) as { state?: string; approval?: { id: string } } | undefined
  if (!message || !part) return true
  if (part.state === 'approval-requested') return part.approval?.id === itemId
  const isOpen = (one: ChatMessage['parts'][number] | null) =>
    one?.type === 'data-question' && one.id === toolCallId && !one.data.answered
  return part.state === 'output-error' && message.parts.some(isOpen)
}

/** Both, each item once, as the later list has it. */
function together<One extends { itemId: string }>(known: readonly One[], newer: readonly One[]): One[] {
  const ids = new Set(newer.map(({ itemId }) => itemId))
  return [...known.filter(({ itemId }) => !ids.has(itemId)), ...newer]
}

/** The newer list, with the old objects where nothing has changed: what is not new is not drawn again. */
function keepEqual(shown: ChatMessage[], stored: ChatMessage[]): ChatMessage[] {
  const byId = new Map(shown.map((message) => [message.id, message]))
  return stored.map((message) => {
    const held = byId.get(message.id)
    return held && isSameJson(held.parts, message.parts) ? held : message
  })
}

/** What is shown of the time before the newest messages that are stored. */
function listEarlier(shown: ChatMessage[], { messages, next }: Conversation): ChatMessage[] {
  if (next === undefined) return []
  return shown.slice(
    0,
    Math.max(
      0,
      shown.findIndex(({ id }) => id === messages[0]?.id),
    ),
  )
}

/** What the user has said last, where it was stopped before it arrived. */
function listUnsent(shown: ChatMessage[], stored: ChatMessage[]): ChatMessage[] {
  const known = new Set(stored.map(({ id }) => id))
  const last = shown.slice(shown.findLastIndex(({ role }) => role === 'assistant') + 1)
  return last.filter(({ id }) => !known.has(id))
}

/**
 * Answers as they are stored now: cards of earlier ones may be over. Messages of the user, which may have been edited
 * since, with the addresses of their files in place of what they hold.
 */
function withStored(shown: ChatMessage[], stored: ChatMessage[]): ChatMessage[] {
  const byId = new Map(stored.map((message) => [message.id, message]))
  const isOld = ({ role, parts }: ChatMessage, now: ChatMessage) =>
    role === 'assistant'
      ? !isSameJson(parts, now.parts)
      : parts.some((part) => isFile(part) && part.url.startsWith('data:'))
  const newer = shown.map((message) => {
    const now = byId.get(message.id)
    return now && isOld(message, now) ? now : message
  })
  return newer.some((message, index) => message !== shown[index]) ? newer : shown
}

function isFile(part: ChatMessage['parts'][number]): part is FileUIPart {
  return part.type === 'file'
}

function wait(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms))
}
