/** A model of a provider; null: as the server has it. */
export interface Choice {
  provider: string | null
  model: string | null
}

const names: Record<string, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
}

/** Which provider, and which of its models. `number` 0 is the first one, others come when those before them fail. */
export function ModelChoice({
  number,
  choice,
  onChange,
}: {
  number: number
  choice: Choice
  onChange(choice: Choice): void
}) {
  const suffix = number === 0 ? '' : ` of fallback ${number}`
  const { provider, model } = choice
  return (
    <div className="columns">
      <label>
        Provider{suffix}
        <select
          value={provider ?? ''}
          onChange={(event) => onChange({ ...choice, provider: event.target.value || null })}
        >
          <option value="">As the server has it</option>
          {provider && !names[provider] && <option value={provider}>{provider}</option>}
          {Object.entries(names).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Model{suffix}
        <input
          value={model ?? ''}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          placeholder="As the server has it"
          onChange={(event) => onChange({ ...choice, model: event.target.value || null })}
        />
      </label>
    </div>
  )
}
