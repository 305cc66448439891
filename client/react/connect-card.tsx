import { useRef } from 'react'
import type { Pending } from '../message.ts'
import { withoutMark } from '../sentence.ts'
import { QuestionText } from './question-text.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'

/** A connection that is missing, or that does not work any more. What waits goes on by itself once it is there. */
export function ConnectCard({
  pending,
  settingsHref,
  onOpen,
}: {
  pending: Pending
  /** Where connections are made, if the question names no place. */
  settingsHref: string
  /** The user has gone there. */
  onOpen?: (() => void) | undefined
}) {
  const { href, question } = pending
  const provider = providerOf(question)
  const card = useRef<HTMLDivElement>(null)
  useArrivalFocus(card)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div
      ref={card}
      role="group"
      aria-label="Connection needed"
      tabIndex={-1}
      className="askback-card askback-question"
    >
      <QuestionText question={question} />
      <div className="askback-actions">
        <a
          className="askback-primary"
          href={settingsLink(href, settingsHref)}
          target="_blank"
          rel="noopener"
          onClick={onOpen}
        >
          {provider ? `Connect ${provider}` : 'Connect in the integration settings'}
        </a>
        <span className="askback-quiet">This goes on by itself when it is connected.</span>
      </div>
    </div>
  )
}

/** Links of questions lead to our settings: those of this app under the address it was opened by, where the user is signed in. */
function settingsLink(href: string | undefined, settingsHref: string): string {
  if (href === undefined || !URL.canParse(href, location.href)) return settingsHref
  const url = new URL(href, location.href)
  if (url.pathname === new URL(settingsHref, location.href).pathname) return `${settingsHref}${url.search}`
  return /^https?:$/.test(url.protocol) ? url.href : settingsHref
}

function providerOf(question: string): string | undefined {
  return /\b(?:Your|for|Reconnect|Connect|your) ((?:[A-Z][\w&]*)(?: [A-Z][\w&]*)*)/.exec(
    withoutMark(question),
  )?.[1]
}
