import { useEffect, useRef } from 'react'
import type { Draft } from '../../../client/react/conversation/composer.tsx'
import type { ConversationState } from '../../../client/react/conversation/use-conversation.ts'
import { useKept, useKeptStore } from '../../../client/react/forms/use-kept.ts'
import { isSameJson } from '../../../client/values/json-text.ts'

/** An earlier message of the user, and what it is changed to. */
interface Edited {
  id: string
  draft: Draft
}

/**
 * The earlier message that is being edited. It is kept until the change has arrived: after a reload, the conversation
 * stands there as it is stored, with the change in the composer.
 */
export function useEdited(path: string, { edit, messages, phase, isBusy }: ConversationState) {
  const place = `message ${path} edited`
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
    if (edited && isStored(edited, messages) && store?.read(`message ${path} ${edited.id}`) === undefined)
      setEdited(null)
  }, [isReady, messages, edited, setEdited, store, path])
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
