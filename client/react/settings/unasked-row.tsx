import { type ReactNode, useState } from 'react'
import { capitalise } from '../../values/capitalise.ts'

/** One kind of what happens without asking; nothing without rows. */
export function UnaskedSection({
  title,
  note,
  children,
}: {
  title: string
  note: string
  children: ReactNode[]
}) {
  if (children.length === 0) return null
  return (
    <section className="askback-provider" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="askback-quiet askback-small">{note}</p>
      </div>
      {children}
    </section>
  )
}

export interface RowAction {
  text: string
  /** Says what it is about. */
  label: string
  onPress(): Promise<void>
}

/** Something that happens without asking: what, in which words, and what can be done about it. */
export function UnaskedRow({
  what,
  sentence,
  facts,
  actions,
}: {
  what: string
  sentence?: string
  facts: readonly (string | false | undefined)[]
  actions: readonly RowAction[]
}) {
  const [isBusy, setBusy] = useState(false)
  const press = async (work: () => Promise<void>) => {
    setBusy(true)
    await work()
    setBusy(false)
  }
  return (
    <div className="askback-connection">
      <div className="askback-provider-head">
        <div>
          <strong dir="auto">{what}</strong>
          {sentence && <p dir="auto">{sentence}</p>}
          <p className="askback-quiet askback-small">{capitalise(facts.filter(Boolean).join(' · '))}</p>
        </div>
        <div className="askback-actions">
          {actions.map(({ text, label, onPress }) => (
            <button
              key={text}
              type="button"
              aria-label={label}
              disabled={isBusy}
              onClick={() => void press(onPress)}
            >
              {text}
            </button>
          ))}
        </div>
      </div>
    </div>
  )
}
