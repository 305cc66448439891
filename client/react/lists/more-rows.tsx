import { useEffect, useRef } from 'react'
import { useFirstLabels } from '../labels/labels.tsx'
import { useStop } from './roving-list.tsx'

/** The end of a partly loaded list: loads the next page when scrolled to. Use one per page. */
export function MoreRows({ onReach }: { onReach(): Promise<unknown> }) {
  const labels = useFirstLabels()
  const button = useRef<HTMLButtonElement>(null)
  // If it fails, a click tries again.
  const load = () => void onReach().catch(() => {})
  const begin = useRef(load)
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && begin.current())
    if (button.current) observer.observe(button.current)
    return () => observer.disconnect()
  }, [])
  return (
    <button ref={button} type="button" className="askback-more-rows" onClick={load} {...useStop('more')}>
      {labels.showMore}
    </button>
  )
}
