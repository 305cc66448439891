import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFirstLabels } from '../labels/labels.tsx'
import type { AskbackChatProps } from './askback-chat.tsx'
import type { FoundMessage } from './scroll-keeper.tsx'
import { useChatAddress } from './use-chat-address.ts'
import { useUser } from './use-user.ts'
import { UserChat } from './user-chat.tsx'

const parts = () => import('./list-parts.ts')
const ChatBar = lazy(() => parts().then(({ ChatBar }) => ({ default: ChatBar })))
const ChatHeading = lazy(() => parts().then(({ ChatHeading }) => ({ default: ChatHeading })))
const ChatList = lazy(() => parts().then(({ ChatList }) => ({ default: ChatList })))
const ShownProblem = lazy(() => parts().then(({ ShownProblem }) => ({ default: ShownProblem })))
const Greeting = lazy(() => parts().then(({ Greeting }) => ({ default: Greeting })))

/** A chat that knows by itself whatever its app doesn't say: who is signed in, what is open, and what stands around it. */
export function OwnChat({ userId: given, ...props }: AskbackChatProps) {
  const userId = useUser(props.askback, given)
  const labels = useFirstLabels()
  if (userId === undefined) return <div className="askback-chat" />
  if (userId === null) {
    return (
      <div className="askback-chat">
        <p className="askback-quiet">{labels.failures.signed_out}</p>
      </div>
    )
  }
  return <FramedChat key={userId} {...props} userId={userId} />
}

function FramedChat({
  conversationId: openId,
  onOpen: openElsewhere,
  list = true,
  heading,
  start = () => <Greeting />,
  found,
  onChange,
  onProblem,
  ...props
}: AskbackChatProps & { userId: string }) {
  const { askback, userId, scope } = props
  const address = useChatAddress(userId)
  const { conversationId, onOpen } = openElsewhere
    ? { conversationId: openId, onOpen: openElsewhere }
    : address
  const [foundHere, setFound] = useState<FoundMessage>()
  const [isListing, setListing] = useState(false)
  const [changes, setChanges] = useState(0)
  const [begun, setBegun] = useState(0)
  const [renamed, setRenamed] = useState<{ id: string; title: string }>()
  const [problem, setProblem] = useState<string>()
  const tell = onProblem ?? setProblem
  const frame = useRef<HTMLDivElement>(null)
  /** Whether its user has led to what is open. */
  const isChosen = useRef(false)
  /** Back to the conversation, at the button that had opened the list. */
  const close = () => {
    // Until it is rendered, the button cannot take the focus.
    flushSync(() => setListing(false))
    frame.current?.querySelector<HTMLElement>('.askback-chat-pane .askback-to-list')?.focus()
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (!isListing || event.key !== 'Escape' || event.defaultPrevented) return
    // Must not stop the answer as well.
    event.preventDefault()
    close()
  }
  const open = (next: string | undefined, messageId?: string, words?: string) => {
    isChosen.current = true
    setFound((before) =>
      messageId === undefined ? undefined : { messageId, words, times: (before?.times ?? 0) + 1 },
    )
    if (next === conversationId) close()
    else setListing(false)
    if (next === undefined) setBegun((count) => count + 1)
    onOpen(next, 'choose')
  }
  const bar = (title: string | null) => (
    <Suspense fallback={<div className="askback-chat-bar" />}>
      <ChatBar
        title={renamed && renamed.id === conversationId ? renamed.title : title}
        askback={askback}
        userId={userId}
        changes={changes}
        openId={conversationId}
        isChosen={isChosen.current}
        onList={() => setListing(true)}
        onNew={() => open(undefined)}
        onOpen={open}
      />
    </Suspense>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is pressed is within it
    <div ref={frame} className="askback-chat" data-listing={isListing} onKeyDown={closeByKey}>
      {list && !heading && (
        <Suspense>
          <ChatHeading />
        </Suspense>
      )}
      {list && (
        <Suspense fallback={<div className="askback-chat-list" />}>
          <ChatList
            askback={askback}
            scope={scope}
            changes={changes}
            openId={conversationId}
            onNew={() => open(undefined)}
            onOpen={open}
            onRename={(id, title) => setRenamed({ id, title })}
            isOpened={isListing}
            onClose={close}
            onProblem={tell}
          />
        </Suspense>
      )}
      <UserChat
        {...props}
        conversationId={conversationId}
        onOpen={onOpen}
        begun={begun}
        heading={heading ?? (list ? bar : () => null)}
        start={start}
        found={found ?? foundHere}
        onChange={() => {
          setChanges((count) => count + 1)
          onChange?.()
        }}
        onProblem={tell}
        problem={
          problem !== undefined && (
            <Suspense>
              <ShownProblem sentence={problem} onClose={() => setProblem(undefined)} />
            </Suspense>
          )
        }
      />
    </div>
  )
}
