import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect } from 'react'
import { isPress, isStrayKey, leadFocus } from './stray-key.ts'

/** Scrolls a card into view: whole, or from its beginning if it does not fit. */
export function showCard(card: Element): void {
  card.scrollIntoView({ block: 'nearest' })
  card.querySelector('h2')?.scrollIntoView({ block: 'nearest' })
}

/**
 * Scrolls a card into view when the Tab key has moved the focus into it: its buttons are above what they decide on. Not
 * while it is read, and not for presses, whose target must not move.
 */
export function useShownOnTab(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const follow = ({ key }: KeyboardEvent) => {
      const before = document.activeElement as HTMLElement | null
      // Afterwards, the focus is where the key has moved it.
      if (key === 'Tab') requestAnimationFrame(() => show(before))
    }
    const show = (before: HTMLElement | null) => {
      const [card, active] = [place.current, document.activeElement]
      if (!card?.contains(active)) return
      const { top, bottom } = card.getBoundingClientRect()
      const isRead = top < 0 && bottom > 0
      if (card.contains(before) && (isRead || (before?.tabIndex ?? -1) >= 0)) return
      showCard(card)
      active?.scrollIntoView({ block: 'nearest' })
    }
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [place])
}

/**
 * Shows what the keyboard is about to press out of sight, instead of pressing it: the page was scrolled since. Stops keys
 * that were meant for something else. For `onKeyDownCapture` of a card.
 */
export function showBeforePress(event: ReactKeyboardEvent<HTMLElement>): void {
  const pressed = event.target as HTMLElement
  if (!isPress(event)) return
  const [isStray, isSeen] = [isStrayKey(event), isInSight(pressed)]
  if (isSeen && !isStray) return
  event.preventDefault()
  event.stopPropagation()
  if (isSeen) return
  showCard(event.currentTarget)
  pressed.scrollIntoView({ block: 'nearest' })
  leadFocus(pressed)
}

/** Whether its middle is within all that scrolls around it. */
function isInSight(element: HTMLElement): boolean {
  const { top, height } = element.getBoundingClientRect()
  const middle = top + height / 2
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue
    const { top, bottom } = around.getBoundingClientRect()
    if (middle < top || middle > bottom) return false
  }
  return middle >= 0 && middle <= innerHeight
}
