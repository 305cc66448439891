import { type RefObject, useEffect } from 'react'
import { findAsked } from './find-asked.ts'
import { leadFocus } from './stray-key.ts'

/** With one of these, a question is answered. */
const fields = 'input, select, textarea, .askback-chips button'

/**
 * Focuses a new question so that it can be answered at once, or the list of several that stands before it, but never
 * takes the focus from somebody who is typing or has a dialog, another question or a receipt in front of them.
 */
export function useArrivalFocus(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const place = findPlace(card.current)
    if (place && !isTaken(document.activeElement)) focusCard(place)
  }, [card])
}

/** Focuses what a card asks for, or the card itself. */
export function focusCard(card: HTMLElement): void {
  const field = card.matches('form, [data-asks]') ? card.querySelector<HTMLElement>(fields) : null
  leadFocus(field ?? card, { preventScroll: true })
}

/** Among messages, what was asked earlier gets no focus: it is out of sight. In a list, the page decides what does. */
function findPlace(card: HTMLElement | null): HTMLElement | null | undefined {
  const message = card?.closest('[data-message]')
  if (!message) return card?.closest('ul') ? undefined : card
  const asked = findAsked(message.closest('[role=log]') ?? document)
  return asked && message.contains(asked) ? asked : undefined
}

function isTaken(active: Element | null): boolean {
  if (active === null || active === document.body) return false
  if (active.closest('[role=dialog], [role=alertdialog], [role=menu], .askback-receipt')) return true
  if (active.closest('.askback-question, .askback-several')) return true
  return (
    (active as HTMLElement).isContentEditable ||
    active.matches('input:not([type=checkbox], [type=radio]), select, textarea')
  )
}
