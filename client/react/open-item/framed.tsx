import { useLabels } from '../labels/use-labels.ts'

/** In place of a decision, inside a page of another origin: the way out of it. */
export function Framed() {
  const { openItem } = useLabels()
  return (
    <div className="askback-card">
      <p>{openItem.framed}</p>
      <a href={location.href} target="_blank" rel="noopener">
        {openItem.openAlone}
      </a>
    </div>
  )
}

/** A page of another origin around it could place the buttons under somebody's pointer. */
export function isFramedByOthers(): boolean {
  try {
    return window.top !== window.self && window.top?.location.origin !== location.origin
  } catch {
    return true
  }
}

/** Inside any other page, also one of this origin. */
export function isFramed(): boolean {
  return window.top !== window.self
}
