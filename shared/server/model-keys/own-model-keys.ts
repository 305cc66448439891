import { withoutTrailingSlash } from '../../engine/core/without-trailing-slash.ts'
import { getPreset, isProviderName } from '../../engine/models/protocol/presets.ts'

/** A user's own key for a model provider. */
export interface OwnModelKey {
  /** Id of the provider, the same as its preset. */
  provider: string
  /** Its display name. */
  name: string
  apiKey: string
  /** The connection that holds it. */
  connectionId: string
}

/** Model settings in the form of environment variables. */
type ModelSettings = Readonly<Record<string, string | undefined>>

/** The part of an agent's preference that concerns the provider. */
type Preference = Readonly<{ provider?: string | null; model?: string | null }>

/** The server's settings for its own choice of a model, as opposed to settings of a provider. */
const serverChoice = ['LLM_PROVIDER', 'OPENAI_BASE_URL', 'OPENAI_MODEL'] as const

/**
 * The model settings of a run, with the user's own keys before the server's. If the agent prefers no model, the user's
 * first key chooses the provider: the server's choice for others does not fit then.
 */
export function withOwnKeys(
  settings: ModelSettings,
  preference: Preference | null,
  keys: readonly OwnModelKey[],
): ModelSettings {
  const chosen = chooseProvider(preference, keys)
  const own: Record<string, string | undefined> = { ...settings }
  for (const { provider, apiKey } of keys.toReversed()) {
    // If another server's URL is set, this key would be sent there.
    if (provider === 'openai' && chosen !== 'openai' && !keepsServerChoice(provider, settings)) continue
    const variable = isProviderName(provider) ? getPreset(provider).variables.apiKey : undefined
    if (variable !== undefined) own[variable] = apiKey
  }
  if (!keys.some(({ provider }) => provider === chosen)) return own
  if (preference?.provider && chosen !== 'openai') return own
  if (!keepsServerChoice(chosen ?? '', settings)) for (const name of serverChoice) delete own[name]
  return { ...own, LLM_PROVIDER: chosen }
}

/** The user's key that the first model of a run is called with; undefined if it is the server's. */
export function findKeyInUse(
  preference: Preference | null,
  keys: readonly OwnModelKey[],
): OwnModelKey | undefined {
  const chosen = chooseProvider(preference, keys)
  return keys.find(({ provider }) => provider === chosen)
}

function chooseProvider(preference: Preference | null, keys: readonly OwnModelKey[]): string | undefined {
  return preference?.provider ?? (preference?.model ? undefined : keys[0]?.provider)
}

/** The base URL of a provider's models, without a trailing slash. `OPENAI_BASE_URL` replaces OpenAI if it may. */
export function modelServerOf(provider: string, env: ModelSettings): string {
  const own = keepsServerChoice(provider, env) ? env.OPENAI_BASE_URL?.trim() : undefined
  const preset = isProviderName(provider) ? getPreset(provider).baseURL : undefined
  return withoutTrailingSlash(own || preset || '')
}

/** Whether the server's URL and model are meant for this provider: a key of OpenAI goes to no other server. */
function keepsServerChoice(provider: string, settings: ModelSettings): boolean {
  const named = settings.LLM_PROVIDER?.trim().toLowerCase()
  return provider === 'openai' && (!named || named === 'openai')
}
