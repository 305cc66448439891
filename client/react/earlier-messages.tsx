import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '../labels/failure.ts'
import { useLabels } from './use-labels.ts'

/** Pixels above the page in which earlier messages are loaded before they are scrolled to. */
const ahead = 1200

/** Stands before the first message, and loads what is before it as soon as it comes near. One for each first message. */
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
      ([seen]) => {
        if (!seen?.isIntersecting) return
        observer.disconnect()
        void begin.current()
      },
      { root: findScroller(place.current), rootMargin: `${ahead}px 0px 0px` },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className="askback-earlier" aria-live="off">
      {failure && <p role="alert">{failure}</p>}
      <button type="button" disabled={isLoading} onClick={() => void load()}>
        {isLoading ? labels.loadingEarlier : labels.showEarlier}
      </button>
    </div>
  )
}

/** A margin counts only around what scrolls. */
function findScroller(element: HTMLElement | null): HTMLElement | null {
  for (let one = element?.parentElement; one; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one
  return null
}
