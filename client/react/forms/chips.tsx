import { useId } from 'react'
import type { FormSchema } from '../../api/message.ts'
import { useLabels } from '../labels/use-labels.ts'
import { nameChoice } from './form-fields.ts'

/** A few choices, all visible: pressing one selects it. */
export function Chips({
  label,
  choices,
  schema,
  disabled,
  onChoose,
}: {
  label: string
  choices: readonly unknown[]
  /** The field's schema, for the labels of its choices. */
  schema: FormSchema
  disabled: boolean
  onChoose(choice: unknown): void
}) {
  const labels = useLabels()
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is nothing to fill in
    <div role="group" aria-labelledby={id} className="askback-chips">
      <span id={id} className="askback-label">
        {label}
      </span>
      {choices.map((choice) => (
        <button
          key={String(choice)}
          type="button"
          dir="auto"
          disabled={disabled}
          onClick={() => onChoose(choice)}
        >
          {nameChoice(choice, labels, schema)}
        </button>
      ))}
    </div>
  )
}
