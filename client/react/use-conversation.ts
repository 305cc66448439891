import type { FileUIPart } from 'ai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ApprovalDecision, Askback } from '../askback.ts'
import type { AskbackError } from '../askback-error.ts'
import { describeFailure } from '../labels/failure.ts'
import { showList } from '../locale.ts'
import type { ChatAnswer, ChatMessage, Decided, Pending } from '../message.ts'
import { isAsked, joinItems } from '../open-items.ts'
import { isFile, listUnsent } from '../shown-messages.ts'
import { useFirstLabels } from './labels.tsx'
import type { Made } from './receipt.tsx'
import { useDecisions } from './use-decisions.ts'
import { useFollowing } from './use-following.ts'
import { useLazyChat } from './use-lazy-chat.ts'
import { useLooks } from './use-looks.ts'
import { useStored } from './use-stored.ts'
import { useUnsent } from './use-unsent.ts'

/** Milliseconds in which an answer to a decision counts as quick: a slower one is shown as it is written. */
const quickMs = 400

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
  const labels = useFirstLabels()
  const latest = useRef({ agentId, model, onChange, labels })
  latest.current = { agentId, model, onChange, labels }
  const [phase, setPhase] = useState<'loading' | 'ready' | 'missing'>(isNew ? 'ready' : 'loading')
  const [failure, setFailure] = useState<string>()
  const [isStopping, setStopping] = useState(false)
  // Decisions that are on their way.
  const [deciding, setDeciding] = useState(0)
  const inFlight = useRef(0)
  const { made, decide: note } = useDecisions()

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
  const { pending, decided, take, takeState, takeTurn, ...stored } = useStored(askback, id, setMessages)
  const isWriting = status === 'submitted' || status === 'streaming'
  const isBusy = isWriting || isStopping || deciding > 0
  // Of what was said before this page and did not arrive, the files that were not kept: it is sent when its user wants that.
  const [unsent, setUnsent] = useState<readonly string[]>()
  const findUnsent = useUnsent(id, chat, () => {
    if (unsent) void load()
  })
  const writing = useRef(isWriting)
  writing.current = isWriting

  /** What is asked for, after a turn. */
  const refresh = async () => {
    const now = await askback.conversations.get(id).catch(() => undefined)
    if (now) takeTurn(now)
    latest.current.onChange?.()
  }

  const showUnsent = async (stored: ChatMessage[]) => {
    const found = await findUnsent(stored).catch(() => undefined)
    setUnsent(found?.left)
    if (found) setMessages((shown) => [...shown, ...listUnsent(found.said, shown)])
    return found
  }

  /** Shows what a run writes that is at work; it may have ended before it could be followed. */
  const goOn = async () => {
    await resumeStream()
    const now = await askback.conversations.get(id).catch(() => undefined)
    if (now && !writing.current) take(now)
  }

  /** All of it, as it is stored; a run that is still at work goes on here. */
  const load = useCallback(async () => {
    try {
      const now = await askback.conversations.get(id)
      take(now)
      setPhase('ready')
      setFailure(undefined)
      await showUnsent(now.messages)
      if (now.status === 'running') await goOn()
    } catch (error) {
      const { status } = error as AskbackError
      // A new one may have been stopped before it arrived.
      const isMissing = status === 404 && !(await showUnsent([]))
      setPhase(isMissing && !isNew ? 'missing' : 'ready')
      if (status !== 404) setFailure(describeFailure(error, latest.current.labels))
    }
  }, [askback, id, isNew, take, resumeStream])

  useEffect(() => {
    if (!isNew) void load()
  }, [load])

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
  useLooks({ isIdle, isWaiting }, async (isOver) => {
    const now = await askback.conversations.get(id).catch(({ status }: AskbackError) => status)
    // Older than what the user has said since.
    if (isOver()) return
    // A new one may have been stopped before it arrived.
    if (now === 404 && !isNew && !unsent) setPhase('missing')
    if (typeof now !== 'object') return
    take(now)
    if (now.status === 'running') await goOn()
    if (isWaiting && now.pending.length === 0) latest.current.onChange?.()
  })

  /** Shows an answer that goes on after a decision, as it is written. */
  const follow = useFollowing(askback, id, setMessages)

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
        const now = await askback.conversations.get(id).catch(() => undefined)
        // What is being written here already goes on.
        if (now) (writing.current || now.status === 'running' ? takeState : take)(now)
        setDeciding(--inFlight.current)
        // What became of it was lost on its way, and the work goes on: it is shown as it is written.
        if (now?.status === 'running' && !writing.current && inFlight.current === 0) void follow().then(load)
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
  const told = useMemo(() => joinItems<Made>(decided, made), [decided, made])

  // Only as long as nothing has come of it.
  const notSent =
    !isBusy && chat.messages.at(-1)?.role === 'user' ? unsent && describeUnsent(unsent, labels) : undefined
  const retryLoading = () => {
    clearError()
    return load()
  }

  return {
    id,
    title: stored.title,
    messages: chat.messages,
    /** When messages were written, ISO 8601, by their ids, as far as that is known. */
    times: stored.times,
    pending: open,
    /** What was decided in it: on this page, and before. */
    decided: told,
    phase,
    /** Loads the messages before those that are shown; absent where there are none. */
    loadEarlier: stored.loadEarlier,
    /** The model, a tool or a decision is at work. */
    isBusy,
    /** A sentence about what is going on, while it does. */
    notice: isBusy ? chat.notice : undefined,
    /** A sentence, when the last turn could not be done. */
    failure:
      failure ?? (isCut ? labels.connectionCut : chat.error ? describeFailure(chat.error, labels) : notSent),
    send(message: OutgoingMessage) {
      setFailure(undefined)
      return chat.sendMessage(message.files?.length ? message : { text: message.text })
    },
    /** Sends a message of the user in other words; what came after it is replaced. It keeps its files unless others are given. */
    edit(messageId: string, { text, files }: OutgoingMessage) {
      const sent = files ?? chat.messages.find(({ id }) => id === messageId)?.parts.filter(isFile) ?? []
      setFailure(undefined)
      stored.forgetPending()
      return chat.sendMessage({ text, messageId, ...(sent.length > 0 ? { files: sent } : {}) })
    },
    async regenerate(messageId?: string) {
      // The later answer that is being written goes.
      await chat.stop()
      setFailure(undefined)
      stored.forgetPending()
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
    retry: () =>
      (chat.messages.length > 0 && chat.error && !isCut) || notSent ? chat.regenerate() : retryLoading(),
  }
}

export type ConversationState = ReturnType<typeof useConversation>

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function describeUnsent(left: readonly string[], labels: ReturnType<typeof useFirstLabels>): string {
  if (left.length === 0) return labels.notSent
  const names = left.map((name) => name || labels.unnamedFile)
  return labels.notSentNorFiles(showList(names, labels.locale))
}
