import { type RefObject, useEffect } from 'react'

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
