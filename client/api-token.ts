/** A token that opens agents to OpenAI clients. Its value is only there when it is made. */
export interface ApiToken {
  id: string
  name: string
  /** How its value begins. */
  prefix: string
  /** Ids of the agents that it opens; null: all of them, later ones too. */
  agents: string[] | null
  /** ISO 8601; null: never. */
  expiresAt: string | null
  /** To the minute. */
  lastUsedAt: string | null
  createdAt: string
}

export interface NewApiToken {
  name: string
  agents?: string[] | undefined
  /** ISO 8601. */
  expiresAt?: string | undefined
}

/** What an OpenAI client is given beside a token: an agent is a model. */
export interface AgentModel {
  /** What the client calls the model. */
  id: string
  name: string
}
