import { type RefObject, useEffect } from 'react'

/**
 * Gives what has just been asked the focus, so that it can be answered at once; never to the disadvantage of somebody
 * who is typing, or who has a dialog or another question open.
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
  const { value, isContentEditable } = active as HTMLElement & { value?: unknown }
  const isField = active.matches('input:not([type=checkbox], [type=radio]), textarea')
  return isContentEditable || (isField && value !== '')
}
