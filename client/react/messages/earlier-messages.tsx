import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '../../labels/failure.ts'
import { useLabels } from '../labels/use-labels.ts'

/** Earlier messages start loading this many pixels before they scroll into view. */
const ahead = 1200

/** Placed before the first message; loads earlier messages when it gets close. Use one per first message. */
export function EarlierMessages({ onEarlier }: { onEarlier(): Promise<void> }) {
  const labels = useLabels()
  const place = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState<string>()
  const [isLoading, setLoading] = useState(false)
  const latest = useRef(onEarlier)
  latest.current = onEarlier
  const load = async () => {
    setFailure(undefined)
    setLoading(true)
    await latest.current().catch((error) => setFailure(describeFailure(error, labels)))
    setLoading(false)
  }
  const begin = useRef(load)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => {
        // Several at once, if it has moved in and out meanwhile.
        if (!seen.at(-1)?.isIntersecting) return
        observer.disconnect()
        void begin.current()
      },
      { root: findScroller(place.current), rootMargin: `${ahead}px 0px 0px` },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className="askback-earlier">
      {failure && <p role="alert">{failure}</p>}
      <button type="button" disabled={isLoading} onClick={() => void load()}>
        {isLoading ? labels.loadingEarlier : labels.showEarlier}
      </button>
    </div>
  )
}

/** `rootMargin` only works for the element that scrolls. */
function findScroller(element: HTMLElement | null): HTMLElement | null {
  for (let one = element?.parentElement; one; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one
  return null
}
