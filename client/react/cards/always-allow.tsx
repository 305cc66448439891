import { useId, useRef } from 'react'
import type { Pending } from '../../api/message.ts'
import type { PermissionTerms } from '../../api/permission.ts'
import { placeOf, useKept } from '../forms/use-kept.ts'
import { useShowOpened } from '../interaction/use-show-opened.ts'
import { useLabels } from '../labels/use-labels.ts'
import { PermissionFields } from './permission-fields.tsx'

/** Approves this call, and from now on calls like it: what exactly stands beside the button and can be changed. */
export function AlwaysAllow({
  pending,
  remember: { path, pattern, max, per },
  disabled,
  onAllow,
}: {
  pending: Pending
  remember: NonNullable<Pending['remember']>
  disabled: boolean
  onAllow(terms: PermissionTerms): void
}) {
  const labels = useLabels()
  const id = useId()
  const place = placeOf(pending)
  const [terms, setTerms] = useKept<PermissionTerms>(`${place} always`, { pattern, max, per })
  const [isOpen, setOpen] = useKept(`${place} terms`, false)
  const fields = useRef<HTMLDivElement>(null)
  useShowOpened(isOpen, fields)
  return (
    <div className="askback-always">
      <p id={`${id}-sentence`} dir="auto">
        {labels.offerPermission({ ...terms, path, tool: pending.title })}
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
      {isOpen && <PermissionFields ref={fields} terms={terms} disabled={disabled} onChange={setTerms} />}
    </div>
  )
}
