import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { AskbackError } from '../../../client/askback-error.ts'
import type { ChatAnswer, OpenItem } from '../../../client/message.ts'
import { PendingCard } from '../../../client/react/pending-card.tsx'
import { shorten, withoutMark } from '../../../client/sentence.ts'
import { useSession } from '../../session.tsx'

/** What was done with an item, and what came of it. */
interface Receipt {
  words: string
  at: Date
  /** Undefined while the answer is on its way. */
  outcome?: string
}

const decisionWords = { approve: 'You approved', deny: 'You denied this', draft: 'You kept a draft' }

/** One open item with the chat that it is from; as soon as it is decided, its receipt, which takes the keyboard. */
export function WaitingItem({
  item,
  isFirstOfChat,
  onDecide,
  onSettled,
  onUndecided,
}: {
  item: OpenItem
  /** The item before it is from another chat. */
  isFirstOfChat: boolean
  onDecide(): void
  /** What was decided is carried out. */
  onSettled(): void
  /** It was refused, and is open as before. */
  onUndecided(): void
}) {
  const { askback } = useSession()
  const { conversationId, conversationTitle, toolCallId, itemId } = item
  const [receipt, setReceipt] = useState<Receipt>()
  const line = useRef<HTMLParagraphElement>(null)
  const isDecided = receipt !== undefined
  useEffect(() => {
    if (isDecided) line.current?.focus({ preventScroll: true })
  }, [isDecided])

  const decide = async (words: string, send: () => Promise<ChatAnswer>) => {
    const at = new Date()
    setReceipt({ words, at })
    onDecide()
    try {
      const outcome = describeOutcome(await send(), toolCallId)
      setReceipt({ words, at, outcome })
    } catch (error) {
      const { status, message } = error as AskbackError
      // Somebody was faster.
      if (status === 409) setReceipt({ words: 'This was already decided', at, outcome: message })
      else {
        setReceipt(undefined)
        onUndecided()
        throw error
      }
    } finally {
      onSettled()
    }
  }

  const name = conversationTitle ?? 'Untitled'
  return (
    <li>
      {isFirstOfChat && (
        <p className="waiting-from">
          <span className="hidden">From the chat </span>
          <Link href={`/chat/${conversationId}`}>{name}</Link>
        </p>
      )}
      {receipt && (
        <p ref={line} tabIndex={-1} className="askback-receipt">
          <span>
            {receipt.words} ·{' '}
            <time dateTime={receipt.at.toISOString()}>
              {receipt.at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}
            </time>
          </span>
          <span className="quiet" aria-live="polite">
            {receipt.outcome ?? 'Working …'}
          </span>
        </p>
      )}
      {/* It stays until that is certain: a refused decision finds what was typed into it. */}
      {receipt?.outcome === undefined && (
        <div hidden={isDecided}>
          <PendingCard
            pending={item}
            handlers={{
              settingsHref: '/settings/integrations',
              onAnswer: (_, values) =>
                decide('You answered', () => askback.answer(conversationId, itemId, values)),
              onDecide: (_, decision) =>
                decide(decisionWords[decision.decision], () =>
                  askback.approve(conversationId, toolCallId, decision),
                ),
              onSkip: () => decide('You skipped this', () => askback.skip(conversationId, itemId)),
            }}
          />
        </div>
      )}
    </li>
  )
}

/** Characters of an answer that stand in a receipt. */
const longest = 200

/** What the call did, in its own line; else what was said to it. */
function describeOutcome({ text, toolsUsed = [] }: ChatAnswer, toolCallId: string): string {
  const summary = toolsUsed.find((use) => use.toolCallId === toolCallId)?.summary
  return shorten(withoutMark(summary ?? text), longest)
}
