import { createContext, type MouseEvent, useContext, useEffect, useRef } from 'react'
import type { Decided } from '../../api/message.ts'
import { useSending } from '../forms/use-sending.ts'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { WithoutAskingLink } from './without-asking-link.tsx'

/** Takes a standing permission back, by its id; without it, receipts only say whether it holds. */
export const TakeBack = createContext<((permissionId: string) => Promise<unknown>) | undefined>(undefined)

/** The permission that came with an approval: what may be done from now on, until it is taken back, here or elsewhere. */
export function GivenPermission({
  remember,
  permission,
}: {
  remember: NonNullable<Decided['remember']>
  /** Undefined until it is known. */
  permission: Decided['permission']
}) {
  const labels = useLabels()
  const takeBack = useContext(TakeBack)
  const { isSending, failure, send } = useSending()
  const receipt = useRef<HTMLElement | null>(null)
  const sentence = useRef<HTMLSpanElement>(null)
  const id = permission?.id
  const press = (event: MouseEvent) => {
    receipt.current = event.currentTarget.closest<HTMLElement>('.askback-receipt')
    if (id !== undefined) void send(async () => takeBack?.(id))
  }
  const isOver = permission?.holds === false
  // Its button goes: the focus stays with what it has changed, and what that is now is seen from its beginning.
  useEffect(() => {
    if (!isOver || !receipt.current) return
    receipt.current.focus({ preventScroll: true })
    sentence.current?.scrollIntoView({ block: 'nearest' })
  }, [isOver])
  return (
    <>
      {' · '}
      <span ref={sentence} className="askback-permission">
        <BreakingText text={isOver ? labels.tookBack(remember) : labels.youAllowed(remember)} />
      </span>{' '}
      {takeBack && id !== undefined && (
        <span className="askback-actions">
          <button
            type="button"
            className="askback-link"
            aria-label={`${labels.takeBack}: ${remember.pattern}`}
            disabled={isSending}
            onClick={press}
          >
            {labels.takeBack}
          </button>
        </span>
      )}{' '}
      <WithoutAskingLink />
      {failure && (
        <span role="alert" className="askback-problem">
          {` ${failure}`}
        </span>
      )}
    </>
  )
}
