import type { ModelChoice } from '../../api/message.ts'
import { englishModels, type ModelLabels } from '../../labels/en-models.ts'
import { providerNames } from '../../provider-names.ts'
import { labelsBeside } from '../labels/labels.tsx'

const useGiven = labelsBeside({ models: englishModels })

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
  const labels = useGiven().models
  const usual = models.find(({ isDefault }) => isDefault)
  const isListed = chosen === null || models.some(({ id }) => id === chosen)
  if (models.length === 0) return null
  if (models.length === 1 && isListed && usual) {
    return (
      <span className="askback-model" title={usual.isDemo ? labels.demoNote : usual.model}>
        {nameChoice(usual, false, labels)}
      </span>
    )
  }
  return (
    <select
      aria-label={labels.model}
      className="askback-choice"
      value={chosen === usual?.id ? '' : (chosen ?? '')}
      onChange={(event) => onChoose(event.target.value || null)}
    >
      {models.map((model) => (
        <option key={model.id} value={model.isDefault ? '' : model.id}>
          {nameChoice(model, true, labels)}
        </option>
      ))}
      {!isListed && chosen !== null && <option value={chosen}>{chosen}</option>}
    </select>
  )
}

function nameChoice(model: ModelChoice, withProvider: boolean, labels: ModelLabels): string {
  const provider = withProvider && providerNames[model.provider]
  return [nameModel(model, labels), model.isOwnKey && labels.ownKey, provider].filter(Boolean).join(' · ')
}

/** The name without the vendor prefix that gateways add. */
function nameModel({ model, isDemo }: ModelChoice, { demo }: ModelLabels): string {
  return isDemo ? demo : (model.split('/').at(-1) ?? model)
}
