import { expect, test } from 'vitest'
import { computeCost, prices } from '../../../shared/engine/models/prices.ts'
import type { ProviderName } from '../../../shared/engine/models/protocol/presets.ts'

const million = { inputTokens: 1_000_000, outputTokens: 0 }

test.each<[ProviderName, string, number | undefined]>([
  ['openai', 'gpt-4o', 2.5],
  ['openai', 'GPT-4o', 2.5],
  ['openai', 'gpt-4o-2024-08-06', 2.5],
  ['openai', 'gpt-4o-2024-05-13', 5],
  ['openai', 'gpt-4o-audio-preview', undefined],
  ['anthropic', 'claude-sonnet-4-5-20250929', 3],
  ['anthropic', 'claude-sonnet-4-5-latest', 3],
  ['openrouter', 'anthropic/claude-sonnet-4.5', 3],
  ['openrouter', 'google/gemini-2.5-flash', 0.3],
  ['openrouter', 'meta-llama/llama-3.3-70b-instruct', undefined],
  ['openrouter', 'gpt-4o', undefined],
  ['groq', 'openai/gpt-oss-120b', 0.15],
  ['any', 'gpt-4o', undefined],
  ['ollama', 'llama3.2', undefined],
  ['openai', 'constructor', undefined],
])('a million tokens to %s %s cost %s dollars', (provider, model, dollars) => {
  expect(computeCost(provider, model, million)).toBe(dollars)
})

test('cached tokens have their own price, long requests too', () => {
  expect(computeCost('openai', 'gpt-4o', { ...million, cachedInputTokens: 500_000 })).toBeCloseTo(1.875, 9)
  expect(computeCost('groq', 'llama-3.1-8b-instant', { ...million, cachedInputTokens: 500_000 })).toBeCloseTo(
    0.05,
    9,
  )
  expect(computeCost('gemini', 'gemini-2.5-pro', { inputTokens: 200_000, outputTokens: 0 })).toBeCloseTo(
    0.25,
    9,
  )
  expect(computeCost('gemini', 'gemini-2.5-pro', { inputTokens: 200_001, outputTokens: 0 })).toBeCloseTo(
    0.5000025,
    9,
  )
})

test('no price is 0 or without a source and a date', () => {
  for (const list of Object.values(prices)) {
    expect(list.source).toMatch(/^https:\/\//)
    expect(Number.isNaN(Date.parse(list.asOf))).toBe(false)
    for (const price of Object.values(list.models)) {
      expect(Math.min(price.input, price.output, price.cachedInput ?? 1)).toBeGreaterThan(0)
    }
  }
})
