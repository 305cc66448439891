import type { Language } from '../../../words/language.ts'
import type { Clock } from '../../core/clock.ts'
import type { ToolLibrary } from '../../core/tool-specification.ts'
import type { ChatMessage, LateUsage, ModelClient } from '../../models/protocol/model-client.ts'
import type { Agent, AgentContext } from '../../tools/agent.ts'
import type {
  ApprovedBy,
  DecidedBy,
  Entry,
  PriorWrite,
  QuestionEntry,
  StepEnd,
  UserPart,
} from '../../transcript/entry.ts'
import type { FileContents } from '../../transcript/file-content.ts'
import type { AgentEvent, Limits } from './agent-response.ts'
import type { Ledger } from './ledger.ts'
import type { BudgetSays } from './throttle.ts'

/** `pattern`: a regular expression of PostgreSQL, see `valuePattern`. */
export type FindValue = (pattern: string) => Promise<readonly Entry[]>

/** The environment of a run and its resumes. */
export interface RunSettings {
  library: ToolLibrary
  model: ModelClient
  limits?: Partial<Limits>
  /** Asked before each request to a model; unlimited by default. */
  budget?: () => Promise<BudgetSays>
  /** Told of a model call whose tokens are estimated, with what its server says of them later, if it does. */
  onLateUsage?: (stepEnd: StepEnd, late: Promise<LateUsage | undefined>) => void
  /** By default one in memory, which knows what the transcript shows as done. */
  ledger?: Ledger
  /** Stops the run: reads and waits end at once, a write that has started is settled and counts. */
  signal?: AbortSignal
  /** Receives everything in order, immediately; its errors are ignored. */
  onEvent?: (event: AgentEvent) => void
  /** Asks the provider for streams, so that text arrives as events while it is being written. */
  stream?: boolean
  context?: AgentContext
  /**
   * Something private was read in a part of the conversation that is not in the transcript: with these tools, as far as that
   * is known.
   */
  privateBefore?: boolean | readonly string[]
  /** Writes of other runs of this turn that are not in the transcript (regenerate, edit): repeating them asks first. */
  priorWrites?: readonly PriorWrite[]
  /** What later messages of the conversation ask: a write of this one may change what that relies on. */
  openLater?: readonly QuestionEntry[]
  /**
   * Finds a value in the parts of the conversation that are not in the transcript: the entries of the user's messages, and of
   * the forms and cards that they filled in; and whole results, of which the transcript has briefs. By default there is
   * nothing else.
   */
  findValue?: FindValue
  /** The contents of files that messages name by `file_id`, as far as the model should read them. */
  files?: FileContents
  /** Number of the next intent, if the transcript does not start with the conversation. */
  nextIntent?: number
  /** @internal Time and randomness. */
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

/** An open item: by its own id, or by its call. */
export type ItemReference = { itemId: string } | { toolCallId: string }

/** The card that a connection was made from; `asksFirst`: it was made from another one, so a write asks first. */
export type Connected = ItemReference & { asksFirst?: boolean }

/** The user's values for the open fields of a form. */
export type FormAnswer = ItemReference & {
  by?: DecidedBy
  /** In the shape of `Pending.schema`. */
  values: Record<string, unknown>
}

export interface Approval {
  toolCallId: string
  /** The question it answers, from `pending`. */
  approvalId: string
  decision: 'approve' | 'deny' | 'draft'
  /** The values of the open fields, if it is a form that is an approval too. */
  values?: Record<string, unknown>
  /** The whole call, as edited by the user. */
  input?: Record<string, unknown>
  reason?: string
  by?: DecidedBy
  /** Who has approved it, if not the user alone had to. */
  approvedBy?: ApprovedBy[]
}

export interface ResumeAgentOptions extends RunSettings {
  /** Every entry so far. It may end anywhere: after a question, a user message, or where a process died. */
  transcript: readonly Entry[]
  answer?: FormAnswer
  approval?: Approval | readonly Approval[]
  /**
   * A connection was made: reads that waited for one continue, and so does the named call, or the only one; other writes
   * ask first.
   */
  connection?: true | Connected
  /** The user continues without it: the question or connection is closed, and the model is told. */
  skip?: ItemReference & { by?: DecidedBy }
  /** The language in which whoever decides reads what is open; English by default. */
  reader?: Language
  /** Questions that were not asked yet because a process died. They are asked before anything is decided. */
  unasked?: readonly QuestionEntry[]
  /** The agent as it is now; by default as in the transcript. */
  agent?: Agent
}
