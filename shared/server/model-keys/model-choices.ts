import { type ModelPreference, nameModel } from '../../engine/models/model-settings.ts'
import {
  getPreset,
  isProviderName,
  type ProviderName,
  presets,
} from '../../engine/models/protocol/presets.ts'
import { type OwnModelKey, withOwnKeys } from './own-model-keys.ts'

/** A model that a conversation can be answered by. */
export interface ModelChoice {
  /** `provider/model`, as it is sent to choose it. */
  id: string
  provider: string
  model: string
  /** It answers where nothing is chosen. */
  isDefault: boolean
  /** A few rules of the local stack, no language model. */
  isDemo: boolean
}

type ModelSettings = Readonly<Record<string, string | undefined>>

/**
 * What a conversation can be answered by: the model of its agent, those that take its place, and one of each provider
 * that the server or the user has a key for.
 *
 * @example
 * listModelChoices({ OPENAI_API_KEY: 'sk-test' }, null, [])
 * // => [{ id: 'openai/gpt-4.1-mini', provider: 'openai', model: 'gpt-4.1-mini', isDefault: true, isDemo: false }]
 */
export function listModelChoices(
  settings: ModelSettings,
  preference: ModelPreference | null,
  keys: readonly OwnModelKey[],
): ModelChoice[] {
  const usual = preference ?? {}
  const others = [
    ...listFallbacks(preference),
    ...Object.keys(presets).map((provider) => ({ provider, model: null })),
  ].filter(({ provider }) => !provider || canAsk(settings, provider, keys))
  const choices = new Map<string, ModelChoice>()
  for (const one of [usual, ...others]) {
    const named = nameModel(withOwnKeys(settings, one, keys), one)
    if (!named) continue
    const id = `${named.provider}/${named.model}`
    const isDemo = named.provider === 'any' && settings.ASKBACK_DEMO_MODEL === 'true'
    if (!choices.has(id)) choices.set(id, { id, ...named, isDefault: one === usual, isDemo })
  }
  return [...choices.values()]
}

/** Whether there is a key for a provider, or a server of one's own in its place. */
export function canAsk(settings: ModelSettings, provider: string, keys: readonly OwnModelKey[]): boolean {
  if (!isProviderName(provider)) return false
  if (keys.some((key) => key.provider === provider)) return true
  if (nameModel(settings, null)?.provider === provider) return true
  const { apiKey, baseURL } = getPreset(provider).variables
  // Beside another server's address `OPENAI_API_KEY` is for that server.
  if (apiKey === 'OPENAI_API_KEY')
    return provider === 'openai' && !!settings[apiKey] && !settings.OPENAI_BASE_URL
  return [apiKey, baseURL].some((name) => name !== undefined && !!settings[name]?.trim())
}

/** What is chosen for a conversation: `provider/model`, or a provider alone. undefined for anything else. */
export function readModelId(id: string): { provider: ProviderName; model: string | null } | undefined {
  const [, provider = '', model = ''] = /^([a-z]+)(?:\/(\S+))?$/.exec(id.trim()) ?? []
  return isProviderName(provider) ? { provider, model: model || null } : undefined
}

/**
 * What an agent prefers, with the model that was chosen for a conversation in the first place; a choice that nobody has
 * a key for any more is passed over. What was set for the agent's own model alone is left out.
 */
export function preferChosen(
  settings: ModelSettings,
  preference: ModelPreference | null,
  chosen: string | null,
  keys: readonly OwnModelKey[],
): ModelPreference | null {
  const choice = chosen === null ? undefined : readModelId(chosen)
  if (!choice || !canAsk(settings, choice.provider, keys)) return preference
  // One without a provider means the server's, which the choice would stand for now.
  const fallbacks = listFallbacks(preference).filter(({ provider }) => provider !== null)
  return { ...preference, ...choice, parameters: null, fallbacks }
}

/** With the providers that they leave open. */
function listFallbacks(
  preference: ModelPreference | null,
): { provider: string | null; model: string | null }[] {
  return (preference?.fallbacks ?? []).map((fallback) => {
    const { provider, model } = typeof fallback === 'string' ? { provider: null, model: fallback } : fallback
    return { provider: provider ?? preference?.provider ?? null, model: model ?? null }
  })
}
