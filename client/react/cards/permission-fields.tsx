import { type Ref, useId } from 'react'
import type { PermissionTerms } from '../../api/permission.ts'
import { useLabels } from '../labels/use-labels.ts'
import type { PermissionProblems } from './permission-problems.ts'

const spans = ['minute', 'hour', 'day'] as const

/** Whom a standing permission is about, and how often it may be used. */
export function PermissionFields({
  terms,
  problems = {},
  disabled = false,
  onChange,
  ref,
}: {
  terms: PermissionTerms
  problems?: PermissionProblems | undefined
  disabled?: boolean
  onChange(terms: PermissionTerms): void
  ref?: Ref<HTMLDivElement>
}) {
  const labels = useLabels()
  const id = useId()
  const { pattern, max, per } = terms
  return (
    <div ref={ref} className="askback-fields askback-terms">
      <div className="askback-field">
        <label htmlFor={`${id}-pattern`}>{labels.permittedWhom}</label>
        <input
          id={`${id}-pattern`}
          value={pattern}
          disabled={disabled}
          maxLength={320}
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={problems.pattern !== undefined}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => onChange({ ...terms, pattern: target.value })}
        />
        <p id={`${id}-note`} className={problems.pattern === undefined ? 'askback-quiet' : 'askback-problem'}>
          {problems.pattern ?? labels.permittedWhomNote}
        </p>
      </div>
      <div className="askback-field">
        <label htmlFor={`${id}-max`}>{labels.permittedMax}</label>
        <div className="askback-limit">
          <input
            id={`${id}-max`}
            type="number"
            min={1}
            max={1000}
            value={max || ''}
            disabled={disabled}
            aria-invalid={problems.max !== undefined}
            aria-describedby={problems.max === undefined ? undefined : `${id}-max-problem`}
            onChange={({ target }) => onChange({ ...terms, max: Number(target.value) })}
          />
          <select
            aria-label={labels.permittedPer}
            value={per}
            disabled={disabled}
            onChange={({ target }) => onChange({ ...terms, per: target.value as PermissionTerms['per'] })}
          >
            {spans.map((span) => (
              <option key={span} value={span}>
                {labels.perSpan[span]}
              </option>
            ))}
          </select>
        </div>
        {problems.max !== undefined && (
          <p id={`${id}-max-problem`} className="askback-problem">
            {problems.max}
          </p>
        )}
      </div>
    </div>
  )
}
