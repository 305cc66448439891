import type { ChatMessage, Pending } from '../../../client/message.ts'
import { type CardHandlers, PendingCard } from '../../../client/react/pending-card.tsx'
import type { Made } from '../../../client/react/receipt.tsx'
import { ToolNamesProvider } from '../../../client/react/tool-names.tsx'
import { UserFilesProvider } from '../../../client/react/user-files.tsx'
import { useTools } from '../../queries.ts'

/** On phones: what is asked stands where the composer was, until it is answered or put aside. */
export function DockedCard({
  item,
  made,
  messages,
  handlers,
  isBusy,
  onAside,
  onStop,
}: {
  item: Pending
  /** What has just been decided about it. */
  made: Made | undefined
  /** The files that it may name are in them. */
  messages: readonly ChatMessage[]
  handlers: CardHandlers
  isBusy: boolean
  onAside(): void
  onStop(): void
}) {
  return (
    <section className="docked" aria-label="Waiting for you">
      <ToolNamesProvider tools={useTools()}>
        <UserFilesProvider messages={messages}>
          <PendingCard key={item.itemId} pending={item} made={made} handlers={handlers} />
        </UserFilesProvider>
      </ToolNamesProvider>
      {isBusy ? (
        <button type="button" className="plain" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button type="button" className="plain" onClick={onAside}>
          Write a message instead
        </button>
      )}
    </section>
  )
}
