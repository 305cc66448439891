/** A token that lets OpenAI clients use agents. Its value is only returned when the token is created. */
export interface ApiToken {
  id: string
  name: string
  /** The first characters of the value. */
  prefix: string
  /** Ids of the agents it can use; null means all of them, including new ones. */
  agents: string[] | null
  /** ISO 8601; null means it never expires. */
  expiresAt: string | null
  /** Rounded to the minute. */
  lastUsedAt: string | null
  createdAt: string
}

export interface NewApiToken {
  name: string
  agents?: string[] | undefined
  /** ISO 8601. */
  expiresAt?: string | undefined
}

/** An agent, as OpenAI clients list it: as a model. */
export interface AgentModel {
  /** The model name that the client sends. */
  id: string
  name: string
}
