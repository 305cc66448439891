import { failureSentence } from '../base/failure-sentence.ts'
import '../styles/pages.css'
import { useEffect, useRef, useState } from 'react'
import type { ChatAnswer, OpenItem, Pending } from '../../client/api/message.ts'
import type { ApprovalDecision } from '../../client/askback.ts'
import type { Made } from '../../client/react/cards/receipt.tsx'
import { SeveralApprovals } from '../../client/react/cards/several-approvals.tsx'
import { OpenBeside } from '../../client/react/cards/told-apart.ts'
import { useDecisions } from '../../client/react/conversation/use-decisions.ts'
import { Announcer } from '../../client/react/interaction/announcer.tsx'
import { useKeyboardHeight } from '../../client/react/interaction/use-keyboard-height.ts'
import { ToolNamesProvider } from '../../client/react/labels/tool-names.tsx'
import type { CardHandlers } from '../../client/react/messages/pending-card.tsx'
import { useConversationsChanged } from '../base/conversation-pages.ts'
import { useToolsQuery } from '../base/queries.ts'
import { useSession } from '../base/session.tsx'
import { focusHeading } from '../shell/page-focus.ts'
import { PageHead } from '../shell/page-head.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { ForGroups, useApprovals } from './waiting/for-groups.tsx'
import { NotifyChoice } from './waiting/notify-choice.tsx'
import { useListed } from './waiting/use-listed.ts'
import { WaitingItem } from './waiting/waiting-item.tsx'
import { waitingWords } from './waiting/words.ts'

/**
 * Everything waiting for the user, oldest first, to decide here. What was decided, here or elsewhere, stays as a receipt
 * until the user leaves.
 */
export function WaitingPage() {
  const { askback } = useSession()
  const changed = useConversationsChanged()
  const words = waitingWords()
  const [begun, setBegun] = useState<readonly OpenItem[]>([])
  const { made, decide } = useDecisions()
  const { open, elsewhere, refresh } = useListed(made)
  const approvals = useApprovals()
  const tools = useToolsQuery()
  const page = useRef<HTMLElement>(null)
  useKeyboardHeight()

  // Without their tools' words, cards would show the names of parameters for a moment.
  const isPending = open.isPending || tools.isPending
  const isLoaded = open.data !== undefined && !isPending
  useEffect(() => {
    // The keyboard begins at the top, also where the page was opened directly.
    if (isLoaded && document.activeElement === document.body) focusHeading()
  }, [isLoaded])

  const listed = isLoaded ? open.data.items : []
  const forGroups = (isLoaded && approvals.data?.items) || []
  const over: Made[] = [...made, ...elsewhere]
  const decided = new Map(over.map((one) => [one.itemId, one]))
  const kept = [...begun, ...elsewhere.map(({ item }) => item)].filter(({ itemId }) => decided.has(itemId))
  // Each once: what was decided here may be listed still, or have been decided elsewhere.
  const each = new Map([...kept, ...listed].map((item) => [item.itemId, item]))
  const all = inOrder([...each.values()])
  const mine = all.filter(({ type }) => type !== 'wait')
  const later = all.filter(({ type }) => type === 'wait')
  const post = async (
    one: Pending,
    decision: Made['decision'] | ApprovalDecision,
    send: (conversationId: string) => Promise<ChatAnswer>,
  ) => {
    const item = all.find(({ itemId }) => itemId === one.itemId)
    if (!item) return
    setBegun((before) => [...before.filter(({ itemId }) => itemId !== item.itemId), item])
    try {
      await decide(item, decision, () => send(item.conversationId))
    } finally {
      changed()
      void refresh()
    }
  }
  const handlers: CardHandlers = {
    settingsHref: '/settings/integrations?from=/waiting',
    withoutAskingHref: '/settings/integrations/without-asking',
    onAnswer: (one, values) => post(one, 'answer', (id) => askback.answer(id, one.itemId, values)),
    onDecide: (one, decision) => post(one, decision, (id) => askback.approve(id, one.toolCallId, decision)),
    onSkip: (one) => post(one, 'skip', (id) => askback.skip(id, one.itemId)),
  }
  const show = (item: OpenItem, index: number, list: readonly OpenItem[]) => (
    <WaitingItem
      key={`${item.conversationId} ${item.itemId}`}
      item={item}
      made={decided.get(item.itemId)}
      isFirstOfChat={list[index - 1]?.conversationId !== item.conversationId}
      handlers={handlers}
    />
  )
  return (
    <main ref={page} className="page waiting-page">
      <PageHead title={words.title} note={words.note}>
        <NotifyChoice askedAt={listed.at(-1)?.askedAt ?? ''} />
      </PageHead>
      {open.error && <p role="alert">{failureSentence(open.error)}</p>}
      {isPending && <Skeleton />}
      {isLoaded && !approvals.isPending && mine.length + forGroups.length === 0 && (
        <p className="empty">{words.none}</p>
      )}
      <ToolNamesProvider tools={tools.data ?? []}>
        {isLoaded && <Announcer log={page} pending={mine} />}
        <SeveralApprovals pending={mine} decided={over} onDecide={handlers.onDecide} />
        <OpenBeside value={mine}>
          {mine.length > 0 && <ul className="waiting-list">{mine.map(show)}</ul>}
        </OpenBeside>
        <ForGroups listed={forGroups} />
        {later.length > 0 && (
          <section className="waiting-later" aria-labelledby="waiting-later">
            <h2 id="waiting-later">{words.later}</h2>
            <ul className="waiting-list">{later.map(show)}</ul>
          </section>
        )}
      </ToolNamesProvider>
    </main>
  )
}

/** By conversation, the one with the oldest item first; in each in the order of its calls, any of which may ask first. */
function inOrder(items: readonly OpenItem[]): OpenItem[] {
  const byTime = [...items].sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1))
  const chats = byTime.map(({ conversationId }) => conversationId)
  const place = ({ conversationId }: OpenItem) => chats.indexOf(conversationId)
  return byTime.sort((a, b) => place(a) - place(b) || a.intent - b.intent)
}
