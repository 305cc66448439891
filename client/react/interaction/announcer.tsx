import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { MessageData, Pending } from '../../api/message.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { useLabels } from '../labels/use-labels.ts'
import { useStatus } from './use-status.ts'

/** Characters of an answer that are announced; the rest can be read in the conversation. */
const longest = 2000

const Say = createContext<(words: string) => void>(() => {})

/** Announces something in the conversation around it. */
export function useSay(): (words: string) => void {
  return useContext(Say)
}

/**
 * Announces to screen readers what is new in a conversation, each thing once: that it is being worked on, the answer when
 * it is complete, and what is asked. The messages themselves are silent, because they change while they are being written
 * and while their cards are being edited.
 */
export function Announcer({
  log,
  pending,
  isBusy = false,
  notice,
  children,
}: {
  /** The element with the messages and cards. */
  log: RefObject<HTMLElement | null>
  /** What is open at first is not announced: the page was opened with it. */
  pending: readonly Pending[]
  isBusy?: boolean
  notice?: MessageData['notice'] | undefined
  /** What announces something itself, with `useSay`. */
  children?: ReactNode
}) {
  const labels = useLabels()
  const place = useRef<HTMLDivElement>(null)
  const say = useStatus(place)
  const known = useRef(pending)
  const before = useRef<Answer>(undefined)

  useEffect(() => {
    // A receipt says so itself.
    if (isBusy && !document.activeElement?.closest('.askback-receipt')) say(labels.workingOn)
  }, [isBusy])
  const happening = notice && withoutHidden(notice.text)
  useEffect(() => {
    if (happening) say(happening)
  }, [happening])

  useEffect(() => {
    if (isBusy) {
      // Only when it begins: what is open may change meanwhile.
      before.current ??= readAnswer(log.current)
      return
    }
    return whenComplete(log.current, () => {
      const answered = before.current
      const fresh = pending.filter((one) => !known.current.some(({ itemId }) => itemId === one.itemId))
      before.current = undefined
      known.current = pending
      const questions = fresh.map(askedIn)
      const isAllApprovals = fresh.length > 1 && fresh.every(({ type }) => type === 'approval')
      const count = isAllApprovals ? labels.approvals(fresh.length) : ''
      const asked = hasFocus(fresh) ? [] : [count, ...questions]
      const answer = answered ? newWords(answered, readAnswer(log.current)) : ''
      const news = [shorten(answer, longest), shorten(asked.join(' '), longest)].join(' ').trim()
      if (news) say(news)
    })
  }, [isBusy, pending])

  return (
    <Say.Provider value={say}>
      {children}
      <div ref={place} className="askback-announced" />
    </Say.Provider>
  )
}

interface Answer {
  id: string | undefined
  words: string
}

/** The newest answer as it is rendered. */
function readAnswer(log: HTMLElement | null): Answer {
  const message = [...(log?.querySelectorAll<HTMLElement>('[data-role=assistant]') ?? [])].at(-1)
  const texts = message?.querySelectorAll<HTMLElement>('.askback-text') ?? []
  return { id: message?.dataset.message, words: [...texts].map(({ innerText }) => innerText).join('\n') }
}

/** An answer that continues after a decision was announced before. */
function newWords(before: Answer, now: Answer): string {
  if (before.id !== now.id) return now.words
  return now.words.startsWith(before.words) ? now.words.slice(before.words.length) : now.words
}

/** Text is `aria-busy` until what renders it is loaded. */
function whenComplete(log: HTMLElement | null, then: () => void): () => void {
  const isComplete = () => !log?.querySelector('[aria-busy=true]')
  const observer = new MutationObserver(() => isComplete() && end())
  const end = () => {
    observer.disconnect()
    then()
  }
  if (!log || isComplete()) end()
  else observer.observe(log, { subtree: true, childList: true })
  return () => observer.disconnect()
}

function askedIn({ asked, question }: Pending): string {
  return withoutMark(asked ?? question)
}

/** A card that has taken the focus was announced by that. */
function hasFocus(items: readonly Pending[]): boolean {
  const active = document.activeElement
  const item = active?.closest<HTMLElement>('[data-item]')?.dataset.item
  return items.some(({ itemId }) => itemId === item) || active?.closest('.askback-several') != null
}
