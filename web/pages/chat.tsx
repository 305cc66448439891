import '../styles/chat.css'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { AskbackChat } from '../../client/react/chat/askback-chat.tsx'
import { useConversations, useConversationsChanged } from '../base/conversation-pages.ts'
import { frameWords } from '../base/frame-words.ts'
import { useAgents, useTools } from '../base/queries.ts'
import { useSession } from '../base/session.tsx'
import { newChatEvent } from '../shell/new-chat.ts'
import { PageTitle } from '../shell/page-title.tsx'
import { useToast } from '../shell/toasts.tsx'
import { AgentPicker } from './chat/agent-picker.tsx'
import { StartPage } from './chat/start-page.tsx'
import { keepTourStep, tourStepOf } from './chat/tour-place.ts'
import { useFoundMessage } from './chat/use-found-message.ts'
import { cameBack } from './integrations/way-back.ts'

const ChatBar = lazy(() => import('./chat/chat-bar.tsx'))

/** A conversation, or the start of a new one. Its id is in the URL once something was said. */
export function ChatPage({ conversationId }: { conversationId?: string }) {
  const { askback, session } = useSession()
  const [, navigate] = useLocation()
  const toast = useToast()
  const agents = useAgents().data ?? []
  const [chosenAgent, setChosenAgent] = useState<string>()
  const [begun, setBegun] = useState(0)
  /** The step of the tour that the next conversation is. */
  const next = useRef<number>(undefined)
  const step = tourStepOf(conversationId)
  const isBack = useMemo(cameBack, [conversationId])
  useEffect(() => {
    const begin = () => {
      next.current = undefined
      setBegun((count) => count + 1)
    }
    window.addEventListener(newChatEvent, begin)
    return () => window.removeEventListener(newChatEvent, begin)
  }, [])
  return (
    <main className="chat">
      <h1 className="hidden">{frameWords().chat}</h1>
      <AskbackChat
        key={begun}
        askback={askback}
        tools={useTools()}
        userId={session?.user.id ?? null}
        withoutAskingHref="/settings/integrations/without-asking"
        settingsHref={(id) => `/settings/integrations?from=/chat/${id}`}
        // An agent that was deleted since is not in the list.
        agentId={agents.find(({ id }) => id === chosenAgent)?.id}
        conversationId={conversationId}
        onOpen={(id) => {
          if (id !== undefined && next.current !== undefined) keepTourStep(id, next.current)
          next.current = undefined
          navigate(id === undefined ? '/' : `/chat/${id}`, { replace: true })
        }}
        list={false}
        heading={(title) => (
          <>
            <ChatTitle id={conversationId} title={title} />
            {(step !== undefined || conversationId?.startsWith('mcp-')) && (
              <Suspense>
                <ChatBar
                  id={conversationId}
                  step={step}
                  onNext={(following) => {
                    next.current = following
                    setBegun((count) => count + 1)
                    navigate('/')
                  }}
                />
              </Suspense>
            )}
          </>
        )}
        start={({ isDemo, send }) => (
          <StartPage
            isDemo={isDemo}
            next={next.current}
            onChoose={send}
            onTake={(taken) => {
              next.current = taken
            }}
          />
        )}
        controls={<AgentPicker agents={agents} chosen={chosenAgent} onChoose={setChosenAgent} />}
        found={useFoundMessage()}
        isBack={isBack}
        onChange={useConversationsChanged()}
        onProblem={(sentence) => toast(sentence, 'failed')}
      />
    </main>
  )
}

/** The list has the new title after renaming. */
function ChatTitle({ id, title }: { id: string | undefined; title: string | null }) {
  const listed = useConversations().data?.conversations.find((one) => one.id === id)?.title
  return <PageTitle>{listed ?? title}</PageTitle>
}
