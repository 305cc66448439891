import { type ModelClient, ModelError } from './model-client.ts'

/** One model at one server that speaks OpenAI's chat completions. */
export interface ModelEndpoint {
  baseURL: string
  apiKey?: string
  model: string
}

/** A model client; `fallbacks` are other models of the same server (by name) or of other servers. */
export function createModelClient(
  options: ModelEndpoint & { fallbacks?: readonly (string | ModelEndpoint)[] },
): ModelClient {
  return {
    model: options.model,
    models: [options.model],
    complete: () => Promise.reject(new ModelError('The model client is not built yet.')),
  }
}
