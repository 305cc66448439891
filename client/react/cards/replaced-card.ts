import {
  type KeyboardEvent as ReactKeyboardEvent,
  type MouseEvent as ReactMouseEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import type { Pending } from '../../api/message.ts'
import { isPress } from '../interaction/stray-key.ts'
import { settleCards } from '../interaction/stray-press.ts'

type Card = Pick<Pending, 'itemId' | 'toolCallId' | 'intent'>

/** Milliseconds in which nobody has read a card that has taken another's place: a press was meant for that one. */
const unreadMs = 1000
const controls = 'button, a, input, select, summary'

/** Cards that are remembered once they have left. */
const mostLeft = 50
/** The cards that have left, and when, in the time of events. */
let left: { card: Card; at: number }[] = []
/** Until when presses on cards do not count. */
let unreadUntil = 0

/** Notes that a card comes to the page, and that it leaves or gives way to its receipt. */
export function useTakesPlace(card: Card, isDecided: boolean): void {
  useLayoutEffect(() => {
    if (isDecided) return leave(card)
    arrive(card)
    return () => leave(card)
  }, [card.itemId, isDecided])
}

function arrive(card: Card): void {
  const now = performance.now()
  if (!left.some(({ card: before, at }) => takesPlace(card, before, now - at))) return
  unreadUntil = now + unreadMs
  settleCards(unreadMs)
}

function leave(card: Card): void {
  const others = left.filter(({ card: { itemId } }) => itemId !== card.itemId)
  left = [...others.slice(-mostLeft), { card, at: performance.now() }]
}

/** As on the server: a call, and an intent, has one card. After a while, an intent may be that of another conversation. */
function takesPlace(card: Card, before: Card, sinceMs: number): boolean {
  if (card.itemId === before.itemId) return false
  const isOfIntent = card.intent > 0 && card.intent === before.intent && sinceMs < unreadMs
  return card.toolCallId === before.toolCallId || isOfIntent
}

/**
 * Stops presses on cards that nobody can have read yet, by pointer, key or screen reader, and tells whether there was one
 * at this place, so that it is not lost in silence. Returns handlers for the capture phase, true if they have stopped it.
 */
export function useUnreadPress(place: RefObject<HTMLElement | null>): {
  isUnread: boolean
  stopClick(event: ReactMouseEvent): boolean
  stopKey(event: ReactKeyboardEvent): boolean
} {
  const [isUnread, setUnread] = useState(false)
  useEffect(() => {
    // No card takes presses of a pointer then: where it is tells what it was meant for.
    const find = ({ clientX, clientY, timeStamp }: PointerEvent) => {
      const pressed = [...(place.current?.querySelectorAll(controls) ?? [])]
      if (timeStamp < unreadUntil && pressed.some((one) => holds(one, clientX, clientY))) setUnread(true)
    }
    document.addEventListener('pointerdown', find, true)
    return () => document.removeEventListener('pointerdown', find, true)
  }, [place])
  const stop = (event: SyntheticEvent) => {
    const isSoon = event.timeStamp < unreadUntil
    setUnread(isSoon)
    if (!isSoon) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return {
    isUnread,
    stopClick: (event) => (event.target as Element).closest(controls) !== null && stop(event),
    stopKey: (event) => isPress(event) && stop(event),
  }
}

function holds(element: Element, x: number, y: number): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return x >= left && x <= right && y >= top && y <= bottom
}
