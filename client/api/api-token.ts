export type { ApiToken, MadeApiToken, NewApiToken } from './types.ts'

/** An agent, as OpenAI clients list it: as a model. */
export interface AgentModel {
  /** The model name that the client sends. */
  id: string
  name: string
}
