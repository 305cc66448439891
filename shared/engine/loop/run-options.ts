import type { ChatCompletionContentPart } from 'openai/resources/chat/completions'
import type { Clock } from '../core/clock.ts'
import type { ToolLibrary } from '../core/tool-specification.ts'
import type { ChatMessage, ModelClient } from '../models/protocol/model-client.ts'
import type { Agent, AgentContext, AgentEvent, Limits } from './agent-response.ts'
import type { Ledger } from './ledger.ts'

/** A write of an earlier run of the same turn: it asks before it runs again. */
export interface PriorWrite {
  toolName: string
  arguments: Record<string, unknown>
  /** Anything but `succeeded` (the default) may have happened. */
  status?: 'succeeded' | 'running' | 'unknown'
  /** How often it had run before in this turn. Default 0. */
  repetition?: number
  /** What came back, shown to the model so that it knows what is done. */
  result?: unknown
}

/** What a run and its resumes need around them. */
export interface RunSettings {
  library: ToolLibrary
  model: ModelClient
  limits?: Partial<Limits>
  /** In memory by default. */
  ledger?: Ledger
  /** Stops the run: reads and waits end at once, a write that has begun settles and counts. */
  signal?: AbortSignal
  /** Hears everything in order, at once; what it throws is ignored. */
  onEvent?: (event: AgentEvent) => void
  /** Asks the provider for streams, so that text arrives as events while it is written. */
  stream?: boolean
  /** @internal Time and chance. */
  clock?: Clock
}

export interface RunAgentOptions extends RunSettings {
  agent: Agent
  /** What the user says now. */
  input: string | ChatCompletionContentPart[]
  /** Earlier turns, without system messages of our own. */
  messages?: readonly ChatMessage[]
  context?: AgentContext
  /** Only for a new run of a turn that has run before (regenerate, edit). */
  priorWrites?: readonly PriorWrite[]
  /** What an interrupted run of this same turn already did, to go on from: assistant tool calls and tool messages. */
  progress?: readonly ChatMessage[]
}

/** The user's values for the open fields of a form. */
export interface Answer {
  toolCallId: string
  /** In the shape of `Pending.schema`. */
  values: Record<string, unknown>
}

export interface Approval {
  toolCallId: string
  decision: 'approve' | 'deny' | 'draft'
  /** The whole call as the user edited it. */
  input?: Record<string, unknown>
  reason?: string
}

export interface ResumeAgentOptions extends RunSettings {
  /** `AgentResponse.state` of the response that was pending. */
  state: unknown
  answer?: Answer
  approval?: Approval | readonly Approval[]
  /** A connection was made: the calls that waited for one go on; `toolCallId` names only one of them. */
  connection?: true | { toolCallId: string }
  /** The user's facts as they are now; `now` is always that of the resume. */
  context?: AgentContext
  /** The agent as it is now, where its tools or instructions may have changed since. */
  agent?: Agent
}
