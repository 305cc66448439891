import { useEffect, useRef } from 'react'
import { isSameJson } from '../../values/json-text.ts'
import type { Draft } from '../conversation/composer.tsx'
import type { ConversationState } from '../conversation/use-conversation.ts'
import { useKept, useKeptStore } from '../forms/use-kept.ts'

/** An earlier message of the user, and what it is changed to. */
interface Edited {
  id: string
  draft: Draft
}

/**
 * The earlier message that is being edited. It is kept until the change has arrived: after a reload, the conversation
 * stands there as it is stored, with the change in the composer.
 *
 * @param messagePlace Where the composer keeps its message.
 */
export function useEdited(messagePlace: string, { edit, messages, phase, isBusy }: ConversationState) {
  const place = `${messagePlace} edited`
  const store = useKeptStore()
  const [edited, setEdited] = useKept<Edited | null>(place, null)
  const sent = useRef<Edited>(undefined)
  const isAnswered = isBusy && messages.at(-1)?.role === 'assistant'
  useEffect(() => {
    // Until the code that sends is loaded, the old answer is still there.
    if (!isAnswered || !sent.current || !isStored(sent.current, messages)) return
    sent.current = undefined
    store?.write(place, undefined, undefined)
  }, [isAnswered, messages, store, place])
  // It had arrived, and only the response was lost.
  const wasFound = useRef(edited !== null)
  const isReady = phase === 'ready'
  useEffect(() => {
    if (!isReady || !wasFound.current) return
    wasFound.current = false
    if (edited && isStored(edited, messages) && store?.read(`${messagePlace} ${edited.id}`) === undefined)
      setEdited(null)
  }, [isReady, messages, edited, setEdited, store, messagePlace])
  return {
    edited,
    setEdited,
    send(change: Edited) {
      setEdited(null)
      sent.current = change
      store?.write(place, change, change)
      return edit(change.id, change.draft)
    },
    /** Brings a change that was sent and refused back into the composer. */
    takeBack() {
      if (sent.current === undefined) return
      setEdited(sent.current)
      sent.current = undefined
    },
  }
}

function isStored({ id, draft }: Edited, messages: ConversationState['messages']): boolean {
  const parts = messages.find((one) => one.id === id)?.parts ?? []
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const names = parts.flatMap((part) => (part.type === 'file' ? part.filename : []))
  return isSameJson([text, names], [draft.text.trim(), draft.files.map(({ filename }) => filename)])
}
