import { useEffect } from 'react'

/**
 * Sets `--askback-keyboard` on the page: the height of a keyboard on the screen that covers its end instead of making it
 * lower, as on iPhones. What is typed in stays in sight above either kind. Use one per page.
 */
export function useKeyboardHeight(): void {
  useEffect(() => {
    const seen = window.visualViewport
    const { style } = document.documentElement
    if (!seen) return
    const measure = () => {
      // Somebody who magnifies the page sees a part of it anyway.
      const height = seen.scale > 1 ? 0 : innerHeight - seen.offsetTop - seen.height
      style.setProperty('--askback-keyboard', `${Math.max(0, Math.round(height))}px`)
    }
    /** The page makes room within a few frames. */
    const show = (typed: Element, frames: number) => {
      typed.scrollIntoView({ block: 'nearest' })
      if (frames > 0) requestAnimationFrame(() => show(typed, frames - 1))
    }
    let room = seen.height
    const follow = () => {
      const typed =
        seen.scale <= 1 && seen.height < room && document.querySelector(':is(input, select, textarea):focus')
      room = seen.height
      if (typed) show(typed, 10)
    }
    measure()
    seen.addEventListener('resize', follow)
    const changes = ['resize', 'scroll']
    for (const change of changes) seen.addEventListener(change, measure)
    return () => {
      seen.removeEventListener('resize', follow)
      for (const change of changes) seen.removeEventListener(change, measure)
      style.removeProperty('--askback-keyboard')
    }
  }, [])
}
