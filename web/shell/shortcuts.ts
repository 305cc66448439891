import { useEffect, useRef } from 'react'
import { focusComposer as focusIn, isOverlaid } from '../../client/react/chat/composer-field.ts'

/** Ids of the elements that the keyboard is led to. */
export const places = { search: 'search-conversations' }

/** Handles shortcuts on every page. */
export function useShortcuts(actions: { begin(): void; showList(): void }): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const act = findAction(event, latest.current)
      if (!act || event.defaultPrevented || isOverlaid(null)) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}

/** Always with a modifier: speech input and trembling hands press single keys. */
function findAction(
  event: KeyboardEvent,
  { begin, showList }: { begin(): void; showList(): void },
): (() => void) | undefined {
  if (!event.metaKey && !event.ctrlKey) return undefined
  const key = event.key.toLowerCase()
  if (key === '/') return showList
  if (event.shiftKey) return key === 'o' ? begin : undefined
  return key === 'k' ? goToSearch : undefined
}

function goToSearch(): void {
  const field = document.getElementById(places.search) as HTMLInputElement | null
  field?.focus()
  // What was searched for before gives way to what is typed.
  field?.select()
}

/** Whether text can be typed into it, or one of a list chosen. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}

/** Only with a hardware keyboard: on phones the on-screen keyboard would cover the page. */
export function focusUnlessTouched(id: string): void {
  if (window.matchMedia('(hover: hover)').matches) document.getElementById(id)?.focus({ preventScroll: true })
}

/** Of the open chat, if there is one. */
export function focusComposer(): void {
  focusIn(document.querySelector('.askback-chat'))
}
