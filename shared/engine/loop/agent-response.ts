import type { JsonSchema } from '../core/json-schema.ts'
import type { Repair } from '../core/repair.ts'
import type { ToolError, ToolErrorType } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { ChatMessage, ModelEvent } from '../models/protocol/model-client.ts'

export type RunStatus =
  | 'completed'
  | 'waiting'
  | 'needs_input'
  | 'needs_approval'
  | 'needs_connection'
  | 'failed'

/** One invocation as the answer shows it, in order of its start. */
export interface ToolUse {
  toolCallId: string
  toolName: string
  attempt: number
  input: unknown
  ok: boolean
  output?: unknown
  error?: ToolError
  repairs?: Repair[]
  durationMs: number
}

/** Whom the run waits for, and with which question. */
export interface Pending {
  type: 'input' | 'approval' | 'connection' | 'wait'
  toolCallId: string
  toolName: string
  question: string
  /** Schema of the open fields: the `values` of an answer have its shape. */
  schema?: JsonSchema
  /** What is kept of the call. */
  values?: Record<string, unknown>
  href?: string
  /** ISO 8601, for `wait`. */
  resumeAt?: string
}

export interface RunUsage {
  inputTokens: number
  outputTokens: number
  modelCalls: number
}

export interface AgentResponse {
  status: RunStatus
  /** Never empty. */
  text: string
  /**
   * The messages added since the input or, after a resume, since the run was parked: append them to the
   * conversation. Each assistant tool call has exactly one tool message.
   */
  messages: ChatMessage[]
  toolsUsed: ToolUse[]
  usage: RunUsage
  pending?: Pending[]
  /** Opaque JSON for `resumeAgent`; there while something is pending. */
  state?: unknown
}

export interface Agent {
  name: string
  instructions: string
  tools: readonly ToolSpecification[]
}

/** Trusted facts about the user, shown to the model. */
export interface AgentContext {
  user?: { name?: string; email?: string; accounts?: string[]; timezone?: string }
  /** ISO 8601; the run's own clock by default. */
  now?: string
}

export interface Limits {
  /** Model calls with tools in one run. Default 10. */
  maxRounds: number
  /** Attempts per intent. Default 3. */
  maxAttempts: number
  /** Fewer attempts where an intent fails like this. */
  attemptsByType?: Partial<Record<ToolErrorType, number>>
  /** Milliseconds one execution may take. Default 30000. */
  toolTimeoutMs: number
  /** Longest wait for the clock inside a run, in milliseconds; longer waits park it. Default 10000. */
  maxWaitMs: number
  maxOutputTokens?: number
  maxTotalTokens?: number
  maxDurationMs?: number
}

/** What `onEvent` hears, in order. */
export type AgentEvent =
  | { type: 'round-start'; round: number }
  | Exclude<ModelEvent, { type: 'tool-input-start' | 'tool-input-delta' }>
  | { type: 'tool-input-start'; index: number; toolCallId: string; toolName: string }
  | { type: 'tool-input-delta'; index: number; toolCallId: string; delta: string }
  | {
      type: 'tool-call'
      toolCallId: string
      toolName: string
      input: unknown
      attempt: number
      repairs: Repair[]
    }
  | { type: 'tool-result'; toolUse: ToolUse }
  | { type: 'tool-wait'; toolCallId: string; toolName: string; waitMs: number; reason: string }
  | { type: 'pending'; pending: Pending }
