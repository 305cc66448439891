import type { ModelUsage } from './model-client.ts'

/** A server's token counts; every field may be missing, null or a string of digits. */
export interface WireUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  total_tokens?: unknown
  /** Anthropic's names, which some gateways pass on. */
  input_tokens?: unknown
  output_tokens?: unknown
  prompt_tokens_details?: { cached_tokens?: unknown } | null
  /** DeepSeek's name for cached tokens. */
  prompt_cache_hit_tokens?: unknown
  /** OpenRouter's, in US dollars. */
  cost?: unknown
}

/**
 * The tokens of a call. Gemini and xAI include the thoughts only in the total, and charge them as output.
 *
 * @example
 * readUsage({ prompt_tokens: 9, completion_tokens: 11, total_tokens: 305 }) // => { inputTokens: 9, outputTokens: 296 }
 */
export function readUsage(usage: WireUsage): ModelUsage {
  const inputTokens = readCount(usage.prompt_tokens ?? usage.input_tokens)
  const written = readCount(usage.completion_tokens ?? usage.output_tokens)
  const rest = inputTokens > 0 ? readCount(usage.total_tokens) - inputTokens : 0
  const cached = readCount(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens)
  return {
    inputTokens,
    outputTokens: Math.max(written, rest),
    cachedInputTokens: cached > 0 ? cached : undefined,
  }
}

/** More than any model reads. Larger counts, and parts of tokens, would not fit where they are stored. */
const mostTokens = 100_000_000

function readCount(value: unknown): number {
  const count = Number(value ?? 0)
  return count > 0 ? Math.min(Math.ceil(count), mostTokens) : 0
}
