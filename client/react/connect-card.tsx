import { useRef } from 'react'
import { withoutHidden } from '../hidden-marks.ts'
import type { Pending } from '../message.ts'
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
  const { href, codeValues } = pending
  const provider = typeof codeValues?.provider === 'string' ? withoutHidden(codeValues.provider) : undefined
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
      <QuestionText pending={pending} />
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

/**
 * Links of questions lead to our settings: those of this app under the address it was opened by, where the user is
 * signed in. Of the link itself only what it asks for counts, never another place.
 */
export function settingsLink(href: string | undefined, settingsHref: string): string {
  // Only to read it: a question may name the settings by their path alone.
  const base = 'https://app.invalid'
  if (href === undefined || !URL.canParse(href, base)) return settingsHref
  const asked = new URL(href, base).searchParams
  const kept = new URLSearchParams([...asked].filter(([name]) => name === 'provider' || name === 'tools'))
  return kept.size === 0 ? settingsHref : `${settingsHref}${settingsHref.includes('?') ? '&' : '?'}${kept}`
}
