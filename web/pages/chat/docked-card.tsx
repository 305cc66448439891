import { useRef, useState } from 'react'
import type { ChatMessage, Pending } from '../../../client/api/message.ts'
import { decidedTogether } from '../../../client/react/cards/decided-together.ts'
import type { Made } from '../../../client/react/cards/receipt.tsx'
import { SeveralApprovals } from '../../../client/react/cards/several-approvals.tsx'
import { ToolNamesProvider } from '../../../client/react/labels/tool-names.tsx'
import { type CardHandlers, PendingCard } from '../../../client/react/messages/pending-card.tsx'
import { UserFilesProvider } from '../../../client/react/values/user-files.tsx'
import { useTools } from '../../queries.ts'
import { chatWords } from './words.ts'

/** On phones, an open question replaces the composer until it is answered or put aside. Others are shown one by one. */
export function DockedCard({
  item,
  ids,
  pending,
  decided,
  messages,
  handlers,
  isBusy,
  onAside,
  onStop,
}: {
  /** What comes first. */
  item: Pending
  /** Ids of all that are shown here. */
  ids: readonly string[]
  /** All items that are open or were just decided, including this one. */
  pending: readonly Pending[]
  /** The user's decisions. */
  decided: readonly Made[]
  /** They contain the files that the card may name. */
  messages: readonly ChatMessage[]
  handlers: CardHandlers
  isBusy: boolean
  onAside(): void
  onStop(): void
}) {
  const made = new Map(decided.map((one) => [one.itemId, one]))
  const count = decidedTogether(pending).filter(({ itemId }) => !made.has(itemId)).length
  const words = chatWords()
  const scroll = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<string>()
  const here = pending.filter(({ itemId }) => ids.includes(itemId))
  const shown = here.find(({ itemId }) => itemId === chosen) ?? item
  const open = here.filter(({ itemId }) => !made.has(itemId))
  const place = open.indexOf(shown)
  return (
    <section className="docked" aria-label={words.waiting}>
      <div ref={scroll} className="docked-scroll">
        <ToolNamesProvider tools={useTools()}>
          <UserFilesProvider messages={messages}>
            <details className="docked-several">
              <summary hidden={count < 2}>{count > 1 && words.several(count)}</summary>
              <SeveralApprovals pending={pending} decided={decided} onDecide={handlers.onDecide} />
            </details>
            <PendingCard
              key={shown.itemId}
              pending={shown}
              made={made.get(shown.itemId)}
              handlers={handlers}
            />
          </UserFilesProvider>
        </ToolNamesProvider>
      </div>
      <div className="docked-actions">
        {open.length > 1 && place >= 0 && (
          <button
            type="button"
            className="plain"
            onClick={() => {
              setChosen(open[(place + 1) % open.length]?.itemId)
              // Which of them scrolls depends on the height of the page.
              for (const one of [scroll.current, scroll.current?.parentElement]) one?.scrollTo({ top: 0 })
            }}
          >
            {words.next(place + 1, open.length)}
          </button>
        )}
        {isBusy ? (
          <button type="button" className="plain" onClick={onStop}>
            {words.stop}
          </button>
        ) : (
          <button type="button" className="plain" onClick={onAside}>
            {words.writeInstead}
          </button>
        )}
      </div>
    </section>
  )
}
