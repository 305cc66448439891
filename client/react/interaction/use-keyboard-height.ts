import { useEffect } from 'react'

/**
 * Sets `--askback-keyboard` on the page: the height of a keyboard on the screen that covers its end instead of making it
 * lower, as on iPhones. Use one per page.
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
    measure()
    const changes = ['resize', 'scroll']
    for (const change of changes) seen.addEventListener(change, measure)
    return () => {
      for (const change of changes) seen.removeEventListener(change, measure)
      style.removeProperty('--askback-keyboard')
    }
  }, [])
}
