import { providerNames } from '../../../client/provider-names.ts'
import { agentsWords } from './words.ts'

/** A provider's model; null for the server's default. */
export interface Choice {
  provider: string | null
  model: string | null
}

/** Chooses a provider and one of its models. `number` 0 is the first choice; the others are fallbacks, in order. */
export function ModelChoice({
  number,
  choice,
  providers,
  onChange,
}: {
  number: number
  /** Ids of the available providers. */
  providers: readonly string[]
  choice: Choice
  onChange(choice: Choice): void
}) {
  const words = agentsWords()
  const isFirst = number === 0
  const { provider, model } = choice
  return (
    <div className="columns">
      <label>
        {isFirst ? words.provider : words.providerOfFallback(number)}
        <select
          value={provider ?? ''}
          onChange={(event) => onChange({ ...choice, provider: event.target.value || null })}
        >
          <option value="">{words.serverDefault}</option>
          {[...new Set([...providers, ...(provider ? [provider] : [])])].map((id) => (
            <option key={id} value={id}>
              {providerNames[id] ?? id}
            </option>
          ))}
        </select>
      </label>
      <label>
        {isFirst ? words.model : words.modelOfFallback(number)}
        <input
          value={model ?? ''}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          placeholder={words.serverDefault}
          onChange={(event) => onChange({ ...choice, model: event.target.value || null })}
        />
      </label>
    </div>
  )
}
