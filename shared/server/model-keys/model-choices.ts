import { type ModelPreference, nameModel } from '../../engine/models/model-settings.ts'
import {
  getPreset,
  isProviderName,
  type ProviderName,
  presets,
} from '../../engine/models/protocol/presets.ts'
import { type OwnModelKey, withOwnKeys } from './own-model-keys.ts'

/** A model that can answer a conversation. */
export interface ModelChoice {
  /** `provider/model`, the id to choose it by. */
  id: string
  provider: string
  model: string
  /** Used if none is chosen. */
  isDefault: boolean
  /** A few rules of the local stack, not a language model. */
  isDemo: boolean
  /** Called with the user's own key. */
  isOwnKey: boolean
}

type ModelSettings = Readonly<Record<string, string | undefined>>

/**
 * The models that can answer a conversation: the one of its agent, its fallbacks, and one for each provider that the
 * server or the user has a key for.
 *
 * @example
 * listModelChoices({ OPENAI_API_KEY: 'sk-test' }, null, [])
 * // => [{ id: 'openai/gpt-4.1-mini', provider: 'openai', model: 'gpt-4.1-mini', isDefault: true, isDemo: false, isOwnKey: false }]
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
    const isDefault = one === usual
    const isDemo = named.provider === 'any' && settings.ASKBACK_DEMO_MODEL === 'true'
    const isOwnKey = asksWithOwnKey(settings, one, keys, named.provider)
    // The server that replaces OpenAI, which is listed as OpenAI's.
    if (named.provider === 'any' && isOwnKey && !isDefault) continue
    if (!choices.has(id)) choices.set(id, { id, ...named, isDefault, isDemo, isOwnKey })
  }
  return [...choices.values()]
}

/**
 * Whether a choice may answer: with the user's own key every model of its provider, with the server's key only the
 * listed ones, so that nobody spends it on a model that neither the server nor the agent names.
 */
export function mayAnswer(
  settings: ModelSettings,
  preference: ModelPreference | null,
  keys: readonly OwnModelKey[],
  choice: { provider: ProviderName; model: string | null },
): boolean {
  if (!canAsk(settings, choice.provider, keys)) return false
  if (choice.model === null || asksWithOwnKey(settings, choice, keys, choice.provider)) return true
  const id = `${choice.provider}/${choice.model}`
  return listModelChoices(settings, preference, keys).some((listed) => listed.id === id)
}

function asksWithOwnKey(
  settings: ModelSettings,
  preference: Pick<ModelPreference, 'provider' | 'model'>,
  keys: readonly OwnModelKey[],
  provider: ProviderName,
): boolean {
  const variable = getPreset(provider).variables.apiKey
  const used = variable && withOwnKeys(settings, preference, keys)[variable]
  return keys.some(({ apiKey }) => apiKey === used)
}

/** Whether there is a key for a provider, or the operator's own server in its place. */
export function canAsk(settings: ModelSettings, provider: string, keys: readonly OwnModelKey[]): boolean {
  if (!isProviderName(provider)) return false
  if (keys.some((key) => key.provider === provider)) return true
  if (nameModel(settings, null)?.provider === provider) return true
  const { apiKey, baseURL } = getPreset(provider).variables
  // If another server's URL is set, `OPENAI_API_KEY` is for that server.
  if (apiKey === 'OPENAI_API_KEY')
    return provider === 'openai' && !!settings[apiKey] && !settings.OPENAI_BASE_URL
  return [apiKey, baseURL].some((name) => name !== undefined && !!settings[name]?.trim())
}

/** Parses a choice: `provider/model`, or a provider alone. undefined for anything else. */
export function readModelId(id: string): { provider: ProviderName; model: string | null } | undefined {
  const [, provider = '', model = ''] = /^([a-z]+)(?:\/(\S+))?$/.exec(id.trim()) ?? []
  return isProviderName(provider) ? { provider, model: model || null } : undefined
}

/**
 * The agent's preference with the conversation's chosen model first; a choice that may no longer answer is skipped.
 * Settings for the agent's own model alone are left out.
 */
export function preferChosen(
  settings: ModelSettings,
  preference: ModelPreference | null,
  chosen: string | null,
  keys: readonly OwnModelKey[],
): ModelPreference | null {
  const choice = chosen === null ? undefined : readModelId(chosen)
  if (!choice || !mayAnswer(settings, preference, keys, choice)) return preference
  // One without a provider means the server's, which the choice would now replace.
  const fallbacks = listFallbacks(preference).filter(({ provider }) => provider !== null)
  return { ...preference, ...choice, parameters: null, fallbacks }
}

/** The fallbacks, with missing providers filled in. */
function listFallbacks(
  preference: ModelPreference | null,
): { provider: string | null; model: string | null }[] {
  return (preference?.fallbacks ?? []).map((fallback) => {
    const { provider, model } = typeof fallback === 'string' ? { provider: null, model: fallback } : fallback
    return { provider: provider ?? preference?.provider ?? null, model: model ?? null }
  })
}
