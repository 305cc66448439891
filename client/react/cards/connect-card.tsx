import { useId, useRef } from 'react'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { Pending } from '../../api/message.ts'
import { Problem } from '../forms/problem.tsx'
import { useSending } from '../forms/use-sending.ts'
import { useArrivalFocus } from '../interaction/use-arrival-focus.ts'
import { useLabels } from '../labels/use-labels.ts'
import { KeptValues } from '../values/kept-values.tsx'
import { QuestionText } from './question-text.tsx'

/** A missing or broken connection. The waiting call continues by itself once it is connected. */
export function ConnectCard({
  pending,
  settingsHref,
  onOpen,
  onSkip,
}: {
  pending: Pending
  /** The app's settings page. A `MessageList` or `PendingCard` adds to it which provider is asked for. */
  settingsHref: string
  /** Called when the user follows the link. */
  onOpen?: (() => void) | undefined
  /** Continues without the connection. Rejects with a sentence if that was refused. */
  onSkip(): Promise<unknown>
}) {
  const labels = useLabels()
  const id = useId()
  const noteId = `${id}-note`
  const { href, codeValues, toolName, values = {} } = pending
  const provider = typeof codeValues?.provider === 'string' ? withoutHidden(codeValues.provider) : undefined
  const card = useRef<HTMLDivElement>(null)
  useArrivalFocus(card)
  const { isSending, failure, send } = useSending()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div
      ref={card}
      role="group"
      aria-label={labels.connectionNeeded}
      aria-describedby={`${id}-question`}
      tabIndex={-1}
      className="askback-card askback-question"
    >
      <QuestionText id={`${id}-question`} pending={pending} />
      <KeptValues toolName={toolName} values={values} />
      <Problem>{failure}</Problem>
      <div className="askback-actions">
        <a
          className="askback-primary"
          href={settingsLink(href, settingsHref)}
          target="_blank"
          rel="noopener"
          aria-describedby={noteId}
          onClick={onOpen}
        >
          {provider ? labels.connect(provider) : labels.connectInSettings}
        </a>
        <button type="button" disabled={isSending} onClick={() => send(onSkip)}>
          {labels.skip}
        </button>
        <span id={noteId} className="askback-quiet">
          {labels.continueOnceConnected}
        </span>
      </div>
    </div>
  )
}

/** What a link to the settings says: what to connect there, and for which tools. */
const meant = ['provider', 'tools', 'server']

/**
 * Rewrites a question's settings link to this app's own settings, at the address where the user is signed in.
 * Only the query of the link is used, never another host or path.
 */
export function settingsLink(href: string | undefined, settingsHref: string): string {
  // Only for parsing: a question may give just the path of the settings.
  const base = 'https://app.invalid'
  if (href === undefined || !URL.canParse(href, base)) return settingsHref
  const asked = new URL(href, base).searchParams
  const given = new URL(settingsHref, base).searchParams
  const isKept = (name: string) => meant.includes(name) && !given.has(name)
  const kept = new URLSearchParams([...asked].filter(([name]) => isKept(name)))
  return kept.size === 0 ? settingsHref : `${settingsHref}${settingsHref.includes('?') ? '&' : '?'}${kept}`
}
