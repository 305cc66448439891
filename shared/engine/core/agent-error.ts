export type AgentErrorKind = 'validation' | 'configuration' | 'llm_api' | 'tool'

/** `runAgent` rejects with this only if nothing has happened yet. */
export class AgentError extends Error {
  override name = 'AgentError'
  readonly kind: AgentErrorKind
  constructor(kind: AgentErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
