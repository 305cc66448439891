import { useEffect, useLayoutEffect, useRef } from 'react'
import { useStickToBottomContext } from 'use-stick-to-bottom'
import type { ChatMessage, Pending } from '../../api/message.ts'
import { Drawing } from '../icons/drawing.tsx'
import { downIcon } from '../icons/later-icons.ts'
import { findAsked } from '../interaction/find-asked.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { chatOf, composerIn, focusComposer } from './composer-field.ts'
import { usePageKeys } from './page-keys.ts'

/** A message that a search has led to; another number of `times` leads there again. */
export interface FoundMessage {
  messageId: string
  times: number
  /** What was searched for, as it stands in the message: it is shown and marked there. */
  words?: string | undefined
}

/** Pixels above a question or an answer that is taller than the window. */
const margin = 16
/** Where a search has led to is marked for so long, in milliseconds. */
const markMs = 2000
const mark = {
  background: 'var(--askback-wash)',
  boxShadow: '0 0 0 8px var(--askback-wash)',
  borderRadius: '2px',
}
const marking = [0, 0.7].map((offset) => ({ offset, ...mark }))
/** Name of the mark on the words, in chat.css. */
const highlight = 'askback-found'

/**
 * Keeps expanded content in place, scrolls to the start of questions, unread answers and what a search has found, keeps
 * the newest receipt in sight above a docked card, and offers a button back to the newest message after scrolling up.
 */
export function ScrollKeeper({
  messages,
  pending,
  isDocked,
  isUnread,
  found,
}: {
  messages: readonly ChatMessage[]
  pending: readonly Pending[]
  /** A card stands in place of the composer. */
  isDocked: boolean
  isUnread: boolean
  found: FoundMessage | undefined
}) {
  const labels = useChatLabels()
  const { scrollRef, contentRef, stopScroll, isAtBottom, scrollToBottom, state } = useStickToBottomContext()
  usePageKeys()
  const kept = useRef<ReturnType<typeof followSize>>(undefined)
  useEffect(() => {
    const stay = ({ type, target }: Event) => {
      const folds = '[aria-expanded], summary, :is(.askback-question, .askback-several) :is(button, input)'
      if (!(target instanceof Element && scrollRef.current?.contains(target))) return
      if (type !== 'submit' && !target.closest(folds)) return
      stopScroll()
      kept.current?.leave()
    }
    // A card stops keys that only show what they would press, so nothing below the window hears them.
    const kinds = ['click', 'submit', 'keydown']
    for (const kind of kinds) addEventListener(kind, stay, true)
    return () => {
      for (const kind of kinds) removeEventListener(kind, stay, true)
    }
  }, [scrollRef, stopScroll])

  // Content added above, such as earlier messages, does not move what is being read, even at the very top.
  useEffect(() => {
    const [scroller, content] = [scrollRef.current, contentRef.current]
    if (!scroller || !content) return
    let read: { message: Element; top: number } | undefined
    const note = () => {
      const message = isAtBottom ? undefined : findRead(scroller)
      read = message && { message, top: message.getBoundingClientRect().top }
    }
    const observer = new ResizeObserver(() => {
      if (read?.message.isConnected)
        scroller.scrollTop += Math.round(read.message.getBoundingClientRect().top - read.top)
      note()
    })
    scroller.addEventListener('scroll', note, { passive: true })
    observer.observe(content)
    return () => {
      scroller.removeEventListener('scroll', note)
      observer.disconnect()
    }
  }, [scrollRef, contentRef, isAtBottom])

  // A card or a keyboard takes the room of the messages and gives it back: whoever was at their end stays there.
  useLayoutEffect(() => {
    const scroller = scrollRef.current
    if (!scroller) return
    let height = scroller.clientHeight
    const observer = new ResizeObserver(() => {
      const former = height
      height = scroller.clientHeight
      if (former === height || kept.current?.hasLeft() === false) return
      const below = scroller.scrollHeight - scroller.scrollTop - Math.max(former, height)
      if (!state.isAtBottom && below > 1) return
      scroller.scrollTop += Math.max(0, former - height)
      void scrollToBottom('instant')
    })
    // A box that grows scrolls them up, which leads to their end and not away from it.
    const arrive = () => {
      const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
      if (below > 1 || kept.current?.hasLeft() === false) return
      state.ignoreScrollToTop = undefined
      state.lastScrollTop = -1
    }
    observer.observe(scroller)
    scroller.addEventListener('scroll', arrive, { capture: true, passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', arrive, { capture: true })
    }
  }, [scrollRef, scrollToBottom, state])

  // What was just decided stays in sight above the next card; after the last one, the end is followed again, as long as
  // what has the focus stays in sight.
  const asked = pending.map(({ itemId }) => itemId).join(' ')
  const open = useRef(asked)
  const docked = useRef(isDocked)
  useLayoutEffect(() => {
    const [scroller, content] = [scrollRef.current, contentRef.current]
    const [gone] = open.current.split(' ').filter((id) => !asked.split(' ').includes(id))
    const wasDocked = docked.current
    open.current = asked
    docked.current = isDocked
    if (!gone || !scroller || !content) return
    const isKept = kept.current?.hasLeft() === false
    kept.current?.leave()
    kept.current = undefined
    const findHeld = () => content.querySelector('[data-receipt]:focus')
    if (isDocked && (isKept || state.isAtBottom || findHeld())) {
      stopScroll()
      const look = () => {
        // Of several, the one that has the focus.
        const receipt = findHeld() ?? content.querySelector(`[data-receipt="${CSS.escape(gone)}"]`)
        if (receipt) showStart(receipt, scroller)
      }
      kept.current = followSize([content, scroller], look, scroller, ['wheel', 'touchmove', 'keydown'])
    } else if (isKept || (wasDocked && state.isAtBottom)) {
      void scrollToBottom('instant')
      const stay = followSize([content], () => {
        // Whoever has clicked follows the answer; whoever uses the keyboard is still at the receipt.
        const held = isKept ? findHeld() : content.querySelector('[data-receipt]:focus-visible')
        if (!held || !isTall(held, scroller, content)) return
        // Each time: so near to the end, it would be followed again.
        stopScroll()
        showStart(held, scroller)
      })
      return stay.leave
    }
  }, [asked, isDocked, scrollRef, contentRef, stopScroll, scrollToBottom, state])
  useEffect(() => () => kept.current?.leave(), [])

  // Whoever writes wants to see it, and what comes of it.
  const written = messages.findLast(({ role }) => role === 'user')?.id
  const known = useRef(written)
  useEffect(() => {
    if (known.current !== undefined && known.current !== written) {
      kept.current?.leave()
      void scrollToBottom('instant')
    }
    known.current = written
  }, [written, scrollToBottom])

  const { messageId: sought, times, words } = found ?? {}
  const seen = useRef(new Set<string>())
  useLayoutEffect(() => {
    const [scroller, content] = [scrollRef.current, contentRef.current]
    const fresh = asked.split(' ').filter((id) => !seen.current.has(id))
    for (const id of fresh) seen.current.add(id)
    const place = scroller && findAsked(scroller)
    if (fresh.length === 0 || !scroller || !content || !place) return
    // Whoever is about to decide something else keeps it in sight.
    const held = document.activeElement?.closest('.askback-question, .askback-several')
    if (held && held !== place) return stopScroll()
    const look = () => {
      if (isTall(place, scroller, content)) {
        stopScroll()
        showStart(place, scroller)
      } else if (place.contains(document.activeElement)) place.scrollIntoView({ block: 'nearest' })
    }
    look()
    // The look of a mail is loaded later. What was searched for comes first.
    return sought === undefined ? followSize([content], look).leave : undefined
  }, [asked, sought, scrollRef, contentRef, stopScroll])

  useEffect(() => {
    const [scroller, content] = [scrollRef.current, contentRef.current]
    if (!isUnread || !scroller || !content) return
    // Its size is known only once the code that renders it is loaded.
    const observer = new ResizeObserver(() => {
      const answer = [...content.querySelectorAll('[data-role=assistant] .askback-text')].at(-1)
      if (!answer || !isTall(answer, scroller, content)) return
      observer.disconnect()
      stopScroll()
      showStart(answer, scroller)
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [isUnread, scrollRef, contentRef, stopScroll])

  useEffect(() => {
    const [scroller, content] = [scrollRef.current, contentRef.current]
    if (sought === undefined || !scroller || !content) return
    let isMarked = false
    let place: Range | undefined
    const look = () => {
      const message = [...content.querySelectorAll<HTMLElement>('[data-message]')].find(
        ({ dataset }) => dataset.message === sought,
      )
      stopScroll()
      // At the top, earlier messages are loaded.
      if (!message) scroller.scrollTop = 0
      else {
        showStart(message, scroller)
        // A long message is shown where the word stands in it.
        place = findWords(message, words) ?? place
        if (place) showRange(place, scroller)
        if (isMarked) return
        isMarked = true
        message.animate(marking, markMs)
        // Keys and screen readers go on from there, unless the next message can be typed at once.
        if (composerIn(chatOf(scroller)) === document.activeElement) return
        message.tabIndex = -1
        message.focus({ preventScroll: true })
      }
    }
    const { leave } = followSize([content], look)
    return () => {
      leave()
      CSS.highlights?.delete(highlight)
    }
  }, [sought, times, words, scrollRef, contentRef, stopScroll])

  if (isAtBottom) return null
  return (
    <button
      type="button"
      className="askback-button askback-to-newest"
      aria-label={labels.newest}
      onClick={({ currentTarget }) => {
        void scrollToBottom()
        // The button disappears there.
        focusComposer(chatOf(currentTarget))
      }}
    >
      <Drawing lines={downIcon} />
    </button>
  )
}

/** Calls back after each change of size, and after what keeps the place of what is being read, until somebody moves. */
function followSize(
  places: readonly Element[],
  look: () => void,
  moved: EventTarget = window,
  moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'],
) {
  const observer = new ResizeObserver(() => requestAnimationFrame(look))
  let hasLeft = false
  const leave = () => {
    hasLeft = true
    observer.disconnect()
    for (const move of moves) moved.removeEventListener(move, leave)
  }
  for (const place of places) observer.observe(place)
  for (const move of moves) moved.addEventListener(move, leave, { passive: true })
  return { leave, hasLeft: () => hasLeft }
}

/** Whether the window cannot show it all, with what follows it. */
function isTall(element: Element, scroller: HTMLElement, content: Element): boolean {
  const height = content.getBoundingClientRect().bottom - element.getBoundingClientRect().top
  return height + 4 * margin >= scroller.clientHeight
}

/** Where the words first stand in a message, which is marked there as long as it is shown. */
function findWords(message: Element, words: string | undefined): Range | undefined {
  if (!words) return undefined
  const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const at = text.textContent?.indexOf(words) ?? -1
    if (at < 0 || !text.parentElement?.checkVisibility?.()) continue
    const range = document.createRange()
    range.setStart(text, at)
    range.setEnd(text, at + words.length)
    CSS.highlights?.set(highlight, new Highlight(range))
    return range
  }
  return undefined
}

/** Brings words into sight that the window does not show yet. */
function showRange(range: Range, scroller: HTMLElement): void {
  const [{ top, bottom }, window] = [range.getBoundingClientRect(), scroller.getBoundingClientRect()]
  const below = bottom + margin - window.bottom
  if (below > 0) scroller.scrollTop += Math.min(below + scroller.clientHeight / 2, top - window.top - margin)
}

function showStart(element: Element, scroller: HTMLElement): void {
  scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - margin
}

/** The message at the top edge, or the next one below. */
function findRead(scroller: HTMLElement): Element | undefined {
  const { top, left, width, height } = scroller.getBoundingClientRect()
  for (let y = 1; y < height; y += height / 8) {
    const message = document.elementFromPoint(left + width / 2, top + y)?.closest('[data-message]')
    if (message) return message
  }
  return undefined
}
