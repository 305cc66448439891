import type { KeyboardEvent as ReactKeyboardEvent } from 'react'
import { isComposing } from './is-composing.ts'

/** Milliseconds, as for the pointer: a key that is pressed so soon was meant for what had the focus before. */
const soon = 500

/** Where the page itself moved the focus to, and when, in the time of events. */
let led: { to: Element; at: number } | undefined

/** Moves the focus for the user. For a moment, or until the user types, Enter and Space press nothing there. */
export function leadFocus(to: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (!to) return
  led = { to, at: performance.now() }
  to.addEventListener('input', arrive, { once: true })
  to.focus(options)
}

function arrive(): void {
  led = undefined
}

/** Whether a key presses something: a button, or Enter in a line of a form, which submits it. */
export function isPress(event: ReactKeyboardEvent): boolean {
  if (isComposing(event)) return false
  const { key, target } = event
  const buttons = 'button, a, summary'
  return (
    (key === 'Enter' && (target as Element).matches(`${buttons}, input`)) ||
    (key === ' ' && (target as Element).matches(buttons))
  )
}

/** Whether it comes so soon that it belongs to what was pressed before. So do all that follow without a pause. */
export function isStrayKey({ target, timeStamp }: ReactKeyboardEvent): boolean {
  if (led?.to !== target || timeStamp - led.at >= soon) return false
  led.at = timeStamp
  return true
}
