import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

/** As for a press of the pointer: milliseconds in which a key was meant for what had the focus before. */
const soon = 500

/** Where the page itself has moved the focus to, and when, in the time of events. */
let led: { to: Element; at: number } | undefined

/** Moves the focus for the user: for a moment, Enter and Space press nothing there. Whoever types has arrived. */
export function leadFocus(to: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (!to) return
  led = { to, at: performance.now() }
  to.addEventListener('input', arrive, { once: true })
  to.focus(options)
}

function arrive(): void {
  led = undefined
}

/** Whether a key presses something: a button, or a form by Enter in one of its lines. */
export function isPress({ key, target, nativeEvent }: ReactKeyboardEvent): boolean {
  if (nativeEvent.isComposing) return false
  const buttons = 'button, a, summary'
  return (
    (key === 'Enter' && (target as Element).matches(`${buttons}, input`)) ||
    (key === ' ' && (target as Element).matches(buttons))
  )
}

/** Whether it comes so soon after the page has led there that it belongs to what was pressed before, as do all after it. */
export function isStrayKey({ target, timeStamp }: ReactKeyboardEvent): boolean {
  if (led?.to !== target || timeStamp - led.at >= soon) return false
  led.at = timeStamp
  return true
}
