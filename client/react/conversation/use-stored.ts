import { useCallback, useState } from 'react'
import type { Conversation, Decided, Pending } from '../../api/message.ts'
import { joinItems } from '../../api/open-items.ts'
import type { Askback } from '../../askback.ts'
import { showStored, updateShown } from '../../shown-messages.ts'
import type { LazyChat } from './use-lazy-chat.ts'

/** What is stored of a conversation, as far as it was loaded; its messages are in its chat. */
export function useStored(askback: Askback, id: string, setMessages: LazyChat['setMessages']) {
  const [title, setTitle] = useState<string | null>(null)
  const [pending, setPending] = useState<Pending[]>([])
  const [decided, setDecided] = useState<readonly Decided[]>([])
  const [times, setTimes] = useState<Record<string, string>>({})
  const [former, setFormer] = useState<Record<string, number>>({})
  const [unanswered, setUnanswered] = useState<string>()
  // The oldest message shown, if there are earlier ones.
  const [next, setNext] = useState<string>()

  /** Applies what belongs to the messages, whichever they are. */
  const applyFacts = useCallback((stored: Conversation) => {
    setDecided((known) => joinItems(known, stored.decided ?? []))
    setTimes((known) => ({ ...known, ...stored.times }))
    setFormer((known) => ({ ...known, ...stored.former }))
  }, [])

  /** Applies everything but the messages. */
  const applyState = useCallback(
    (stored: Conversation) => {
      setTitle(stored.title)
      setPending(stored.pending)
      setUnanswered(findUnanswered(stored))
      applyFacts(stored)
    },
    [applyFacts],
  )

  /** Applies everything. */
  const apply = useCallback(
    (stored: Conversation) => {
      applyState(stored)
      setMessages((shown) => {
        const { messages, hasEarlier } = showStored(shown, stored)
        if (!hasEarlier) setNext(stored.next)
        return messages
      })
    },
    [applyState, setMessages],
  )

  /** Applies everything after a turn, whose messages are already shown. */
  const applyTurn = useCallback(
    (stored: Conversation) => {
      applyState(stored)
      setMessages((shown) => updateShown(shown, stored.messages))
    },
    [applyState, setMessages],
  )

  /** Loads earlier messages. Rejects with a sentence. */
  const loadEarlier = useCallback(async () => {
    const page = await askback.conversations.get(id, next)
    applyFacts(page)
    setMessages((shown) => {
      // The list has changed in the meantime.
      if (shown[0]?.id !== next) return shown
      setNext(page.next)
      return [...page.messages, ...shown]
    })
  }, [askback, id, next, applyFacts, setMessages])

  return {
    title,
    pending,
    decided,
    times,
    former,
    /** Id of the user's newest message, if its answer failed before anything of it was stored. */
    unanswered,
    /** Absent if there are none. */
    loadEarlier: next === undefined ? undefined : loadEarlier,
    apply,
    applyState,
    applyTurn,
    /** Drops the open items: the message they came from is being replaced. */
    forgetPending: useCallback(() => setPending([]), []),
  }
}

function findUnanswered({ status, messages }: Conversation): string | undefined {
  const last = messages.at(-1)
  return status === 'failed' && last?.role === 'user' ? last.id : undefined
}
