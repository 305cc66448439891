import type { ModelUsage } from './protocol/model-client.ts'
import type { ProviderName } from './protocol/presets.ts'

/** US dollars per million tokens. */
interface Price {
  input: number
  /** Input read from the provider's cache; the input price if absent. */
  cachedInput?: number
  output: number
  /** Prices of a request whose input is longer than `above` tokens. */
  long?: { above: number; input: number; cachedInput?: number; output: number }
}

interface PriceList {
  /** The provider's own page, to look for newer values. */
  source: string
  /** ISO date for which the values were correct. */
  asOf: string
  models: Readonly<Record<string, Price>>
}

/** What the bare name gpt-5.6 stands for. */
const sol: Price = {
  input: 4,
  cachedInput: 0.4,
  output: 20,
  long: { above: 272_000, input: 8, cachedInput: 0.8, output: 30 },
}

/**
 * List prices, without batch, flex, regional surcharges and temporary offers (Google's newer Flash models cost half
 * until the end of 2026). Unknown models have no price, never a price of 0.
 */
export const prices: Partial<Record<ProviderName, PriceList>> = {
  openai: {
    source: 'https://platform.openai.com/docs/pricing',
    asOf: '2026-08-21',
    models: {
      o1: { input: 15, cachedInput: 7.5, output: 60 },
      'gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
      'gpt-4o-2024-05-13': { input: 5, output: 15 },
      'gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
      'gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
      'gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
      'gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
      o3: { input: 2, cachedInput: 0.5, output: 8 },
      'o3-mini': { input: 1.1, cachedInput: 0.55, output: 4.4 },
      'o4-mini': { input: 1.1, cachedInput: 0.275, output: 4.4 },
      'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
      'gpt-5-chat-latest': { input: 1.25, cachedInput: 0.125, output: 10 },
      'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
      'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
      'gpt-5.1': { input: 1.25, cachedInput: 0.125, output: 10 },
      'gpt-5.1-chat-latest': { input: 1.25, cachedInput: 0.125, output: 10 },
      'gpt-5.2-chat-latest': { input: 1.75, cachedInput: 0.175, output: 14 },
      'gpt-5.3-chat-latest': { input: 1.75, cachedInput: 0.175, output: 14 },
      'gpt-5.2': { input: 1.75, cachedInput: 0.175, output: 14 },
      'gpt-5.4': {
        input: 2.5,
        cachedInput: 0.25,
        output: 15,
        long: { above: 272_000, input: 5, cachedInput: 0.5, output: 22.5 },
      },
      'gpt-5.4-mini': { input: 0.75, cachedInput: 0.075, output: 4.5 },
      'gpt-5.4-nano': { input: 0.2, cachedInput: 0.02, output: 1.25 },
      'gpt-5.5': {
        input: 5,
        cachedInput: 0.5,
        output: 30,
        long: { above: 272_000, input: 10, cachedInput: 1, output: 45 },
      },
      'gpt-5.6': sol,
      'gpt-5.6-sol': sol,
      'gpt-5.6-terra': {
        input: 2,
        cachedInput: 0.2,
        output: 12,
        long: { above: 272_000, input: 4, cachedInput: 0.4, output: 18 },
      },
      'gpt-5.6-luna': {
        input: 0.2,
        cachedInput: 0.02,
        output: 1.2,
        long: { above: 272_000, input: 0.4, cachedInput: 0.04, output: 1.8 },
      },
    },
  },
  anthropic: {
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10-10',
    models: {
      'claude-fable-5': { input: 10, cachedInput: 1, output: 50 },
      'claude-opus-4': { input: 15, cachedInput: 1.5, output: 75 },
      'claude-opus-4-0': { input: 15, cachedInput: 1.5, output: 75 },
      'claude-opus-4-1': { input: 15, cachedInput: 1.5, output: 75 },
      'claude-opus-4-5': { input: 5, cachedInput: 0.5, output: 25 },
      'claude-opus-4-6': { input: 5, cachedInput: 0.5, output: 25 },
      'claude-opus-4-7': { input: 5, cachedInput: 0.5, output: 25 },
      'claude-opus-4-8': { input: 5, cachedInput: 0.5, output: 25 },
      'claude-opus-5': { input: 5, cachedInput: 0.5, output: 25 },
      'claude-opus-5-5': { input: 4, cachedInput: 0.2, output: 20 },
      'claude-sonnet-4': { input: 3, cachedInput: 0.3, output: 15 },
      'claude-sonnet-4-0': { input: 3, cachedInput: 0.3, output: 15 },
      'claude-sonnet-4-5': { input: 3, cachedInput: 0.3, output: 15 },
      'claude-sonnet-4-6': { input: 3, cachedInput: 0.3, output: 15 },
      'claude-sonnet-5': { input: 2, cachedInput: 0.2, output: 10 },
      'claude-haiku-4-5': { input: 1, cachedInput: 0.1, output: 5 },
    },
  },
  gemini: {
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-10-07',
    models: {
      'gemini-2.5-flash': { input: 0.3, cachedInput: 0.03, output: 2.5 },
      'gemini-2.5-flash-lite': { input: 0.1, cachedInput: 0.01, output: 0.4 },
      'gemini-2.5-pro': {
        input: 1.25,
        cachedInput: 0.125,
        output: 10,
        long: { above: 200_000, input: 2.5, cachedInput: 0.25, output: 15 },
      },
      'gemini-3-flash-preview': { input: 0.5, cachedInput: 0.05, output: 3 },
      'gemini-3.1-pro-preview': {
        input: 2,
        cachedInput: 0.2,
        output: 12,
        long: { above: 200_000, input: 4, cachedInput: 0.4, output: 18 },
      },
      'gemini-3.5-flash': { input: 1.5, cachedInput: 0.15, output: 9 },
      'gemini-3.5-flash-lite': { input: 0.3, cachedInput: 0.03, output: 2.5 },
      'gemini-3.6-flash': { input: 1.5, cachedInput: 0.15, output: 7.5 },
      'gemini-3.7-flash': { input: 1.5, cachedInput: 0.15, output: 7.5 },
      'gemini-3.8-flash': { input: 1.5, cachedInput: 0.15, output: 7.5 },
    },
  },
  groq: {
    source: 'https://console.groq.com/docs/models',
    asOf: '2025-11-01',
    models: {
      'llama-3.3-70b-versatile': { input: 0.59, output: 0.79 },
      'llama-3.1-8b-instant': { input: 0.05, output: 0.08 },
      'openai/gpt-oss-120b': { input: 0.15, cachedInput: 0.075, output: 0.6 },
      'openai/gpt-oss-20b': { input: 0.075, cachedInput: 0.0375, output: 0.3 },
    },
  },
}

/** OpenRouter's vendors with a list here: it passes their prices on. */
const vendors: Readonly<Record<string, ProviderName>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gemini',
}

/**
 * The cost of one model call in US dollars; undefined if the price is unknown.
 *
 * A dated or `-latest` name costs the same as its family, unless it has an entry of its own.
 *
 * @example
 * computeCost('openai', 'gpt-4o-mini', { inputTokens: 1_000_000, outputTokens: 0 }) // => 0.15
 * computeCost('openai', 'gpt-4o-mini-2024-07-18', { inputTokens: 0, outputTokens: 1_000_000 }) // => 0.6
 * computeCost('openrouter', 'openai/gpt-4o', { inputTokens: 1_000_000, outputTokens: 0 }) // => 2.5
 * computeCost('ollama', 'llama3.2', { inputTokens: 10, outputTokens: 10 }) // => undefined
 */
export function computeCost(provider: ProviderName, model: string, usage: ModelUsage): number | undefined {
  const price = findPrice(provider, model.toLowerCase())
  if (price === undefined) return undefined
  const rate = price.long !== undefined && usage.inputTokens > price.long.above ? price.long : price
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const cost =
    (usage.inputTokens - cached) * rate.input +
    cached * (rate.cachedInput ?? rate.input) +
    usage.outputTokens * rate.output
  return cost / 1_000_000
}

function findPrice(provider: ProviderName, model: string): Price | undefined {
  if (provider === 'openrouter') {
    const [vendor = '', name = ''] = model.split('/')
    const owner = Object.hasOwn(vendors, vendor) ? vendors[vendor] : undefined
    // OpenRouter writes claude-opus-4.5, Anthropic claude-opus-4-5.
    return owner && findPrice(owner, owner === 'anthropic' ? name.replaceAll('.', '-') : name)
  }
  const models = prices[provider]?.models
  if (models === undefined) return undefined
  const plain = model.replace(/^models\//, '')
  const family = plain.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')
  for (const name of [plain, family]) if (Object.hasOwn(models, name)) return models[name]
  return undefined
}
