import { expect, test } from 'vitest'
import { readUsage, type WireUsage } from '../../../shared/engine/models/protocol/token-usage.ts'

const cases: [string, WireUsage, ReturnType<typeof readUsage>][] = [
  [
    'OpenAI counts thoughts as output',
    {
      prompt_tokens: 10,
      completion_tokens: 20,
      total_tokens: 30,
      prompt_tokens_details: { cached_tokens: 4 },
    },
    { inputTokens: 10, outputTokens: 20, cachedInputTokens: 4 },
  ],
  [
    'Gemini and xAI count thoughts in the total alone',
    { prompt_tokens: 12, completion_tokens: 2, total_tokens: 354 },
    { inputTokens: 12, outputTokens: 342 },
  ],
  [
    'a total that is too small says nothing',
    { prompt_tokens: 10, completion_tokens: 20, total_tokens: 5 },
    { inputTokens: 10, outputTokens: 20 },
  ],
  ['a total alone is not output', { total_tokens: 50 }, { inputTokens: 0, outputTokens: 0 }],
  ["Anthropic's names", { input_tokens: 3, output_tokens: 2 }, { inputTokens: 3, outputTokens: 2 }],
  [
    "DeepSeek's cache",
    { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64 },
    { inputTokens: 100, outputTokens: 5, cachedInputTokens: 64 },
  ],
  [
    'digits as text, null and nonsense',
    { prompt_tokens: '10', completion_tokens: null, total_tokens: 'many', prompt_tokens_details: null },
    { inputTokens: 10, outputTokens: 0 },
  ],
  [
    'parts of tokens, and fewer than none',
    { prompt_tokens: 10.5, completion_tokens: -3 },
    { inputTokens: 11, outputTokens: 0 },
  ],
  [
    'counts that nothing could store',
    { prompt_tokens: 1e308, completion_tokens: Number.POSITIVE_INFINITY },
    { inputTokens: 100_000_000, outputTokens: 100_000_000 },
  ],
]

test.each(cases)('%s', (_name, usage, expected) => {
  expect(readUsage(usage)).toEqual(expected)
})
