import { expect, test } from 'vitest'
import { computeCost, loadPrices } from '../../../shared/engine/models/prices.ts'
import { getPreset, type ProviderName, presets } from '../../../shared/engine/models/protocol/presets.ts'

const few = { inputTokens: 100_000, outputTokens: 0 }
const cost = async (provider: ProviderName, model: string, usage: Parameters<typeof computeCost>[3] = few) =>
  computeCost(await loadPrices(provider), provider, model, usage)

test.each<[ProviderName, string, number | undefined]>([
  ['openai', 'gpt-4o', 2.5],
  ['openai', 'GPT-4o', 2.5],
  ['openai', 'gpt-4o-2024-08-06', 2.5],
  ['openai', 'gpt-4o-2024-05-13', 5],
  ['anthropic', 'claude-sonnet-4-5-20250929', 3],
  ['anthropic', 'claude-sonnet-4-5-latest', 3],
  ['gemini', 'models/gemini-2.5-flash', 0.3],
  ['openrouter', 'anthropic/claude-sonnet-4.5', 3],
  ['openrouter', 'google/gemini-2.5-flash', 0.3],
  ['groq', 'openai/gpt-oss-120b', 0.15],
  ['mistral', 'mistral-large-latest', 2],
  ['any', 'gpt-4o', undefined],
  ['ollama', 'llama3.2', undefined],
  ['openai', 'gpt-none', undefined],
  ['openai', 'constructor', undefined],
])('a million tokens to %s %s cost %s dollars', async (provider, model, dollars) => {
  const found = await cost(provider, model)
  if (dollars === undefined) expect(found).toBeUndefined()
  else expect((found ?? 0) * 10).toBeCloseTo(dollars, 9)
})

test('cached tokens have their own price, long requests too', async () => {
  expect(await cost('openai', 'gpt-4o', { ...few, cachedInputTokens: 50_000 })).toBeCloseTo(0.1875, 9)
  expect(await cost('openai', 'gpt-4o', { ...few, cachedInputTokens: 200_000 })).toBeCloseTo(0.125, 9)
  expect(await cost('gemini', 'gemini-2.5-pro', { inputTokens: 200_000, outputTokens: 0 })).toBeCloseTo(
    0.25,
    9,
  )
  expect(await cost('gemini', 'gemini-2.5-pro', { inputTokens: 300_000, outputTokens: 0 })).toBeCloseTo(
    0.75,
    9,
  )
})

const naming = (Object.keys(presets) as ProviderName[]).filter((provider) => getPreset(provider).titleModel)

test.each(naming)(
  'the model of %s that names conversations has a price, and none above that of its usual one',
  async (provider) => {
    const { titleModel = '', defaultModel } = getPreset(provider)
    const price = await cost(provider, titleModel)
    expect(price).toBeGreaterThan(0)
    if (defaultModel) expect(price).toBeLessThanOrEqual((await cost(provider, defaultModel)) ?? 0)
  },
)
