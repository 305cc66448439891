/** The chat that something stands in. */
export function chatOf(element: Element | null): HTMLElement | null {
  return element?.closest<HTMLElement>('.askback-chat') ?? null
}

/** The field for a message; absent while a card stands in its place. */
export function composerIn(chat: Element | null): HTMLTextAreaElement | null {
  return chat?.querySelector<HTMLTextAreaElement>('.askback-composer textarea') ?? null
}

/** Moves the focus to the composer, not below a dialog or a menu, and not on phones. What was begun is gone on with at its end. */
export function focusComposer(chat: Element | null): void {
  const field = composerIn(chat)
  // With a hardware keyboard only: on phones the on-screen keyboard would cover the page.
  if (!field || isOverlaid(chat) || !window.matchMedia('(hover: hover)').matches) return
  field.focus({ preventScroll: true })
  field.setSelectionRange(field.value.length, field.value.length)
}

/** Whether a dialog or a menu is open that the chat does not stand in. */
export function isOverlaid(chat: Element | null): boolean {
  const overlays = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')]
  return overlays.some((one) => !one.contains(chat) && isShown(one))
}

/** Whether somebody is typing, or choosing, outside of the chat. */
export function isElsewhere(chat: Element | null): boolean {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || chat?.contains(active)) return false
  return active.isContentEditable || active.matches('input, textarea, select')
}

/** Apps keep closed dialogs in the page. Older browsers don't say. */
function isShown(element: Element): boolean {
  return element.checkVisibility?.() ?? true
}
