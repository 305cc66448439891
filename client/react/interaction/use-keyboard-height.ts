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
    let leave = () => {}
    let room = seen.height
    const follow = () => {
      const typed =
        seen.scale <= 1 && seen.height < room && document.querySelector(':is(input, select, textarea):focus')
      room = seen.height
      leave()
      if (typed) leave = keepInSight(typed)
    }
    measure()
    seen.addEventListener('resize', follow)
    const changes = ['resize', 'scroll']
    for (const change of changes) seen.addEventListener(change, measure)
    return () => {
      leave()
      seen.removeEventListener('resize', follow)
      for (const change of changes) seen.removeEventListener(change, measure)
      style.removeProperty('--askback-keyboard')
    }
  }, [])
}

/** By these, somebody looks elsewhere. */
const moves = ['wheel', 'touchmove', 'focusin']

/** Keeps a field in sight while what is around it changes its size: the page makes its room step by step. */
function keepInSight(typed: Element): () => void {
  const observer = new ResizeObserver(() => typed.scrollIntoView({ block: 'nearest' }))
  const leave = () => {
    observer.disconnect()
    for (const move of moves) removeEventListener(move, leave)
  }
  for (let around: Element | null = typed; around; around = around.parentElement) observer.observe(around)
  for (const move of moves) addEventListener(move, leave, { passive: true })
  return leave
}
