import { AgentError } from '../core/agent-error.ts'
import { createModelClient, type ModelClientOptions } from './create-model-client.ts'
import { findMisconfiguration, type ModelEndpoint } from './endpoint.ts'
import type { ModelClient, Sampling } from './protocol/model-client.ts'
import { findProvider, getPreset, isProviderName, type ProviderName, presets } from './protocol/presets.ts'
import { readModelWindows } from './window-settings.ts'

/** A row of `askback.agent_llm_preferences`; null and absent both mean "not set". */
export interface ModelPreference {
  provider?: string | null
  model?: string | null
  temperature?: number | null
  retryTemperature?: number | null
  maxOutputTokens?: number | null
  /** More members of the request body, e.g. `{ "reasoning_effort": "low" }`. */
  parameters?: Readonly<Record<string, unknown>> | null
  fallbacks?: readonly ({ provider?: string | null; model?: string | null } | string)[] | null
}

/** Settings in the form of environment variables: `LLM_PROVIDER`, `OPENAI_API_KEY` … An empty value counts as not set. */
export type ModelSettings = Readonly<Record<string, string | undefined>>

/** Where to look for a provider if `LLM_PROVIDER` does not name one. */
const providersByKey = [
  'openai',
  'anthropic',
  'gemini',
  'openrouter',
  'groq',
  'mistral',
  'deepseek',
  'moonshot',
] as const

/** Servers without an address of their own, which may be behind `OPENAI_BASE_URL`. */
const behindOpenAIVariables: readonly ProviderName[] = ['openai', 'any', 'ollama', 'vllm']

/**
 * Makes the model client that the settings and an agent's preference ask for. The preference wins; whatever it
 * leaves open comes from `LLM_PROVIDER`, `OPENAI_BASE_URL` or the first available key, and from the provider's
 * preset.
 *
 * Throws `AgentError('configuration')` with the variable to set if no model can be used, or if one is wrong. A single fallback
 * without a key does not throw: it is skipped.
 *
 * @example
 * createModelFromSettings({ OPENAI_API_KEY: 'sk-test' }).model // => 'gpt-4.1-mini'
 * createModelFromSettings({ GEMINI_API_KEY: 'AIza-test' }, { model: 'gemini-2.5-pro' }).model // => 'gemini-2.5-pro'
 */
export function createModelFromSettings(
  settings: ModelSettings,
  preference: ModelPreference | null = null,
  options: Pick<ModelClientOptions, 'memory' | 'timeoutMs' | 'clock' | 'fetch'> = {},
): ModelClient {
  const read = readFrom(settings)
  if (read('LLM_PROVIDER')?.toLowerCase() === 'none') {
    throw new AgentError(
      'configuration',
      'No language model is configured: LLM_PROVIDER is "none". Set it to a provider, or remove it and set OPENAI_API_KEY.',
    )
  }
  const usual = findUsualProvider(read)
  const endpoint = (choice: { provider?: string | null; model?: string | null }): ModelEndpoint => {
    const provider = choice.provider
      ? readProviderName(choice.provider, 'the preference of the agent')
      : usual
    if (provider === undefined) {
      throw new AgentError(
        'configuration',
        'No language model is configured. Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, or OPENAI_BASE_URL for a server of your own.',
      )
    }
    return chooseEndpoint(provider, choice.model ?? undefined, provider === usual, read)
  }
  const { parameters } = preference ?? {}
  const main = { ...endpoint(preference ?? {}), ...(parameters ? { parameters } : {}) }
  const fallbacks = (preference?.fallbacks ?? []).map((fallback) =>
    typeof fallback === 'string'
      ? { ...main, model: fallback }
      : endpoint({
          provider: fallback.provider ?? preference?.provider ?? null,
          model: fallback.model ?? null,
        }),
  )
  const problems = [main, ...fallbacks].map(findMisconfiguration)
  if (problems[0] !== undefined && !problems.includes(undefined)) {
    throw new AgentError('configuration', problems[0])
  }
  const windows = readModelWindows(read('ASKBACK_MODEL_WINDOWS'))
  return createModelClient({ ...options, ...main, fallbacks, windows, ...readSampling(preference) })
}

/**
 * The first model for a preference; undefined if there is none.
 *
 * @example
 * nameModel({ OPENAI_API_KEY: 'sk-test' }, null) // => { provider: 'openai', model: 'gpt-4.1-mini' }
 * nameModel({ OPENAI_API_KEY: 'sk-test' }, { provider: 'anthropic' }) // => undefined
 */
export function nameModel(
  settings: ModelSettings,
  preference: Pick<ModelPreference, 'provider' | 'model'> | null,
): { provider: ProviderName; model: string } | undefined {
  const read = readFrom(settings)
  const named = read('LLM_PROVIDER')?.toLowerCase()
  // `none`, or an unknown name.
  if (named !== undefined && !isProviderName(named)) return undefined
  const usual = findUsualProvider(read)
  const provider = preference?.provider?.trim().toLowerCase() || usual
  if (!provider || !isProviderName(provider)) return undefined
  const endpoint = chooseEndpoint(provider, preference?.model ?? undefined, provider === usual, read)
  return findMisconfiguration(endpoint) ? undefined : { provider, model: endpoint.model }
}

type Read = (variable: string | undefined) => string | undefined

/** An empty value counts as not set. */
function readFrom(settings: ModelSettings): Read {
  return (variable) => (variable === undefined ? undefined : settings[variable]?.trim()) || undefined
}

function findUsualProvider(read: Read): ProviderName | undefined {
  const named = read('LLM_PROVIDER')
  if (named !== undefined) return readProviderName(named, 'LLM_PROVIDER')
  const baseURL = read('OPENAI_BASE_URL')
  if (baseURL !== undefined) return findProvider(baseURL)
  return providersByKey.find((provider) => read(getPreset(provider).variables.apiKey) !== undefined)
}

function readProviderName(name: string, where: string): ProviderName {
  const known = name.trim().toLowerCase()
  if (isProviderName(known)) return known
  throw new AgentError(
    'configuration',
    `${where} names an unknown provider: ${JSON.stringify(name)}. Known are ${Object.keys(presets).join(', ')}.`,
  )
}

function chooseEndpoint(
  provider: ProviderName,
  model: string | undefined,
  usual: boolean,
  read: Read,
): ModelEndpoint {
  const { variables, baseURL: presetURL, defaultModel, keyless } = getPreset(provider)
  const openAIToo = usual && behindOpenAIVariables.includes(provider)
  const ownURL = read(variables.baseURL) ?? (openAIToo ? read('OPENAI_BASE_URL') : undefined)
  // The operator's own server exists only if it was set up: nobody else is sent to this machine's ports.
  const baseURL = ownURL ?? (keyless && !usual ? '' : (presetURL ?? ''))
  // The operator's own server does not follow the rules of the provider it is named after.
  const rules = ownURL !== undefined && provider === 'openai' ? findProvider(ownURL) : provider
  const apiKey = read(variables.apiKey) ?? (openAIToo && ownURL ? read('OPENAI_API_KEY') : undefined)
  const modelToo = openAIToo || (usual && read('LLM_PROVIDER') !== undefined)
  const name = model ?? read(variables.model) ?? (modelToo ? read('OPENAI_MODEL') : undefined) ?? defaultModel
  return {
    provider: rules,
    baseURL,
    model: name ?? '',
    ...(apiKey === undefined ? {} : { apiKey }),
  }
}

function readSampling(preference: ModelPreference | null): { sampling?: Sampling } {
  const { temperature, retryTemperature, maxOutputTokens } = preference ?? {}
  const settings = Object.entries({ temperature, retryTemperature, maxOutputTokens })
  const given = settings.filter(([, value]) => typeof value === 'number')
  return given.length > 0 ? { sampling: Object.fromEntries(given) } : {}
}
