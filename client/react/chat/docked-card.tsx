import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ChatMessage, Pending, ToolDescription } from '../../api/message.ts'
import { decidedTogether } from '../cards/decided-together.ts'
import type { Made } from '../cards/receipt.tsx'
import { SeveralApprovals } from '../cards/several-approvals.tsx'
import { OpenBeside } from '../cards/told-apart.ts'
import { leadFocus } from '../interaction/stray-key.ts'
import { focusCard } from '../interaction/use-arrival-focus.ts'
import { ToolNamesProvider } from '../labels/tool-names.tsx'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { type CardHandlers, PendingCard } from '../messages/pending-card.tsx'
import { UserFilesProvider } from '../values/user-files.tsx'
import { chatOf } from './composer-field.ts'

/** On phones, an open question replaces the composer until it is answered or put aside. Others are shown one by one. */
export function DockedCard({
  tools,
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
  tools: readonly ToolDescription[]
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
  const labels = useChatLabels()
  const scroll = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<string>()
  const here = pending.filter(({ itemId }) => ids.includes(itemId))
  const shown = here.find(({ itemId }) => itemId === chosen) ?? item
  const open = here.filter(({ itemId }) => !made.has(itemId))
  const place = open.indexOf(shown)
  useNextByTab(scroll)
  return (
    <section className="askback-docked" aria-label={labels.waiting}>
      <div ref={scroll} className="askback-docked-scroll">
        <ToolNamesProvider tools={tools}>
          <UserFilesProvider messages={messages}>
            <details className="askback-docked-several">
              <summary hidden={count < 2}>{count > 1 && labels.several(count)}</summary>
              <SeveralApprovals pending={pending} decided={decided} onDecide={handlers.onDecide} />
            </details>
            <OpenBeside value={pending}>
              <PendingCard
                key={shown.itemId}
                pending={shown}
                made={made.get(shown.itemId)}
                handlers={handlers}
              />
            </OpenBeside>
          </UserFilesProvider>
        </ToolNamesProvider>
      </div>
      <div className="askback-docked-actions">
        {shown.remember && !made.has(shown.itemId) && (
          // Keys and screen readers come to it by themselves.
          <button
            type="button"
            tabIndex={-1}
            aria-hidden="true"
            className="askback-icon-button askback-to-always"
            onClick={() => scroll.current?.querySelector('.askback-always')?.scrollIntoView({ block: 'end' })}
          >
            {labels.toAlways}
          </button>
        )}
        {open.length > 1 && place >= 0 && (
          <button
            type="button"
            className="askback-icon-button"
            onClick={() => {
              flushSync(() => setChosen(open[(place + 1) % open.length]?.itemId))
              // Which of them scrolls depends on the height of the page.
              for (const one of [scroll.current, scroll.current?.parentElement]) one?.scrollTo({ top: 0 })
              // The list of all of them is above the card, and stays open for whoever has selected some.
              if (scroll.current?.querySelector('details[open] > .askback-several'))
                scroll.current.querySelector('.askback-question')?.scrollIntoView()
            }}
          >
            {labels.next(place + 1, open.length)}
          </button>
        )}
        {isBusy ? (
          <button type="button" className="askback-icon-button" onClick={onStop}>
            {labels.stop}
          </button>
        ) : (
          <button type="button" className="askback-icon-button" onClick={onAside}>
            {labels.writeInstead}
          </button>
        )}
      </div>
    </section>
  )
}

/**
 * From the receipt of one decision, Tab leads to what waits: to the list of several, or to the next card, past the buttons of
 * the messages between them. A receipt with a button of its own is left by Tab as usual.
 */
function useNextByTab(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      const receipt = event.target as HTMLElement
      if (event.key !== 'Tab' || event.shiftKey || !receipt.matches('.askback-receipt')) return
      const card = place.current?.querySelector<HTMLElement>(':not([hidden]) > .askback-question')
      if (!card || !chatOf(card)?.contains(receipt) || receipt.querySelector('a, button')) return
      event.preventDefault()
      const several = place.current?.querySelector<HTMLElement>(
        '.askback-docked-several > summary:not([hidden])',
      )
      if (several) leadFocus(several)
      else focusCard(card)
    }
    document.addEventListener('keydown', lead)
    return () => document.removeEventListener('keydown', lead)
  }, [place])
}
