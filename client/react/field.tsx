import { useId } from 'react'
import type { FormField } from './form-fields.ts'

/** One labelled input, with its hint and what is wrong with it. */
export function Field({
  field,
  value,
  problem,
  isFirst = false,
  disabled = false,
  onChange,
}: {
  field: FormField
  value: string
  problem?: string | undefined
  isFirst?: boolean
  disabled?: boolean
  onChange(value: string): void
}) {
  const id = useId()
  const { kind, label, hint, required, placeholder, schema } = field
  const notes = [hint && !problem ? `${id}-hint` : '', problem ? `${id}-problem` : '']
    .filter(Boolean)
    .join(' ')
  const common = {
    id,
    disabled,
    'aria-required': required,
    'aria-invalid': problem !== undefined,
    ...(notes ? { 'aria-describedby': notes } : {}),
    ...(isFirst ? { 'data-first-field': true } : {}),
  }
  return (
    <div className="askback-field" data-kind={kind}>
      <label htmlFor={id}>
        {label}
        {!required && kind !== 'check' && <span className="askback-quiet"> (optional)</span>}
      </label>
      {kind === 'choice' ? (
        <select {...common} value={value} onChange={(event) => onChange(event.target.value)}>
          {(!required || value === '') && <option value="">Choose …</option>}
          {schema.enum?.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'check' ? (
        <input
          {...common}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.target.checked))}
        />
      ) : kind === 'long' || kind === 'json' ? (
        <textarea {...common} rows={5} value={value} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...common}
          type={kind === 'list' || kind === 'number' ? 'text' : kind}
          inputMode={inputModeOf(field)}
          placeholder={placeholder}
          autoComplete={kind === 'password' ? 'new-password' : 'off'}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {hint && !problem && (
        <p id={`${id}-hint`} className="askback-quiet">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className="askback-problem">
          {problem}
        </p>
      )}
    </div>
  )
}

function inputModeOf({ kind, schema }: FormField): 'email' | 'decimal' | 'url' | undefined {
  if (schema.items?.format === 'email' || kind === 'email') return 'email'
  if (kind === 'number') return 'decimal'
  return kind === 'url' ? 'url' : undefined
}
