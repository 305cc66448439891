import { useEffect, useRef } from 'react'

/** Ids of the elements that the keyboard is led to. */
export const places = { message: 'message', search: 'search-conversations' }

/** Handles shortcuts on every page. */
export function useShortcuts(actions: { begin(): void; showList(): void }): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const act = findAction(event, latest.current)
      if (!act || event.defaultPrevented || isOverlaid()) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}

/** Whether a dialog or a menu has the focus. */
export function isOverlaid(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null
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

/** Not below a dialog or a menu, and not on phones. What was begun is gone on with at its end. */
export function focusComposer(): void {
  if (isOverlaid()) return
  focusUnlessTouched(places.message)
  const field = document.getElementById(places.message) as HTMLTextAreaElement | null
  if (field === document.activeElement) field?.setSelectionRange(field.value.length, field.value.length)
}
