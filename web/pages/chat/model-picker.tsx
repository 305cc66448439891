import type { ModelChoice } from '../../../client/api/message.ts'
import { providerNames } from '../../provider-names.ts'
import { modelWords } from './model-words.ts'

/** Chooses the conversation's model; shows just the name if there is only one. */
export function ModelPicker({
  models,
  chosen,
  onChoose,
}: {
  models: readonly ModelChoice[]
  /** Id of the chosen model; null for the agent's own. */
  chosen: string | null
  onChoose(id: string | null): void
}) {
  const usual = models.find(({ isDefault }) => isDefault)
  const isListed = chosen === null || models.some(({ id }) => id === chosen)
  if (models.length === 0) return null
  if (models.length === 1 && isListed && usual) {
    return (
      <span className="model-name" title={usual.isDemo ? modelWords().demoNote : usual.model}>
        {label(usual, false)}
      </span>
    )
  }
  return (
    <select
      aria-label={modelWords().model}
      className="composer-choice"
      value={chosen === usual?.id ? '' : (chosen ?? '')}
      onChange={(event) => onChoose(event.target.value || null)}
    >
      {models.map((model) => (
        <option key={model.id} value={model.isDefault ? '' : model.id}>
          {label(model, true)}
        </option>
      ))}
      {!isListed && chosen !== null && <option value={chosen}>{chosen}</option>}
    </select>
  )
}

function label(model: ModelChoice, withProvider: boolean): string {
  const provider = withProvider && providerNames[model.provider]
  return [nameModel(model), model.isOwnKey && modelWords().ownKey, provider].filter(Boolean).join(' · ')
}

/** The name without the vendor prefix that gateways add. */
function nameModel({ model, isDemo }: ModelChoice): string {
  return isDemo ? modelWords().demo : (model.split('/').at(-1) ?? model)
}
