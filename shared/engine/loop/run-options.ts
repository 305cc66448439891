import type { Clock } from '../core/clock.ts'
import type { ToolLibrary } from '../core/tool-specification.ts'
import type { ChatMessage, ModelClient } from '../models/protocol/model-client.ts'
import type { Agent, AgentContext } from '../tools/agent.ts'
import type { Entry, PriorWrite, QuestionEntry, UserPart } from '../transcript/entry.ts'
import type { FileContents } from '../transcript/file-content.ts'
import type { AgentEvent, Limits } from './agent-response.ts'
import type { Ledger } from './ledger.ts'

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
  context?: AgentContext
  /** Something private was read in a part of the conversation that is not in the transcript. */
  privateBefore?: boolean
  /** Writes of other runs of this turn that the transcript does not hold (regenerate, edit): they ask first. */
  priorWrites?: readonly PriorWrite[]
  /** What is in files that messages name by `file_id`, as far as the model is to read it. */
  files?: FileContents
  /** Number of the next intent, where the transcript does not reach back to the beginning of the conversation. */
  nextIntent?: number
  /** @internal Time and chance. */
  clock?: Clock
}

export interface RunAgentOptions extends RunSettings {
  agent: Agent
  /** What the user says now. */
  input: string | readonly UserPart[]
  /** Earlier turns of ours: the entries of all responses so far. */
  transcript?: readonly Entry[]
  /** Earlier turns from elsewhere, as OpenAI chat messages. */
  messages?: readonly ChatMessage[]
}

/** Which open item: by its own id, or by the call it is about. */
export type ItemReference = { itemId: string } | { toolCallId: string }

/** The card that a connection was made from; `asksFirst`: it was made from another one, so a write asks first. */
export type Connected = ItemReference & { asksFirst?: boolean }

/** The user's values for the open fields of a form. */
export type FormAnswer = ItemReference & {
  /** In the shape of `Pending.schema`. */
  values: Record<string, unknown>
}

export interface Approval {
  toolCallId: string
  /** Which question it answers, as `pending` names it. */
  approvalId: string
  decision: 'approve' | 'deny' | 'draft'
  /** The whole call as the user edited it. */
  input?: Record<string, unknown>
  reason?: string
}

export interface ResumeAgentOptions extends RunSettings {
  /** Every entry so far. It may end anywhere: after a question, a user message, or where a process died. */
  transcript: readonly Entry[]
  answer?: FormAnswer
  approval?: Approval | readonly Approval[]
  /**
   * A connection was made: reads that waited for one go on, and the call that is named, or the only one; other writes
   * are asked about.
   */
  connection?: true | Connected
  /** The user goes on without it: the question or connection is closed, and the model is told. */
  skip?: ItemReference
  /** Questions that were not asked yet: a process died before it could. They are asked before anything is decided. */
  unasked?: readonly QuestionEntry[]
  /** The agent as it is now; by default as the transcript has it. */
  agent?: Agent
}
