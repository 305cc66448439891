import { useEffect, useRef } from 'react'
import { useFirstLabels } from './labels.tsx'
import { useStop } from './roving-list.tsx'

/** The end of a list that goes on: the rest is loaded when it is scrolled to. One for each page. */
export function MoreRows({ onReach }: { onReach(): Promise<unknown> }) {
  const labels = useFirstLabels()
  const button = useRef<HTMLButtonElement>(null)
  // What fails is tried again with a click.
  const load = () => void onReach().catch(() => {})
  const begin = useRef(load)
  useEffect(() => {
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && begin.current())
    if (button.current) observer.observe(button.current)
    return () => observer.disconnect()
  }, [])
  return (
    <button ref={button} type="button" className="askback-more-rows" onClick={load} {...useStop('more')}>
      {labels.showMore}
    </button>
  )
}
