import type { Clock } from '../../core/clock.ts'
import type { ToolError } from '../../core/tool-error.ts'
import type { Tool, ToolSpecification } from '../../core/tool-specification.ts'
import type { ChatMessage, LateUsage, ModelClient } from '../../models/protocol/model-client.ts'
import type { Agent, AgentContext } from '../../tools/agent.ts'
import type { Entry, QuestionEntry, StepEnd } from '../../transcript/entry.ts'
import type { FileContents } from '../../transcript/file-content.ts'
import type { LoopState } from '../../transcript/loop-state.ts'
import { foldEntry, type ModelMessages } from '../../transcript/model-messages.ts'
import { itemsOfTurn } from '../../transcript/open-items.ts'
import type { AgentEvent, Limits } from './agent-response.ts'
import type { Ledger } from './ledger.ts'
import type { FindValue } from './run-options.ts'
import type { BudgetSays } from './throttle.ts'

/** One run of this process: the transcript, the state derived from it, and its tools and settings. */
export interface Run {
  readonly entries: Entry[]
  /** Index of this response's first entry. */
  readonly addedFrom: number
  /** Derived from the entries. */
  readonly state: LoopState
  readonly messages: ModelMessages
  /** The preparation's objections to calls; determined again if another process prepared them. */
  readonly refusals: Map<string, ToolError>

  agent: Agent
  readonly user: AgentContext['user']
  readonly senders: NonNullable<AgentContext['senders']>
  readonly tools: Map<string, Tool>
  readonly specifications: Map<string, ToolSpecification>
  readonly files: FileContents
  /** What the transcript leaves out, as far as a value was looked for in it; by pattern. */
  readonly found: Map<string, readonly Entry[]>
  readonly findValue: FindValue | undefined
  /** What later messages ask, by item, with what it relies on by now. */
  readonly openLater: Map<string, QuestionEntry>
  readonly system: ChatMessage
  readonly limits: Limits
  readonly model: ModelClient
  /** Tokens that the first model reads at once: by it the tools are chosen, again only if it turns out to read less. */
  window: number
  /** Names of the tools that the model is told of only once it has found or called them; they are found by the last tool. */
  toFind: ReadonlySet<string>
  readonly ledger: Ledger
  readonly budget: (() => Promise<BudgetSays>) | undefined
  readonly onLateUsage: ((stepEnd: StepEnd, late: Promise<LateUsage | undefined>) => void) | undefined
  readonly clock: Clock
  readonly stream: boolean
  readonly emit: (event: AgentEvent) => void
  /** False if nobody listens to events. */
  readonly hasListener: boolean
  /** Aborts when the caller or the ledger stops the run. */
  readonly stopping: AbortController
  /** Milliseconds since 1970, when `maxDurationMs` is over. */
  deadline: number
  /** The part of the model's current text that listeners have received. */
  written: string
}

/** The only way to remember anything. */
export function append(run: Run, entry: Entry): void {
  run.entries.push(entry)
  foldEntry(entry, run.state, run.messages)
  run.emit(entry)
}

/** What holds this turn up; items of earlier messages stay open beside it. */
export function openOfTurn({ state }: Run): QuestionEntry[] {
  return itemsOfTurn(state.items, state.turnStart)
}
