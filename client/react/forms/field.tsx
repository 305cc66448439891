import { useId, useRef } from 'react'
import { nameItem } from '../../values/name-item.ts'
import { useLabels } from '../labels/use-labels.ts'
import { ExactText } from '../values/exact-text.tsx'
import { type FormField, nameChoice } from './form-fields.ts'

/** Characters of a hint that a field on a phone shows whole. */
const longestInside = 32

/** A labelled input with its hint and error. */
export function Field({
  field,
  value,
  problem,
  disabled = false,
  onChange,
}: {
  field: FormField
  value: string
  problem?: string | undefined
  disabled?: boolean
  onChange(value: string): void
}) {
  const id = useId()
  const labels = useLabels()
  const { kind, label, schema } = field
  // A field that may be empty otherwise.
  const required = field.required || problem === labels.isMissing(label)
  // An empty field has room for an example, otherwise for a short hint.
  const isTyped = kind !== 'choice' && kind !== 'check' && !isGroup(kind)
  const inside = field.placeholder || (field.hint.length <= longestInside ? field.hint : '')
  const placeholder = isTyped ? inside : ''
  const hint = placeholder === field.hint ? '' : field.hint
  const notes = [hint && !problem ? `${id}-hint` : '', problem ? `${id}-problem` : '']
    .filter(Boolean)
    .join(' ')
  // Typed text has its own direction; an empty field, with its example, has the page's.
  const direction = value === '' ? undefined : 'auto'
  const common = {
    id,
    disabled,
    'aria-required': required,
    'aria-invalid': problem !== undefined,
    ...(notes ? { 'aria-describedby': notes } : {}),
  }
  return (
    <div className="askback-field" data-kind={kind}>
      {kind === 'items' ? (
        <Items field={field} value={value} disabled={disabled} onChange={onChange} />
      ) : kind === 'several' ? (
        <Several field={field} value={value} disabled={disabled} notes={notes} onChange={onChange} />
      ) : (
        <label htmlFor={id}>
          {label}
          {!required && kind !== 'check' && <span className="askback-quiet"> {labels.optional}</span>}
        </label>
      )}
      {isGroup(kind) ? null : kind === 'choice' ? (
        <select {...common} value={value} onChange={(event) => onChange(event.target.value)}>
          {(!required || value === '') && <option value="">{labels.choose}</option>}
          {schema.enum?.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {nameChoice(choice, labels, schema)}
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
        <textarea
          {...common}
          rows={5}
          dir={direction}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...common}
          type={kind === 'list' || kind === 'number' ? 'text' : kind}
          inputMode={inputModeOf(field)}
          dir={direction}
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

/** Whether a field is several controls with a heading of their own. */
function isGroup(kind: FormField['kind']): boolean {
  return kind === 'items' || kind === 'several'
}

/** A box for each choice. */
function Several({
  field: { label, schema },
  value,
  disabled,
  notes,
  onChange,
}: {
  field: FormField
  value: string
  disabled: boolean
  /** The ids of what is said about it. */
  notes: string
  onChange(value: string): void
}) {
  const labels = useLabels()
  const chosen: unknown[] = JSON.parse(value || '[]')
  const choices = schema.items?.enum ?? []
  const change = (choice: unknown, isChosen: boolean) =>
    onChange(JSON.stringify(choices.filter((one) => (one === choice ? isChosen : chosen.includes(one)))))
  return (
    <fieldset className="askback-boxes" disabled={disabled} {...(notes ? { 'aria-describedby': notes } : {})}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={String(choice)}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={(event) => change(choice, event.target.checked)}
          />
          <span dir="auto">{nameChoice(choice, labels, schema.items)}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Existing items; each can be removed. */
function Items({
  field: { label },
  value,
  disabled,
  onChange,
}: {
  field: FormField
  value: string
  disabled: boolean
  onChange(value: string): void
}) {
  const labels = useLabels()
  const list = useRef<HTMLFieldSetElement>(null)
  const items: unknown[] = JSON.parse(value || '[]')
  return (
    <fieldset ref={list} tabIndex={-1} className="askback-items" disabled={disabled}>
      <legend>{label}</legend>
      {items.length === 0 && <p className="askback-quiet">{labels.noItems}</p>}
      {items.map((item, index) => (
        <span key={index} className="askback-item">
          <ExactText text={nameItem(item)} />
          <button
            type="button"
            aria-label={labels.removeItem(nameItem(item))}
            onClick={() => {
              onChange(JSON.stringify(items.filter((one) => one !== item)))
              list.current?.focus()
            }}
          >
            ×
          </button>
        </span>
      ))}
    </fieldset>
  )
}

function inputModeOf({ kind, schema }: FormField): 'email' | 'decimal' | 'url' | undefined {
  if (schema.items?.format === 'email' || kind === 'email') return 'email'
  if (kind === 'number') return 'decimal'
  return kind === 'url' ? 'url' : undefined
}
