import { useEffect, useId, useRef } from 'react'
import type { Pending } from '../../api/message.ts'
import type { PermissionTerms } from '../../api/permission.ts'
import { placeOf, useKept } from '../forms/use-kept.ts'
import { focusProblem } from '../interaction/focus-problem.ts'
import { useShowOpened } from '../interaction/use-show-opened.ts'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { PermissionFields } from './permission-fields.tsx'
import type { PermissionProblems } from './permission-problems.ts'

/** Approves this call, and from now on calls like it: what exactly stands beside the button and can be changed. */
export function AlwaysAllow({
  pending,
  remember: { path, pattern, max, per },
  problems,
  disabled,
  onChange,
  onAllow,
}: {
  pending: Pending
  remember: NonNullable<Pending['remember']>
  /** Why it was not accepted. */
  problems: PermissionProblems | undefined
  disabled: boolean
  onChange(): void
  onAllow(terms: PermissionTerms): void
}) {
  const labels = useLabels()
  const id = useId()
  const place = placeOf(pending)
  const [terms, setTerms] = useKept<PermissionTerms>(`${place} always`, { pattern, max, per })
  const [isOpen, setOpen] = useKept(`${place} terms`, false)
  const fields = useRef<HTMLDivElement>(null)
  useShowOpened(isOpen, fields)
  // Beside its field, which may be folded.
  useEffect(() => {
    if (!problems) return
    setOpen(true)
    requestAnimationFrame(() => focusProblem(fields.current))
  }, [problems])
  return (
    <div className="askback-always">
      <p id={`${id}-sentence`} dir="auto">
        <BreakingText text={labels.offerPermission({ ...terms, path, tool: pending.title })} />
      </p>
      <div className="askback-actions">
        <button
          type="button"
          disabled={disabled}
          aria-describedby={`${id}-sentence`}
          onClick={() => onAllow(terms)}
        >
          {labels.alwaysAllow({ path })}
        </button>
        <button
          type="button"
          className="askback-link"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {labels.changePermission}
        </button>
      </div>
      {isOpen && (
        <PermissionFields
          ref={fields}
          terms={terms}
          problems={problems}
          disabled={disabled}
          onChange={(changed) => {
            onChange()
            setTerms(changed)
          }}
        />
      )}
    </div>
  )
}
