import { useEffect, useRef } from 'react'
import { isField } from './shortcuts.ts'

/**
 * Moves the focus to the heading of the page that a link has led to, unless something on the page has it or somebody is
 * typing. Render it after the page. Chats have their composer.
 */
export function PageFocus({ path }: { path: string }) {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    const active = document.activeElement
    if (!isField(active) && !document.getElementById('content')?.contains(active)) focusHeading()
  }, [path])
  return null
}

/** Moves the focus to the beginning of the page, or to another heading. */
export function focusHeading(at = '.page h1'): void {
  const heading = document.querySelector<HTMLElement>(at)
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
