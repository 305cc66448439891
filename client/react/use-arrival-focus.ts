import { type RefObject, useEffect } from 'react'

/**
 * Focuses a new question so that it can be answered at once, but never takes the focus from somebody who is typing or has
 * a dialog, another question or a receipt in front of them.
 */
export function useArrivalFocus(card: RefObject<HTMLElement | null>, target?: string): void {
  useEffect(() => {
    const element = card.current
    if (!element || isTaken(document.activeElement)) return
    const field = target ? element.querySelector<HTMLElement>(target) : null
    ;(field ?? element).focus({ preventScroll: true })
  }, [card, target])
}

function isTaken(active: Element | null): boolean {
  if (active === null || active === document.body) return false
  if (active.closest('[role=dialog], [role=alertdialog], [role=menu], .askback-question, .askback-receipt'))
    return true
  return (
    (active as HTMLElement).isContentEditable ||
    active.matches('input:not([type=checkbox], [type=radio]), select, textarea')
  )
}
