import type { ToolSpecification } from '../core/tool-specification.ts'

export interface Agent {
  name: string
  instructions: string
  tools: readonly ToolSpecification[]
}

/** Trusted facts about the user, shown to the model. */
export interface AgentContext {
  user?: { name?: string; email?: string; accounts?: string[]; timezone?: string }
  /** By tool: the account it uses, if that is certain. Never shown to the model. */
  senders?: Record<string, string>
  /** ISO 8601; the run's own clock by default. */
  now?: string
}
