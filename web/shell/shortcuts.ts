import { useEffect, useRef } from 'react'

/** Ids of the elements that shortcuts focus. */
export const places = { message: 'message', search: 'search-conversations' }

/** Handles shortcuts on every page. Keys typed into a field are just text. */
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

function findAction(
  event: KeyboardEvent,
  { begin, showList }: { begin(): void; showList(): void },
): (() => void) | undefined {
  const key = event.key.toLowerCase()
  const jump = (id: string) => () => {
    const field = document.getElementById(id)
    field?.focus()
    // What was searched for before gives way to what is typed.
    if (field instanceof HTMLInputElement) field.select()
  }
  if (event.metaKey || event.ctrlKey) {
    if (event.shiftKey && key === 'o') return begin
    return key === 'k' && !event.shiftKey ? jump(places.search) : undefined
  }
  if (isField(event.target)) return undefined
  if (key === '?') return showList
  return key === '/' ? jump(places.message) : undefined
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
