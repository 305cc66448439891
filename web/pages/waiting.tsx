import '../styles/pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { OpenItem } from '../../client/message.ts'
import { ToolNamesProvider } from '../../client/react/tool-names.tsx'
import { useConversationsChanged } from '../conversation-pages.ts'
import { useTools } from '../queries.ts'
import { useSession } from '../session.tsx'
import { PageTitle } from '../shell/page-title.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useOpenCount } from '../waiting/open-count.ts'
import { NotifyChoice } from './waiting/notify-choice.tsx'
import { WaitingItem } from './waiting/waiting-item.tsx'

const key = ['open']

/** All that waits for the user, oldest first, to be decided here. What was decided stays as a receipt until they leave. */
export function WaitingPage() {
  const { askback } = useSession()
  const queries = useQueryClient()
  const changed = useConversationsChanged()
  const count = useOpenCount()
  const open = useQuery({ queryKey: key, queryFn: () => askback.open(), staleTime: 0 })
  const [decided, setDecided] = useState<readonly OpenItem[]>([])
  const tools = useTools()

  // Decided in another tab, or newly asked.
  useEffect(() => void queries.invalidateQueries({ queryKey: key }), [queries, count])

  const listed = open.data?.items ?? []
  const kept = decided.filter(({ itemId }) => listed.every((one) => one.itemId !== itemId))
  const all = [...listed, ...kept].sort(byTime)
  const mine = all.filter(({ type }) => type !== 'wait')
  const later = all.filter(({ type }) => type === 'wait')
  const show = (item: OpenItem, index: number, list: readonly OpenItem[]) => (
    <WaitingItem
      key={`${item.conversationId} ${item.itemId}`}
      item={item}
      isFirstOfChat={list[index - 1]?.conversationId !== item.conversationId}
      onDecide={() => setDecided((before) => [...before.filter((one) => one.itemId !== item.itemId), item])}
      onSettled={() => {
        changed()
        void queries.invalidateQueries({ queryKey: key })
      }}
      onUndecided={() => setDecided((before) => before.filter((one) => one.itemId !== item.itemId))}
    />
  )
  return (
    <main className="page waiting-page">
      <PageTitle>Waiting for you</PageTitle>
      <header className="page-head">
        <div>
          <h1>Waiting for you</h1>
          <p className="quiet">Questions and approvals from all your chats, oldest first.</p>
        </div>
        <NotifyChoice askedAt={listed.at(-1)?.askedAt ?? ''} />
      </header>
      {open.error && <p role="alert">{open.error.message}</p>}
      {open.isPending && <Skeleton />}
      {open.data && mine.length === 0 && <p className="empty">Nothing is waiting for you.</p>}
      <ToolNamesProvider tools={tools}>
        {mine.length > 0 && <ul className="waiting-list">{mine.map(show)}</ul>}
        {later.length > 0 && (
          <section className="waiting-later" aria-labelledby="waiting-later">
            <h2 id="waiting-later">Continues by itself</h2>
            <ul className="waiting-list">{later.map(show)}</ul>
          </section>
        )}
      </ToolNamesProvider>
    </main>
  )
}

/** As the server lists them. */
function byTime(a: OpenItem, b: OpenItem): number {
  const key = ({ askedAt, itemId }: OpenItem) => `${askedAt} ${itemId}`
  return key(a) < key(b) ? -1 : 1
}
