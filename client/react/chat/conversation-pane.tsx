import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ToolDescription } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'
import { describeFailure } from '../../labels/failure.ts'
import type { CardHandlers } from '../cards/card-handlers.ts'
import { Composer, type Draft } from '../conversation/composer.tsx'
import { useConversation } from '../conversation/use-conversation.ts'
import { useKeptStore } from '../forms/use-kept.ts'
import { useFirstLabels } from '../labels/labels.tsx'
import type { Actions } from './chat-messages.tsx'
import { composerIn, focusComposer, isElsewhere } from './composer-field.ts'
import type { FoundMessage } from './scroll-keeper.tsx'
import { useTell } from './tell.ts'
import { useDocked } from './use-docked.ts'
import { useEdited } from './use-edited.ts'
import { useModels } from './use-models.ts'
import { useTypedOn } from './use-typed-on.ts'

// Loaded with the first keystroke: keeps the page light, and is ready when the message is sent.
const loadParts = () => import('./conversation-parts.ts')
const ConversationLog = lazy(() => loadParts().then(({ ConversationLog }) => ({ default: ConversationLog })))
const DockedCard = lazy(() => loadParts().then(({ DockedCard }) => ({ default: DockedCard })))
const OpenLine = lazy(() => loadParts().then(({ OpenLine }) => ({ default: OpenLine })))
// Its list loads after the composer accepts input.
const ModelPicker = lazy(() =>
  import('./model-picker.tsx').then(({ ModelPicker }) => ({ default: ModelPicker })),
)

const noItems: never[] = []
/** Keeps the id of a new conversation whose first message could not be sent, because no list has it. */
export const unsentPlace = 'unsent'
/** Keeps the id of one that could not be sent after it was left. */
export const lostPlace = 'lost'

/** What stands in a conversation that is still empty. */
export interface EmptyChat {
  /** Whether the built-in demo model would answer. */
  isDemo: boolean
  /** Sends a first message. */
  send(text: string): void
}

export interface ConversationPaneProps {
  askback: Askback
  id: string
  /** Nothing is stored under the id yet. */
  isNew: boolean
  /** Where the composer keeps its message. */
  messagePlace: string
  /** Called with the id of a new conversation as something is said in it. */
  onBegin(): void
  onChange(): void
  settingsHref: string | ((conversationId: string) => string)
  withoutAskingHref?: string | undefined
  tools: readonly ToolDescription[]
  agentId?: string | undefined
  scope?: string | undefined
  /** Whether its user is still signed in. */
  isMine(): boolean
  found?: FoundMessage | undefined
  isBack: boolean
  heading(title: string | null): ReactNode
  start(empty: EmptyChat): ReactNode
  controls?: ReactNode
  /** What didn't work. */
  problem?: ReactNode
}

/** One conversation: its messages, and the composer or the card that stands in its place. */
export function ConversationPane({
  askback,
  id,
  isNew,
  messagePlace,
  onBegin,
  onChange,
  settingsHref,
  withoutAskingHref,
  tools,
  agentId,
  scope,
  isMine,
  found,
  isBack,
  heading,
  start,
  controls,
  problem,
}: ConversationPaneProps) {
  const [model, setModel] = useState<string | null>()
  const list = useModels(askback, { agentId, conversationId: isNew ? undefined : id })
  const store = useKeptStore()
  const tell = useTell()
  // Its first message may be edited later: then the conversation is stored.
  const wasBegun = useRef(false)
  const onLost = (sentence: string) => {
    if (isNew && !wasBegun.current) store?.write(lostPlace, id, id)
    tell(sentence)
  }
  const conversation = useConversation(askback, {
    id,
    isNew,
    agentId,
    model,
    scope,
    onChange,
    isMine,
    onLost,
  })
  const { messages, pending, decided, isBusy, notice, failure, phase, stop } = conversation
  const labels = useFirstLabels()
  const pane = useRef<HTMLDivElement>(null)
  const { edited, setEdited, ...editing } = useEdited(messagePlace, conversation)
  const { docked, dockedIds, putAside, dock } = useDocked(edited ? noItems : pending, pane)

  const handlers: CardHandlers = {
    settingsHref: typeof settingsHref === 'string' ? settingsHref : settingsHref(id),
    withoutAskingHref,
    onAnswer: conversation.answer,
    onDecide: conversation.approve,
    onSkip: conversation.skip,
    pageOf: conversation.pageOf,
    onTakeBack: conversation.takeBack,
  }
  /** What would have replaced messages that another tab has sent: they are shown, and the user decides. */
  const onRefused = (error: unknown) => {
    editing.takeBack()
    tell(describeFailure(error, labels))
  }
  const actions: Actions = {
    onEdit({ id, parts }, text) {
      const files = parts.filter((part) => part.type === 'file')
      setEdited({ id, draft: { text, files } })
    },
    onAgain({ id }) {
      conversation.regenerate(id).catch(onRefused)
      focusComposer(pane.current)
    },
    onRate: (message, rating) => askback.rate(id, message.id, rating),
    onFormer: (messageId) => askback.conversations.former(id, messageId),
  }

  // A question takes the focus when a chat is opened, unless a message was begun there.
  useEffect(() => {
    const isBegun = isNew || store?.read(messagePlace) !== undefined
    if (isBegun && !isElsewhere(pane.current)) focusComposer(pane.current)
  }, [isNew])
  const isBegun = isNew && messages.length > 1
  const isFirst = messages.length > 0 && messages.every(({ role }) => role === 'user')
  wasBegun.current ||= isBegun
  const isUnsent = isNew && isFirst && failure !== undefined && !wasBegun.current
  useEffect(() => {
    if (isUnsent) store?.write(unsentPlace, id, id)
    else if (isBegun) store?.write(unsentPlace, undefined, undefined)
  }, [isUnsent, isBegun, store, id])
  useTypedOn(pane)
  // The edit field disappears with it.
  useEffect(() => (edited ? () => focusComposer(pane.current) : undefined), [edited])
  // Nothing is asked, or no longer: what is typed is meant for a message.
  const isFree = phase === 'ready' && pending.length === 0
  useEffect(() => {
    if (isFree && document.activeElement === document.body) focusComposer(pane.current)
  }, [isFree])

  const send = (draft: Draft) => {
    if (edited) return editing.send({ ...edited, draft }).catch(onRefused)
    const sent = conversation.send(draft)
    if (isNew) onBegin()
    return sent
  }

  const isEmpty = messages.length === 0 && phase === 'ready' && !isBusy && !failure
  return (
    <div
      ref={pane}
      className="askback-chat-pane"
      data-empty={isEmpty}
      onInput={() => void loadParts().catch(() => undefined)}
    >
      {heading(conversation.title)}
      {isEmpty ? (
        <div className="askback-chat-scroll askback-chat-start">
          <div className="askback-chat-column">
            <Suspense>
              {start({
                isDemo: list?.models.some(({ isDemo, isDefault }) => isDemo && isDefault) ?? false,
                send: (text) => void send({ text, files: [] }),
              })}
            </Suspense>
          </div>
        </div>
      ) : (
        <Suspense fallback={<div className="askback-chat-scroll" />}>
          <ConversationLog
            tools={tools}
            phase={phase}
            failure={failure}
            onRetry={() => void conversation.retry().catch(onRefused)}
            messages={messages}
            times={conversation.times}
            former={conversation.former}
            pending={pending}
            decided={decided}
            docked={dockedIds}
            isBusy={isBusy}
            notice={notice}
            onEarlier={conversation.loadEarlier}
            handlers={handlers}
            actions={actions}
            isBack={isBack}
            found={found}
            onChange={onChange}
            onStop={stop}
            pane={pane}
          />
        </Suspense>
      )}
      {problem}
      {docked && (
        <Suspense>
          <DockedCard
            tools={tools}
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
              composerIn(pane.current)?.focus()
            }}
            onStop={stop}
          />
        </Suspense>
      )}
      {phase !== 'missing' && !docked && (
        <Composer
          key={edited?.id ?? 'new'}
          place={edited ? `${messagePlace} ${edited.id}` : messagePlace}
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
                  onProblem={tell}
                />
              </Suspense>
            )
          }
          edited={edited?.draft}
          onCancelEdit={() => setEdited(null)}
          upload={askback.upload}
          onSend={send}
          onStop={stop}
          onProblem={tell}
        >
          <Suspense>{messages.length === 0 && controls}</Suspense>
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
    </div>
  )
}
