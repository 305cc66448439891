import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'

/** Milliseconds after which an announcement is removed, as in React Aria: a search of the page would find it again. */
const keptMs = 7000

/**
 * A live region for screen readers in an element. Returns what announces something. What it holds is on the page already:
 * it is in a closed shadow root, where neither an app's tests nor its styles meet it a second time.
 */
export function useStatus(place: RefObject<HTMLElement | null>): (words: string) => void {
  const status = useRef<HTMLElement>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => {
    const region = document.createElement('p')
    region.setAttribute('role', 'status')
    const host = document.createElement('div')
    host.attachShadow({ mode: 'closed' }).append(region)
    place.current?.append(host)
    status.current = region
    return () => {
      clearTimeout(timer.current)
      host.remove()
    }
  }, [place])
  return useCallback((words) => {
    const region = status.current
    if (!region) return
    clearTimeout(timer.current)
    region.textContent = words
    timer.current = setTimeout(() => region.replaceChildren(), keptMs)
  }, [])
}
