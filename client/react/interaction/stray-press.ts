import type { MouseEvent as ReactMouseEvent } from 'react'

/**
 * Milliseconds and CSS pixels: a click so soon after another one, or after what that one decided has moved the page, and
 * so near to it, belongs to that one.
 */
const soon = 1000
const near = 24
/** The same for what only an answer brings, such as its buttons: people press again when nothing seems to happen. */
const late = 3000

/** The last click on something that takes decisions, unless another one elsewhere followed. A page has one pointer. */
let last: { on: Element; control: Element; at: number; x: number; y: number } | undefined

/**
 * Notes a click on something that takes decisions: people double-click, and what is below moves up to the pointer. The
 * second click is stopped there, on another button of the same card that has come to that place, and on a link, which
 * would open twice. For `onClickCapture`. Clicks by keyboard have no place and always count.
 */
export function notePress(event: ReactMouseEvent) {
  const { currentTarget: on, detail, clientX: x, clientY: y, timeStamp: at } = event
  if (detail === 0) return
  const control = findControl(event.target as Element)
  if (last?.on === on && isSecond(event, soon) && (control !== last.control || control.matches('a'))) {
    last.at = at
    return stop(event)
  }
  last = { on, control, at, x, y }
  // Adding it again changes nothing.
  document.addEventListener('pointerdown', prolong, true)
  document.addEventListener('click', stopStrayPress, true)
  document.addEventListener('keydown', moveOn, true)
}

/** Stops a second press on what has come to where a decision was pressed. For `onClickCapture`. */
export function stopLatePress(event: ReactMouseEvent) {
  if (event.detail !== 0 && isSecond(event, late)) stop(event)
}

/** As in the permission prompts of Chromium, which ignore presses for so many milliseconds. */
const settleMs = 500
/** The guard in askback.css gives cards their presses against any app's CSS, and against an animation, but for this one. */
const none = { pointerEvents: 'none', '--askback-presses': 'none' }

/**
 * Cards have come or gone: for a moment none takes a press, which was meant for what was in its place before, and neither
 * does what has `data-settles`. Keys always count. For `useLayoutEffect`.
 */
export function settleCards(forMs = settleMs): () => void {
  const settle = () => {
    for (const card of document.querySelectorAll('.askback-question, .askback-several, [data-settles]'))
      card.animate?.([none, none], forMs)
  }
  settle()
  return settle
}

/** Presses without a pause belong to the first one, however many there are. Disabled buttons get no click. */
function prolong(event: PointerEvent): void {
  if (last && isSecond(event, soon)) last.at = event.timeStamp
}

/** Whoever types has done with it. */
function moveOn(): void {
  last = undefined
}

/** Notes that cards come, go or become receipts: others may be where the pointer is only now. For `useEffect`. */
export function noteMove(): () => void {
  const note = () => {
    if (last) last.at = performance.now()
  }
  note()
  return note
}

function stopStrayPress(event: MouseEvent): void {
  if (!last || event.detail === 0) return
  if (!isSecond(event, late)) last = undefined
  else if (isSecond(event, soon) && !last.on.contains(event.target as Node)) stop(event)
}

/** What a click presses. After a click on a label, the browser clicks its field. */
function findControl(target: Element): Element {
  const field = target.closest('label')?.control
  return field ?? target.closest('a, button, summary') ?? target
}

type Press = Pick<MouseEvent, 'clientX' | 'clientY' | 'timeStamp' | 'preventDefault' | 'stopPropagation'>

function isSecond({ clientX, clientY, timeStamp }: Press, within: number): boolean {
  return (
    last !== undefined &&
    Math.hypot(clientX - last.x, clientY - last.y) < near &&
    timeStamp - last.at < within
  )
}

function stop(event: Press): void {
  event.preventDefault()
  event.stopPropagation()
}
