import { withoutTrailingSlash } from '../../engine/core/without-trailing-slash.ts'
import { getPreset, isProviderName } from '../../engine/models/protocol/presets.ts'

/** A user's own key for a model provider. */
export interface OwnModelKey {
  /** Id of the provider, which is the one of its preset. */
  provider: string
  /** What people call it. */
  name: string
  apiKey: string
  /** The connection that holds it. */
  connectionId: string
}

/** Environment-like settings of models. */
type ModelSettings = Readonly<Record<string, string | undefined>>

/** What an agent prefers, as far as it is about the provider. */
type Preference = Readonly<{ provider?: string | null; model?: string | null }>

/** The settings of the server that are about its own choice of a model, not about a provider. */
const serverChoice = ['LLM_PROVIDER', 'OPENAI_BASE_URL', 'OPENAI_MODEL'] as const

/**
 * The model settings of a run with the user's own keys in front of the server's. Where the agent prefers no model, the
 * user's first key chooses the provider: what the server has chosen for others does not fit it then.
 */
export function withOwnKeys(
  settings: ModelSettings,
  preference: Preference | null,
  keys: readonly OwnModelKey[],
): ModelSettings {
  const chosen = chooseProvider(preference, keys)
  const own: Record<string, string | undefined> = { ...settings }
  for (const { provider, apiKey } of keys.toReversed()) {
    // Beside another server's address this key would go there.
    if (provider === 'openai' && chosen !== 'openai' && !keepsServerChoice(provider, settings)) continue
    const variable = isProviderName(provider) ? getPreset(provider).variables.apiKey : undefined
    if (variable !== undefined) own[variable] = apiKey
  }
  if (!keys.some(({ provider }) => provider === chosen)) return own
  if (preference?.provider && chosen !== 'openai') return own
  if (!keepsServerChoice(chosen ?? '', settings)) for (const name of serverChoice) delete own[name]
  return { ...own, LLM_PROVIDER: chosen }
}

/** The user's key that the first model of a run is asked with; undefined where it is the server's. */
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

/** Where a provider's models are asked, without a trailing slash. `OPENAI_BASE_URL` stands for OpenAI where it may. */
export function modelServerOf(provider: string, env: ModelSettings): string {
  const own = keepsServerChoice(provider, env) ? env.OPENAI_BASE_URL?.trim() : undefined
  const preset = isProviderName(provider) ? getPreset(provider).baseURL : undefined
  return withoutTrailingSlash(own || preset || '')
}

/** Whether the server's address and model are meant for this provider: a key of OpenAI goes to no other server. */
function keepsServerChoice(provider: string, settings: ModelSettings): boolean {
  const named = settings.LLM_PROVIDER?.trim().toLowerCase()
  return provider === 'openai' && (!named || named === 'openai')
}
