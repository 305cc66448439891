import '../styles/chat.css'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { describeFailure } from '../../client/labels/failure.ts'
import { Composer, type Draft } from '../../client/react/conversation/composer.tsx'
import { useConversation } from '../../client/react/conversation/use-conversation.ts'
import { useKeptStore } from '../../client/react/forms/use-kept.ts'
import { useFirstLabels } from '../../client/react/labels/labels.tsx'
import type { CardHandlers } from '../../client/react/messages/pending-card.tsx'
import { useConversations, useConversationsChanged } from '../conversation-pages.ts'
import { useAgents, useModels } from '../queries.ts'
import { useSession } from '../session.tsx'
import { newChatEvent } from '../shell/new-chat.ts'
import { PageTitle } from '../shell/page-title.tsx'
import { focusComposer, isOverlaid, places } from '../shell/shortcuts.ts'
import { useToast } from '../shell/toasts.tsx'
import { frameWords } from '../shell/words.ts'
import type { Actions } from './chat/messages.tsx'
import { StartPage } from './chat/start-page.tsx'
import { useDocked } from './chat/use-docked.ts'
import { useEdited } from './chat/use-edited.ts'

// Loaded with the first keystroke: keeps the start page light, and is ready when the message is sent.
const loadParts = () => import('./chat/conversation-parts.ts')
const ConversationLog = lazy(() => loadParts().then(({ ConversationLog }) => ({ default: ConversationLog })))
const DockedCard = lazy(() => loadParts().then(({ DockedCard }) => ({ default: DockedCard })))
// Their lists load after the composer accepts input.
const pickers = () => import('./chat/pickers.ts')
const AgentPicker = lazy(() => pickers().then(({ AgentPicker }) => ({ default: AgentPicker })))
const ModelPicker = lazy(() => pickers().then(({ ModelPicker }) => ({ default: ModelPicker })))
const OpenLine = lazy(() => loadParts().then(({ OpenLine }) => ({ default: OpenLine })))

const noItems: never[] = []
/** Keeps the id of a new conversation whose first message could not be sent, because no list has it. */
const unsentPlace = 'unsent'

/** A conversation, or the start of a new one. Its id is in the URL once something was said. */
export function ChatPage({ conversationId }: { conversationId?: string }) {
  const [draftId, setDraftId] = useState(newId)
  useEffect(() => {
    const begin = () => setDraftId(newId())
    window.addEventListener(newChatEvent, begin)
    return () => window.removeEventListener(newChatEvent, begin)
  }, [])
  // Left for another conversation or a new one: never use the id twice.
  const wasDraft = useRef(false)
  const isDraft = conversationId === undefined || conversationId === draftId
  useEffect(() => {
    if (conversationId === draftId) wasDraft.current = true
    else if (wasDraft.current) {
      wasDraft.current = false
      setDraftId(newId())
    }
  }, [conversationId, draftId])
  const store = useKeptStore()
  const [, navigate] = useLocation()
  // Shows an unsent message when the app is opened; only once, since the user may leave it.
  useEffect(() => {
    const unsent = conversationId === undefined && store?.read(unsentPlace)
    if (typeof unsent !== 'string') return
    store?.write(unsentPlace, undefined, undefined)
    navigate(`/chat/${unsent}`, { replace: true })
  }, [])
  const id = conversationId ?? draftId
  return <Conversation key={id} id={id} isNew={isDraft} />
}

function Conversation({ id, isNew }: { id: string; isNew: boolean }) {
  const { askback } = useSession()
  const [path, navigate] = useLocation()
  const changed = useConversationsChanged()
  const [chosenAgent, setChosenAgent] = useState<string>()
  // An agent that was deleted since is not in the list.
  const agents = useAgents().data ?? noItems
  const agentId = agents.find((one) => one.id === chosenAgent)?.id
  const [model, setModel] = useState<string | null>()
  const { data: list } = useModels({ agentId, conversationId: isNew ? undefined : id })
  const conversation = useConversation(askback, { id, isNew, agentId, model, onChange: changed })
  const { messages, pending, decided, isBusy, notice, failure, phase } = conversation
  // The list has the new title after renaming.
  const title =
    useConversations().data?.conversations.find((one) => one.id === id)?.title ?? conversation.title
  const labels = useFirstLabels()
  const toast = useToast()
  const onProblem = (sentence: string) => toast(sentence, 'failed')
  const { edited, setEdited, ...editing } = useEdited(path, conversation)
  const { docked, dockedIds, putAside, dock } = useDocked(edited ? noItems : pending)

  const handlers: CardHandlers = {
    settingsHref: `/settings/integrations?from=/chat/${id}`,
    onAnswer: conversation.answer,
    onDecide: conversation.approve,
    onSkip: conversation.skip,
  }
  /** What would have replaced messages that another tab has sent: they are shown, and the user decides. */
  const onRefused = (error: unknown) => {
    editing.takeBack()
    onProblem(describeFailure(error, labels))
  }
  const actions: Actions = {
    onEdit({ id, parts }, text) {
      const files = parts.filter((part) => part.type === 'file')
      setEdited({ id, draft: { text, files } })
    },
    onAgain({ id }) {
      conversation.regenerate(id).catch(onRefused)
      focusComposer()
    },
    onRate: (message, rating) => askback.rate(id, message.id, rating),
  }

  const store = useKeptStore()
  const place = `message ${path}`
  // A question takes the focus when a chat is opened, unless a message was begun there.
  useEffect(() => {
    if (isNew || store?.read(place) !== undefined) focusComposer()
  }, [isNew])
  // Listed as soon as it is stored, so that users can leave it and find it again while its first answer is being written.
  const isBegun = isNew && messages.length > 1
  useEffect(() => {
    if (isBegun) changed()
  }, [isBegun, changed])
  const isFirst = messages.length > 0 && messages.every(({ role }) => role === 'user')
  // Its first message may be edited later: then the conversation is stored.
  const wasBegun = useRef(false)
  wasBegun.current ||= isBegun
  const isUnsent = isNew && isFirst && failure !== undefined && !wasBegun.current
  useEffect(() => {
    if (isUnsent) store?.write(unsentPlace, id, id)
    else if (isBegun) store?.write(unsentPlace, undefined, undefined)
  }, [isUnsent, isBegun, store, id])
  // The edit field disappears with it.
  useEffect(() => (edited ? focusComposer : undefined), [edited])
  // Nothing is asked, or no longer: what is typed is meant for a message.
  const isFree = phase === 'ready' && pending.length === 0
  useEffect(() => {
    if (isFree && document.activeElement === document.body) focusComposer()
  }, [isFree])
  const stop = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isBusy || event.defaultPrevented || isOverlaid()) return
    void conversation.stop()
  })
  useEffect(() => {
    window.addEventListener('keydown', stop)
    return () => window.removeEventListener('keydown', stop)
  }, [])

  const send = (draft: Draft) => {
    if (edited) return editing.send({ ...edited, draft }).catch(onRefused)
    const sent = conversation.send(draft)
    if (path !== `/chat/${id}`) navigate(`/chat/${id}`, { replace: true })
    return sent
  }

  const isEmpty = messages.length === 0 && phase === 'ready' && !isBusy && !failure
  return (
    <main className="chat" data-empty={isEmpty} onInput={() => void loadParts().catch(() => undefined)}>
      <PageTitle>{title ?? undefined}</PageTitle>
      <h1 className="hidden">{frameWords().chat}</h1>
      {isEmpty ? (
        <div className="chat-scroll chat-start">
          <div className="chat-column">
            <StartPage
              isDemo={list?.models.some(({ isDemo, isDefault }) => isDemo && isDefault) ?? false}
              onChoose={(text) => void send({ text, files: [] })}
            />
          </div>
        </div>
      ) : (
        <Suspense fallback={<div className="chat-scroll" />}>
          <ConversationLog
            phase={phase}
            failure={failure}
            onRetry={() => void conversation.retry().catch(onRefused)}
            messages={messages}
            times={conversation.times}
            pending={pending}
            decided={decided}
            docked={dockedIds}
            isBusy={isBusy}
            notice={notice}
            onEarlier={conversation.loadEarlier}
            handlers={handlers}
            actions={actions}
          />
        </Suspense>
      )}
      {docked && (
        <Suspense>
          <DockedCard
            item={docked}
            ids={dockedIds}
            pending={pending}
            decided={decided}
            messages={messages}
            handlers={handlers}
            isBusy={isBusy}
            onAside={() => {
              // At once: later, a phone would not open its keyboard.
              flushSync(putAside)
              document.getElementById(places.message)?.focus()
            }}
            onStop={() => void conversation.stop()}
          />
        </Suspense>
      )}
      {phase !== 'missing' && !docked && (
        <Composer
          key={edited?.id ?? 'new'}
          place={edited ? `${place} ${edited.id}` : place}
          inputId={places.message}
          isBusy={isBusy}
          note={
            pending.length > 0 &&
            !edited && (
              <Suspense>
                <OpenLine
                  pending={pending}
                  decided={decided}
                  isBusy={isBusy}
                  onShow={({ itemId }) => dock(itemId)}
                  onSkip={conversation.skip}
                  onProblem={onProblem}
                />
              </Suspense>
            )
          }
          edited={edited?.draft}
          onCancelEdit={() => setEdited(null)}
          upload={askback.upload}
          onSend={send}
          onStop={() => void conversation.stop()}
          onProblem={onProblem}
        >
          <Suspense>
            {messages.length === 0 && (
              <AgentPicker agents={agents} chosen={agentId} onChoose={setChosenAgent} />
            )}
          </Suspense>
          <Suspense>
            {list && (
              <ModelPicker
                models={list.models}
                chosen={model === undefined ? list.chosen : model}
                onChoose={setModel}
              />
            )}
          </Suspense>
        </Composer>
      )}
    </main>
  )
}

function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16)
}
