import { AgentError } from '../loop/agent-error.ts'
import type { ModelClient } from './model-client.ts'

/** A row of `askback.agent_llm_preferences`, as far as it chooses the model. */
export interface ModelPreference {
  provider?: string | null
  model?: string | null
  fallbacks?: readonly { provider: string; model: string }[] | null
}

/** Environment-like settings: `OPENAI_API_KEY`, `LLM_PROVIDER` … */
export type ModelSettings = Readonly<Record<string, string | undefined>>

/** Makes the model client that the settings and an agent's preference ask for. */
export function createModelFromSettings(
  _settings: ModelSettings,
  _preference?: ModelPreference,
): ModelClient {
  throw new AgentError('configuration', 'No model is configured.')
}
