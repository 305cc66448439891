import type { Clock } from '../core/clock.ts'
import type { Repair } from '../core/repair.ts'
import type { ToolError } from '../core/tool-error.ts'
import type { Tool, ToolSpecification } from '../core/tool-specification.ts'
import type { ChatMessage, ModelClient } from '../models/protocol/model-client.ts'
import type { Agent, AgentContext, AgentEvent, Limits, Pending, RunUsage, ToolUse } from './agent-response.ts'
import type { Intent } from './intent.ts'
import type { Ledger } from './ledger.ts'
import type { PriorWrite } from './run-options.ts'

/** A call that waits: everything needed to go on with exactly it. */
export interface ParkedCall {
  type: Pending['type']
  toolCallId: string
  toolName: string
  question: string
  /** What is known of the call; for `input` with slot texts at the open paths. */
  args: Record<string, unknown>
  /** Paths a person has to fill in. */
  open: string[]
  repairs: Repair[]
  attempt: number
  intent: number
  repetition: number
  /** The values this decision is about, by path: they count as said by the user once it is made. */
  approves?: { path: string; value: unknown }[]
  /** It may have been carried out already: the decision is about doing it again. */
  uncertain?: true
  href?: string
  /** ISO 8601. */
  resumeAt?: string
}

/** What survives parking: plain JSON. */
export interface RunMemory {
  version: 1
  id: string
  agent: Agent
  context: AgentContext & { now: string }
  /** More for the system message: what the caller's own system messages said, what is already done. */
  notes: string[]
  priorWrites: PriorWrite[]
  /** Earlier turns, the input and everything this run added: all but the system message. */
  conversation: ChatMessage[]
  /** Where in the conversation the turn's input stands. */
  turnStart: number
  intents: Intent[]
  nextIntent: number
  /** Slot texts shown so far. */
  slots: string[]
  /** What the writes of this run returned that succeeded, by the key of the call: none runs twice. */
  done: Record<string, unknown>
  /** Calls that are over for this run (denied, or nobody can help), with what the model was told. */
  settled: Record<string, ToolError>
  parked: ParkedCall[]
  /** Model calls with tools. */
  rounds: number
  tokens: number
  /** Runs in a row whose whole time went by without an answer of the model. */
  silentRuns: number
}

/** One run from its input, or from a decision, until it answers or waits. */
export interface Run {
  readonly memory: RunMemory
  readonly tools: ReadonlyMap<string, Tool>
  readonly specifications: readonly ToolSpecification[]
  readonly system: ChatMessage
  /** Where in the conversation the messages of this response begin. */
  readonly addedFrom: number
  readonly limits: Limits
  readonly model: ModelClient
  readonly ledger: Ledger
  readonly clock: Clock
  readonly stream: boolean
  readonly emit: (event: AgentEvent) => void
  /** False when nobody hears what is emitted. */
  readonly hasListener: boolean
  /** Aborts when the caller or the ledger stops the run. */
  readonly stopping: AbortController
  /** Milliseconds since 1970, when `maxDurationMs` is over. */
  deadline: number
  readonly slots: Set<string>
  readonly toolsUsed: ToolUse[]
  readonly usage: RunUsage
  /** Names of the models that answered, for asking another one. */
  readonly answeredBy: Set<string>
  /** Answers that led nowhere. */
  stalls: number
  /** The longest answer that was cut off. */
  cutText: string
  /** What is said to the model at the end of its next request only. */
  nudge: ChatMessage[]
  /** Models that the next request asks the client to pass over. */
  avoid: string[]
  /** What came back from the calls of earlier rounds, by their keys. */
  readonly pastRounds: Map<string, string>
  /** Set when the model may call no more tools: how the run ends after its last words. */
  lastAnswer: 'completed' | 'failed' | undefined
}
