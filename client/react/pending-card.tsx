import type { ApprovalDecision } from '../askback.ts'
import type { Pending } from '../message.ts'
import { usePieces } from './pieces.tsx'

/** What is done with cards. Each rejects with a sentence when it was not taken. */
export interface CardHandlers {
  onAnswer(pending: Pending, values: Record<string, unknown>): Promise<unknown>
  onDecide(pending: Pending, decision: ApprovalDecision): Promise<unknown>
  onSkip(pending: Pending): Promise<unknown>
  /** Where connections are made. */
  settingsHref: string
}

/** An open item, to be decided: wherever it is shown, the same card. */
export function PendingCard({ pending, handlers }: { pending: Pending; handlers: CardHandlers }) {
  return (
    <div data-item={pending.itemId}>
      <Card pending={pending} handlers={handlers} />
    </div>
  )
}

function Card({ pending, handlers }: { pending: Pending; handlers: CardHandlers }) {
  const { ApprovalCard, ConnectCard, QuestionForm, WaitCard } = usePieces()
  switch (pending.type) {
    case 'input':
      return (
        <QuestionForm
          pending={pending}
          onAnswer={(values) => handlers.onAnswer(pending, values)}
          onSkip={() => handlers.onSkip(pending)}
        />
      )
    case 'approval':
      return <ApprovalCard pending={pending} onDecide={(decision) => handlers.onDecide(pending, decision)} />
    case 'connection':
      return (
        <ConnectCard
          pending={pending}
          settingsHref={handlers.settingsHref}
          onSkip={() => handlers.onSkip(pending)}
        />
      )
    case 'wait':
      return <WaitCard sentence={pending.question} resumeAt={pending.resumeAt ?? new Date().toISOString()} />
  }
}
