import { systemClock } from '../core/clock.ts'
import { createCandidate, type ModelEndpoint } from './endpoint.ts'
import { createModelMemory, type ModelMemory } from './model-memory.ts'
import type { ModelClient, Sampling } from './protocol/model-client.ts'
import { createRouter, type RouterClock } from './router.ts'
import type { ModelWindows } from './window-settings.ts'

export type { ModelEndpoint } from './endpoint.ts'

/** Without its own base URL, a fallback is another model of the same server. */
type Fallback = Omit<ModelEndpoint, 'baseURL'> & { baseURL?: string }

export interface ModelClientOptions extends ModelEndpoint {
  /** Other models of the same server, by name, or of other servers; tried in this order. */
  fallbacks?: readonly (string | Fallback)[]
  sampling?: Sampling
  /** Shared between clients that are made per request; each has its own by default. */
  memory?: ModelMemory
  /** Tokens that models read, by `provider/model`, where their servers and the price list do not say it, or say it wrongly. */
  windows?: ModelWindows
  /** Longest silence of a server in milliseconds. Default 120000; 60000 if there is another model to try. */
  timeoutMs?: number
  clock?: RouterClock
  fetch?: typeof fetch
}

/**
 * Makes a model client: requests in the form of OpenAI's chat completions over `fetch`, plain or streamed with
 * the same reply, with retries, fallbacks and cooldown.
 *
 * `complete` rejects with `ModelError` (`refused` if nobody was reached who would answer),
 * `AgentError('configuration')` if there is no key or no model name, or the signal's reason.
 *
 * @example
 * const model = createModelClient({
 *   baseURL: 'https://api.openai.com/v1',
 *   apiKey: 'sk-test',
 *   model: 'gpt-4.1-mini',
 *   fallbacks: ['gpt-4.1-nano', { baseURL: 'https://api.groq.com/openai/v1', apiKey: 'gsk-test', model: 'llama-3.3-70b-versatile' }],
 * })
 * model.models // => ['gpt-4.1-mini', 'gpt-4.1-nano', 'llama-3.3-70b-versatile']
 */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { fallbacks = [], memory = createModelMemory(), clock = systemClock, sampling } = options
  const endpoints = [options, ...fallbacks.map((fallback) => completeFallback(fallback, options))]
  const usualTimeoutMs = fallbacks.length > 0 ? 60_000 : 120_000
  const { timeoutMs = usualTimeoutMs, fetch: send = (...request) => fetch(...request) } = options
  const environment = {
    memory,
    timeoutMs,
    fetch: send,
    now: clock.now,
    windows: options.windows ?? new Map(),
  }
  const candidates = endpoints.map((endpoint) => createCandidate(endpoint, environment))
  return createRouter(candidates, memory, clock, sampling)
}

/** A key is only sent to its own server. */
function completeFallback(fallback: string | Fallback, main: ModelEndpoint): ModelEndpoint {
  if (typeof fallback === 'string') return { ...main, model: fallback }
  return fallback.baseURL === undefined
    ? { ...main, ...fallback, baseURL: main.baseURL }
    : { ...fallback, baseURL: fallback.baseURL }
}
