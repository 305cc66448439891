import type { MouseEvent as ReactMouseEvent } from 'react'

/** Milliseconds and CSS pixels: a click so soon after another one, and so near to it, belongs to that one. */
const soon = 1000
const near = 24

/**
 * The last click on something that takes decisions, unless another one elsewhere followed. Kept here, not in React: a
 * page has one pointer, and the card that was clicked is gone when the next one has taken its place.
 */
let last: { on: string; at: number; x: number; y: number } | undefined

const isNear = ({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>) =>
  last !== undefined && Math.hypot(clientX - last.x, clientY - last.y) < near

const forgetElsewhere = (event: MouseEvent) => {
  if (!isNear(event)) last = undefined
}

/**
 * Stops a click that was meant for what stood here before: people double-click, and the next card moves up to the
 * pointer. For `onClickCapture`; `on` names what is clicked. Clicks by keyboard have no place and always count.
 */
export function stopStrayPress(event: ReactMouseEvent, on: string): void {
  const { detail, clientX: x, clientY: y, timeStamp: at } = event
  if (detail === 0) return
  if (last && last.on !== on && at - last.at < soon && isNear(event)) {
    event.preventDefault()
    event.stopPropagation()
    return
  }
  last = { on, at, x, y }
  // Adding it again changes nothing.
  document.addEventListener('click', forgetElsewhere, true)
}
