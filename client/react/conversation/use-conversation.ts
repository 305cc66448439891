import type { FileUIPart } from 'ai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ChatAnswer, ChatMessage, Decided, Pending } from '../../api/message.ts'
import { isAsked, joinItems } from '../../api/open-items.ts'
import type { ApprovalDecision, Askback } from '../../askback.ts'
import type { AskbackError } from '../../askback-error.ts'
import { failureIn } from '../../chat-store.ts'
import { describeFailure } from '../../labels/failure.ts'
import { isFile, listNewest, listUnsent } from '../../shown-messages.ts'
import type { Made } from '../cards/receipt.tsx'
import { useFirstLabels } from '../labels/labels.tsx'
import { useDecisions } from './use-decisions.ts'
import { useFollowing } from './use-following.ts'
import { leftBehind, useLazyChat } from './use-lazy-chat.ts'
import { useLooks } from './use-looks.ts'
import { useStored } from './use-stored.ts'
import { useUnsent } from './use-unsent.ts'

/** An answer to a decision that takes longer than this many milliseconds is shown as it is written. */
const quickMs = 400
/** Milliseconds between two looks whether a lost server is back. */
const lookMs = 3000

export interface ConversationOptions {
  id: string
  /** Not stored yet: nothing is loaded until something was sent to it. */
  isNew?: boolean
  /** The agent for a new conversation. */
  agentId?: string | undefined
  /** The model to use from the next message on; null leaves it to the agent. */
  model?: string | null | undefined
  /** What a new conversation belongs to in the app, such as an organisation. */
  scope?: string | undefined
  /** Called when a turn has ended or was decided on. */
  onChange?: (() => void) | undefined
  /** Whether the user who opened it is still signed in: nothing is sent as another one. */
  isMine?: (() => boolean) | undefined
  /** Called with a sentence if a message could not be sent after its chat was left; it is there when the user comes back. */
  onLost?: ((sentence: string) => void) | undefined
}

/** What the user says. `files` come from an input, or are message parts. */
export interface OutgoingMessage {
  text: string
  files?: FileList | FileUIPart[]
}

/**
 * Conversations that this page has sent something to. It outlives the components: one that comes back with the id of a
 * new conversation loads what was said in it.
 */
const begun = new Set<string>()

/** A conversation: the chat, its open items, decisions, and continuing after a reload. */
export function useConversation(
  askback: Askback,
  { id, isNew = false, agentId, model, scope, onChange, isMine, onLost }: ConversationOptions,
) {
  const labels = useFirstLabels()
  const latest = useRef({ agentId, model, scope, onChange, onLost, labels })
  latest.current = { agentId, model, scope, onChange, onLost, labels }
  const [phase, setPhase] = useState<'loading' | 'ready' | 'missing'>(
    isNew && !begun.has(id) ? 'ready' : 'loading',
  )
  const [failure, setFailure] = useState<string>()
  const [isStopping, setStopping] = useState(false)
  // Decisions being sent.
  const [deciding, setDeciding] = useState(0)
  const inFlight = useRef(0)
  const { made, decide: note } = useDecisions()

  const chat = useLazyChat({
    id,
    fetch: askback.fetch,
    upload: askback.upload,
    agentId: () => latest.current.agentId,
    model: () => latest.current.model,
    scope: () => latest.current.scope,
    isMine,
    onFinish: ({ isAbort }) => {
      if (!isAbort) void refresh()
    },
    onLost(view) {
      const { labels, onLost } = latest.current
      const reason = describeFailure(failureIn(view), labels)
      kept.keep(view.messages, reason)
      onLost?.(`${labels.notSent} ${reason}`)
    },
    // It is in no list yet, and nothing that is drawn can say so.
    onArrived: () => latest.current.onChange?.(),
  })
  const { setMessages, resumeStream, status } = chat
  const { pending, decided, apply, applyState, applyTurn, ...stored } = useStored(askback, id, setMessages)
  const isWriting = status === 'submitted' || status === 'streaming'
  const isBusy = isWriting || isStopping || deciding > 0
  // Whether a message from before a reload was not sent: it is sent when the user asks for it.
  const [unsent, setUnsent] = useState<{ reason: string | undefined }>()
  const kept = useUnsent(id, chat, () => {
    if (unsent) void load()
  })
  const writing = useRef(isWriting)
  writing.current = isWriting

  /** The conversation as it is stored; undefined if that cannot be read. */
  const readNow = () => askback.conversations.get(id).catch(() => undefined)

  /** Reloads the open items after a turn. */
  const refresh = async () => {
    const now = await readNow()
    if (now) applyTurn(now)
    latest.current.onChange?.()
  }

  const showUnsent = async (stored: ChatMessage[]) => {
    const found = await kept.find(stored).catch(() => undefined)
    setUnsent(found)
    if (found) setMessages((shown) => [...shown, ...listUnsent(found.messages, shown)])
    return found
  }

  /** Shows what a running run writes; it may have ended before it could be followed. */
  const goOn = async () => {
    await resumeStream()
    const now = await readNow()
    if (now && !writing.current) apply(now)
  }

  /** Loads everything that is stored, and follows a run that is still going. */
  const load = useCallback(async () => {
    try {
      const now = await askback.conversations.get(id)
      apply(now)
      setPhase('ready')
      setFailure(undefined)
      await showUnsent(now.messages)
      if (now.status === 'running') await goOn()
    } catch (error) {
      const { status } = error as AskbackError
      // A new conversation may have been stopped before its message arrived.
      const isMissing = status === 404 && !(await showUnsent([]))
      setPhase(isMissing && !isNew ? 'missing' : 'ready')
      if (status !== 404) setFailure(describeFailure(error, latest.current.labels))
    }
  }, [askback, id, isNew, apply, resumeStream])

  useEffect(() => {
    if (!isNew || begun.has(id)) void load()
    leftBehind.addEventListener(id, load)
    return () => leftBehind.removeEventListener(id, load)
    // Not when the app calls it new no longer: it is shown already.
  }, [askback, id])

  // The stream broke off: the run's progress is shown once the connection is back.
  const isCut = chat.error instanceof TypeError
  const { clearError } = chat
  const comeBack = () => {
    clearError()
    return load()
  }
  useEffect(() => {
    if (!isCut) return
    // A server that was gone tells nobody that it is back.
    const looking = setInterval(() => {
      askback.conversations.get(id).then(comeBack, () => {})
    }, lookMs)
    window.addEventListener('online', comeBack)
    return () => {
      clearInterval(looking)
      window.removeEventListener('online', comeBack)
    }
  }, [isCut, clearError, load])

  // A message that could not be sent is not stored: it stays on the page until it is sent again.
  const isIdle = chat.messages.length > 0 && !isBusy && chat.error === undefined
  const isWaiting = pending.length > 0
  useLooks({ isIdle, isWaiting }, async (isOver) => {
    const now = await askback.conversations.get(id).catch(({ status }: AskbackError) => status)
    // The user has said something since.
    if (isOver()) return
    // A new conversation may have been stopped before its message arrived.
    if (now === 404 && !isNew && !unsent) setPhase('missing')
    if (typeof now !== 'object') return
    apply(now)
    if (now.status === 'running') await goOn()
    if (isWaiting && now.pending.length === 0) latest.current.onChange?.()
  })

  // What was asked may be answered in words: it is over with the call that heeds them, not only with the whole answer.
  const hasOutput = (part: object) => (part as { output?: unknown }).output
  const ended = isWriting && isWaiting && chat.messages.at(-1)?.parts.filter(hasOutput).length
  useEffect(() => {
    if (!ended) return
    askback.conversations.get(id).then(
      (now) => applyTurn({ ...now, messages: now.messages.slice(0, -1) }),
      () => {},
    )
  }, [askback, id, ended, applyTurn])

  /** Shows an answer that continues after a decision, as it is written. */
  const follow = useFollowing(askback, id, setMessages)

  /** Sends a decision and shows the result as it is written and stored. Rejects with a sentence. */
  const decide = (
    item: Pending,
    decision: Decided['decision'] | ApprovalDecision,
    send: () => Promise<ChatAnswer>,
  ) =>
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
        const now = await readNow()
        // An answer that is being written here continues anyway.
        if (now) (writing.current || now.status === 'running' ? applyState : apply)(now)
        setDeciding(--inFlight.current)
        // The response was lost but the run continues: follow it.
        if (now?.status === 'running' && !writing.current && inFlight.current === 0) void follow().then(load)
        latest.current.onChange?.()
      }
    })

  // What was shown before the last edit, or the last request for another answer, has cut it off.
  const seen = useRef<readonly string[]>([])
  /** Sends what replaces messages. Rejects if these are not all that there are: then all are shown, and nothing is replaced. */
  const replace = async (send: (seen: readonly string[]) => Promise<void>, isAgain = false) => {
    setFailure(undefined)
    const shown = listNewest(chat.messages)
    seen.current = isAgain ? [...seen.current, ...shown] : shown
    await send(seen.current)
    const refused = chat.failure()
    if (refused?.code !== 'newer_messages') return
    clearError()
    void load()
    throw refused
  }

  // A decision made here is over as soon as its call continues, however long the answer takes.
  const over = pending
    .filter((item) => made.some(({ itemId }) => itemId === item.itemId) && !isAsked(chat.messages, item))
    .map(({ itemId }) => itemId)
  const open = useMemo(
    () => (over.length === 0 ? pending : pending.filter(({ itemId }) => !over.includes(itemId))),
    [pending, over.join(' ')],
  )
  const allDecided = useMemo(() => {
    const stored = new Map(decided.map((one) => [one.itemId, one]))
    return joinItems<Made>(decided, made).map((one) => asDecided(one, stored.get(one.itemId)))
  }, [decided, made])

  // Only until it has a result.
  const notSent =
    unsent && !isBusy && chat.messages.at(-1)?.role === 'user'
      ? [labels.notSent, unsent.reason].filter(Boolean).join(' ')
      : undefined
  const last = chat.messages.at(-1)?.id
  const notAnswered = !isBusy && last !== undefined && last === stored.unanswered && labels.notAnswered
  return {
    id,
    title: stored.title,
    messages: chat.messages,
    /** When messages were written, ISO 8601, by id, if known. */
    times: stored.times,
    /** How many answers each one has taken the place of, by id: `askback.conversations.former` reads them. */
    former: stored.former,
    pending: open,
    /** Decisions made on this page and before. */
    decided: allDecided,
    phase,
    /** Loads earlier messages; absent if there are none. */
    loadEarlier: stored.loadEarlier,
    /** The model, a tool or a decision is running. */
    isBusy,
    /** A sentence about what is happening now. */
    notice: isBusy ? chat.notice : undefined,
    /** A sentence if the last turn failed. */
    failure:
      failure ??
      (isCut
        ? labels.connectionCut
        : chat.error
          ? describeFailure(failureIn(chat), labels)
          : notSent || notAnswered || undefined),
    send(message: OutgoingMessage) {
      begun.add(id)
      setFailure(undefined)
      return chat.sendMessage(message.files?.length ? message : { text: message.text })
    },
    /**
     * Replaces an earlier message of the user and everything after it. It keeps its files unless others are given. Rejects
     * with a sentence if another tab or device has sent a newer message: that is shown, and nothing is replaced.
     */
    edit(messageId: string, { text, files }: OutgoingMessage) {
      const sent = files ?? chat.messages.find(({ id }) => id === messageId)?.parts.filter(isFile) ?? []
      stored.forgetPending()
      return replace((seen) =>
        chat.sendMessage({ text, messageId, seen, files: sent.length > 0 ? sent : undefined }),
      )
    },
    /** Asks for another answer, by default instead of the last one. Rejects like `edit`. */
    async regenerate(messageId?: string) {
      // A later answer that is still being written is dropped.
      await chat.stop()
      stored.forgetPending()
      const which = messageId === undefined ? {} : { messageId }
      return replace((seen) => chat.regenerate({ ...which, body: { seen } }))
    },
    async stop() {
      // Until the stop is confirmed, an unsent message would be shown in its stored version.
      setStopping(true)
      await Promise.all([chat.stop(), askback.stop(id).catch(() => {})])
      await load()
      setStopping(false)
      latest.current.onChange?.()
    },
    answer: (item: Pending, values: Record<string, unknown>) =>
      decide(item, 'answer', () => askback.answer(id, item.itemId, values)),
    /** Continues without what was asked for. */
    skip: (item: Pending) => decide(item, 'skip', () => askback.skip(id, item.itemId)),
    approve: (item: Pending, decision: ApprovalDecision) =>
      decide(item, decision, () => askback.approve(id, item.toolCallId, decision)),
    /** Takes a standing permission back that was given here. Rejects with a sentence. */
    async takeBack(permissionId: string) {
      try {
        await askback.permissions.revoke(permissionId)
      } catch (error) {
        // It was taken back elsewhere.
        if ((error as AskbackError).status !== 404) throw error
      }
      applyState(await askback.conversations.get(id))
    },
    /** The address of an item's own page in the web app, for `handlers`. Rejects if the project has no web app. */
    pageOf: async ({ itemId }: Pending) => (await askback.links.create(itemId)).url,
    /** Tries again after a failure. Rejects like `edit`. */
    retry: () =>
      (chat.messages.length > 0 && chat.error && !isCut) || notSent || notAnswered
        ? replace((seen) => chat.regenerate({ body: { seen } }), true)
        : comeBack(),
  }
}

/** What was decided, as it is stored; here it may have come too late. */
function asDecided(made: Made, stored: Decided | undefined): Made {
  const isLate = stored && made.decision === 'late'
  return { ...stored, ...made, ...(isLate && { before: stored.decision, at: stored.at }) }
}

export type ConversationState = ReturnType<typeof useConversation>

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
