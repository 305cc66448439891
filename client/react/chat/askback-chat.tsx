import { lazy, type ReactNode, Suspense } from 'react'
import type { ToolDescription } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'
import type { EmptyChat } from './conversation-pane.tsx'
import type { FoundMessage } from './scroll-keeper.tsx'
import { UserChat, type UserChatProps } from './user-chat.tsx'

// Apps that say everything themselves, as the web app does, load none of it.
const OwnChat = lazy(() => import('./own-chat.tsx').then(({ OwnChat }) => ({ default: OwnChat })))

export interface AskbackChatProps {
  askback: Askback
  /** Your page with `<Integrations>`. A function gets the id of the conversation, so that the page can lead back to it. */
  settingsHref: string | ((conversationId: string) => string)
  /** Your page with `<WithoutAsking>`, which the receipts of what nobody was asked about lead to. */
  withoutAskingHref?: string | undefined
  /** The user, if your app doesn't sign in with `supabase.auth`: null while nobody is signed in. */
  userId?: string | null
  /** The tools, if your app has loaded them itself. */
  tools?: readonly ToolDescription[]
  /** Whatever conversations belong to in your app, such as an organisation: only those are listed. Up to 200 characters. */
  scope?: string | undefined
  /** The agent of new conversations; by default the user's first one. */
  agentId?: string | undefined
  /** The open conversation, if `onOpen` is given: by default it is in the page's address (`?chat=…`). */
  conversationId?: string | undefined
  /**
   * Opens another conversation, or a new one (undefined). `begin`: the one that is open has got its id, which replaces the
   * page's address; `choose`: the user wants to see another one.
   */
  onOpen?: ((id: string | undefined, how: 'begin' | 'choose') => void) | undefined
  /** Without a list, for apps that have one of their own. */
  list?: boolean
  /** What stands above the conversation, instead of a bar with its title. */
  heading?: ((title: string | null) => ReactNode) | undefined
  /** What an empty conversation shows. */
  start?: ((empty: EmptyChat) => ReactNode) | undefined
  /** More controls in the composer of a new conversation, such as a choice of agents. */
  controls?: ReactNode
  /** A message of the conversation to go to. */
  found?: FoundMessage | undefined
  /** Whether the user has come back from the settings that a card led to. */
  isBack?: boolean
  /**
   * Origins of other sites that show your page in a frame and may have calls approved in it, such as
   * `https://portal.example.com`. Anywhere else, what needs approval opens in a window of its own.
   */
  allowedFrames?: readonly string[] | undefined
  /** Called when conversations have changed. */
  onChange?: (() => void) | undefined
  /** Shows a sentence about what didn't work, instead of the chat itself. */
  onProblem?: ((sentence: string) => void) | undefined
}

/**
 * The whole chat: the user's conversations with a search, and the one that is open, with files, forms, approvals and
 * everything else. It is as large as its container. When another user signs in, nothing of the former one is left in it.
 */
export function AskbackChat(props: AskbackChatProps) {
  if (saysAll(props)) {
    return (
      <div className="askback-chat">
        <UserChat {...props} />
      </div>
    )
  }
  return (
    <Suspense fallback={<div className="askback-chat" />}>
      <OwnChat {...props} />
    </Suspense>
  )
}

function saysAll(props: AskbackChatProps): props is UserChatProps {
  const { userId, onOpen, list, heading, start, onProblem } = props
  return Boolean(userId && onOpen && heading && start && onProblem) && list === false
}
