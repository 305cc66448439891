import type { ModelChoice } from '../../../client/message.ts'

const providers: Record<string, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  openrouter: 'OpenRouter',
  groq: 'Groq',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  moonshot: 'Moonshot',
  ollama: 'Ollama',
  vllm: 'vLLM',
}

/** Which model answers in this conversation; with one only, its name. */
export function ModelPicker({
  models,
  chosen,
  onChoose,
}: {
  models: readonly ModelChoice[]
  /** Id of what is chosen; null: as the agent has it. */
  chosen: string | null
  onChoose(id: string | null): void
}) {
  const usual = models.find(({ isDefault }) => isDefault)
  const isListed = chosen === null || models.some(({ id }) => id === chosen)
  if (models.length === 0) return null
  if (models.length === 1 && isListed && usual) {
    return (
      <span className="model-name" title={usual.isDemo ? 'A few rules, no language model' : usual.model}>
        {nameModel(usual)}
      </span>
    )
  }
  return (
    <select
      aria-label="Model"
      className="composer-choice"
      value={chosen === usual?.id ? '' : (chosen ?? '')}
      onChange={(event) => onChoose(event.target.value || null)}
    >
      {models.map((model) => (
        <option key={model.id} value={model.isDefault ? '' : model.id}>
          {nameModel(model)}
          {providers[model.provider] ? ` · ${providers[model.provider]}` : ''}
        </option>
      ))}
      {!isListed && chosen !== null && <option value={chosen}>{chosen}</option>}
    </select>
  )
}

/** Without the vendor that gateways put in front. */
function nameModel({ model, isDemo }: ModelChoice): string {
  return isDemo ? 'Demo model' : (model.split('/').at(-1) ?? model)
}
