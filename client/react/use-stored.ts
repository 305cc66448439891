import { useCallback, useState } from 'react'
import type { Askback } from '../askback.ts'
import type { Conversation, Decided, Pending } from '../message.ts'
import { joinItems } from '../open-items.ts'
import { showStored, updateShown } from '../shown-messages.ts'
import type { LazyChat } from './use-lazy-chat.ts'

/** What is stored of a conversation, as far as it was read; its messages are those of its chat. */
export function useStored(askback: Askback, id: string, setMessages: LazyChat['setMessages']) {
  const [title, setTitle] = useState<string | null>(null)
  const [pending, setPending] = useState<Pending[]>([])
  const [decided, setDecided] = useState<readonly Decided[]>([])
  const [times, setTimes] = useState<Record<string, string>>({})
  // The oldest message that is shown, where there are earlier ones.
  const [next, setNext] = useState<string>()

  /** Of messages, whichever these are. */
  const takeFacts = useCallback((stored: Conversation) => {
    setDecided((known) => joinItems(known, stored.decided ?? []))
    setTimes((known) => ({ ...known, ...stored.times }))
  }, [])

  /** Everything but the messages. */
  const takeState = useCallback(
    (stored: Conversation) => {
      setTitle(stored.title)
      setPending(stored.pending)
      takeFacts(stored)
    },
    [takeFacts],
  )

  /** All of it. */
  const take = useCallback(
    (stored: Conversation) => {
      takeState(stored)
      setMessages((shown) => {
        const { messages, hasEarlier } = showStored(shown, stored)
        if (!hasEarlier) setNext(stored.next)
        return messages
      })
    },
    [takeState, setMessages],
  )

  /** All of it, after a turn: what was said in it is shown already. */
  const takeTurn = useCallback(
    (stored: Conversation) => {
      takeState(stored)
      setMessages((shown) => updateShown(shown, stored.messages))
    },
    [takeState, setMessages],
  )

  /** Loads the messages before those that are shown. Rejects with a sentence. */
  const loadEarlier = useCallback(async () => {
    const page = await askback.conversations.get(id, next)
    takeFacts(page)
    setMessages((shown) => {
      // Not of what is shown by now.
      if (shown[0]?.id !== next) return shown
      setNext(page.next)
      return [...page.messages, ...shown]
    })
  }, [askback, id, next, takeFacts, setMessages])

  return {
    title,
    pending,
    decided,
    times,
    /** Absent where there are none. */
    loadEarlier: next === undefined ? undefined : loadEarlier,
    take,
    takeState,
    takeTurn,
    /** What was open is not any more: the message that it came of is replaced. */
    forgetPending: useCallback(() => setPending([]), []),
  }
}
