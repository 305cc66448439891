import { AgentError } from '../shared/engine/core/agent-error.ts'
import { createModelClient } from '../shared/engine/models/create-model-client.ts'
import type { ModelClient } from '../shared/engine/models/protocol/model-client.ts'

/** Which model an experiment asks: any OpenAI-compatible server. */
export const modelOptions = {
  'base-url': { type: 'string' },
  model: { type: 'string' },
  'key-from': { type: 'string', default: 'OPENAI_API_KEY' },
} as const

interface ModelValues {
  'base-url'?: string
  model?: string
  'key-from': string
}

/** The client of the model that the options name. Where they name none, it says so, and the exit code is 1. */
export function readModel(values: ModelValues): ModelClient | undefined {
  const { 'base-url': baseURL, model } = values
  if (baseURL !== undefined && model !== undefined)
    return createModelClient({ baseURL, apiKey: process.env[values['key-from']] ?? 'none', model })
  console.error(
    'Pass both --base-url and --model, for example --base-url http://127.0.0.1:11434/v1 --model llama3.2',
  )
  process.exitCode = 1
  return undefined
}

/** A model that cannot be asked at all is a wrong address, name or key: its error is said, and the exit code is 1. */
export function explain(error: unknown): void {
  if (!(error instanceof AgentError)) throw error
  console.error(`\n${error.message}`)
  process.exitCode = 1
}
