import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createKeptStore } from '../../kept-store.ts'
import { useTools } from '../conversation/use-tools.ts'
import { KeptProvider, useKeptStore } from '../forms/use-kept.ts'
import { AllowedFrames } from '../interaction/allowed-frames.ts'
import type { AskbackChatProps } from './askback-chat.tsx'
import { ConversationPane, lostPlace, unsentPlace } from './conversation-pane.tsx'
import { Tell } from './tell.ts'

type Given = 'onOpen' | 'heading' | 'start' | 'onProblem'

/** A chat whose app says who is signed in and what is open, and has something of its own around it. */
export type UserChatProps = Omit<AskbackChatProps, Given | 'userId'> & {
  [Name in Given]-?: NonNullable<AskbackChatProps[Name]>
} & { userId: string }

const none: readonly string[] = []
/** Who sees a chat on this page, or saw the last one. */
let reader: string | undefined

/** The conversation of a user that is open. What they type is kept for them alone. */
export function UserChat(props: Parameters<typeof OpenChat>[0]) {
  const { userId } = props
  const store = useMemo(() => createKeptStore(userId), [userId])
  return (
    <KeptProvider value={store}>
      <AllowedFrames.Provider value={props.allowedFrames ?? none}>
        <OpenChat key={userId} {...props} />
      </AllowedFrames.Provider>
    </KeptProvider>
  )
}

function OpenChat({
  userId,
  conversationId,
  onOpen,
  begun = 0,
  tools,
  isBack = false,
  onProblem,
  onChange,
  problem,
  ...pane
}: UserChatProps & {
  /** How often a new conversation was begun. */
  begun?: number
  /** What didn't work, where the chat shows it itself. */
  problem?: ReactNode
}) {
  const { id, isNew } = useConversationId(conversationId, onOpen, begun)
  useLayoutEffect(() => {
    reader = userId
  }, [userId])
  return (
    <Tell.Provider value={onProblem}>
      <ConversationPane
        key={id}
        {...pane}
        tools={useTools(pane.askback, tools)}
        id={id}
        isNew={isNew}
        isMine={() => reader === userId}
        messagePlace={`message ${conversationId ?? 'new'}`}
        onBegin={() => conversationId !== id && onOpen(id, 'begin')}
        onChange={() => onChange?.()}
        isBack={isBack}
        problem={problem}
      />
    </Tell.Provider>
  )
}

/** The id of the open conversation, or of the one that is about to begin. */
function useConversationId(
  conversationId: string | undefined,
  onOpen: UserChatProps['onOpen'],
  begun: number,
) {
  const [draftId, setDraftId] = useState(newId)
  // Begun anew, even if nothing was said yet.
  const [before, setBefore] = useState(begun)
  if (before !== begun) {
    setBefore(begun)
    setDraftId(newId())
  }
  // Left for another conversation or a new one: never use the id twice.
  const wasDraft = useRef(false)
  useEffect(() => {
    if (conversationId === draftId) wasDraft.current = true
    else if (wasDraft.current) {
      wasDraft.current = false
      setDraftId(newId())
    }
  }, [conversationId, draftId])
  const store = useKeptStore()
  const openKept = (place: string) => {
    const unsent = conversationId === undefined && store?.read(place)
    if (typeof unsent !== 'string') return
    store?.write(place, undefined, undefined)
    onOpen(unsent, 'begin')
  }
  // Shows an unsent message when the app is opened, or a new conversation; only once, since the user may leave it.
  useEffect(() => openKept(unsentPlace), [])
  useEffect(() => openKept(lostPlace), [conversationId])
  return {
    id: conversationId ?? draftId,
    isNew: conversationId === undefined || conversationId === draftId,
  }
}

function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16)
}
