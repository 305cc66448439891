import type { ModelUsage } from './protocol/model-client.ts'
import type { ProviderName } from './protocol/presets.ts'

/** What the list calls the providers whose prices it knows. */
const listed: Partial<Record<ProviderName, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  openrouter: 'openrouter',
  groq: 'groq',
  mistral: 'mistral',
  deepseek: 'deepseek',
  moonshot: 'moonshotai',
}

type PriceList = typeof import('@pydantic/genai-prices')

/** Once it is loaded. */
let loaded: PriceList | undefined

/** The list for a provider that it knows. It is 0.8 MB, which a model call loads while it waits, and no cold start. */
export async function loadPrices(provider: ProviderName): Promise<PriceList | undefined> {
  if (!listed[provider]) return undefined
  loaded ??= await import('@pydantic/genai-prices')
  return loaded
}

/** Whether the list may know the models of a provider. */
export function hasPrices(provider: ProviderName): boolean {
  return listed[provider] !== undefined
}

/** The list, if a call has loaded it. */
export function loadedPrices(): PriceList | undefined {
  return loaded
}

/** Found once: the list is long. */
const windows = new Map<string, number | undefined>()

/**
 * The tokens that a model reads, as the list says; undefined if it does not.
 *
 * @example
 * windowOf(await loadPrices('openai'), 'openai', 'gpt-4') // => 8192
 * windowOf(await loadPrices('ollama'), 'ollama', 'llama3.2') // => undefined
 */
export function windowOf(
  prices: PriceList | undefined,
  provider: ProviderName,
  model: string,
): number | undefined {
  if (prices === undefined) return undefined
  const key = `${provider} ${model}`
  if (!windows.has(key)) windows.set(key, findPrice(prices, provider, model, {})?.model.context_window)
  return windows.get(key)
}

/**
 * What one model call cost in US dollars at list prices; undefined, never 0, if the price is unknown.
 *
 * @example
 * const prices = await loadPrices('openai')
 * computeCost(prices, 'openai', 'gpt-4o-mini', { inputTokens: 1_000_000, outputTokens: 0 }) // => 0.15
 * computeCost(await loadPrices('ollama'), 'ollama', 'llama3.2', { inputTokens: 10, outputTokens: 10 }) // => undefined
 */
export function computeCost(
  prices: PriceList | undefined,
  provider: ProviderName,
  model: string,
  { inputTokens, cachedInputTokens, outputTokens }: ModelUsage,
): number | undefined {
  const usage = {
    input_tokens: inputTokens,
    cache_read_tokens: Math.min(cachedInputTokens ?? 0, inputTokens),
    output_tokens: outputTokens,
  }
  return findPrice(prices, provider, model, usage)?.total_price
}

function findPrice(
  prices: PriceList | undefined,
  provider: ProviderName,
  model: string,
  usage: Record<string, number>,
) {
  const providerId = listed[provider]
  if (providerId === undefined) return undefined
  return prices?.calcPrice(usage, model.replace(/^models\//, ''), { providerId })
}
