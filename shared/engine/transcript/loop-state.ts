import type { ToolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type {
  Call,
  ClientCall,
  DecisionEntry,
  Nudge,
  PriorWrite,
  QuestionEntry,
  Result,
  RunEnd,
  RunStart,
} from './entry.ts'
import type { Intent } from './intent.ts'
import type { ItemOfTurn } from './open-items.ts'

/** A call of the transcript and its outcome. */
export interface CallState {
  call: Call
  /** Where it is in the transcript. */
  index: number
  /** Equal for equal calls; based on the raw text if it was refused. */
  key: string
  /** The intent it belongs to, once it has failed. */
  intent?: Intent
  result?: Result
  /** Somebody was asked about it. */
  asked?: true
  /** The model reply it was part of. */
  step: number
  /** The decision that allowed it to continue. */
  decided?: DecidedCall
  /** The same call before it continued. */
  before?: CallState
  /** A read whose result is the same as before: for which time in this turn. */
  unchanged?: number
}

/** A call that a decision allows to continue, and that has not been made yet. */
export interface DecidedCall {
  decision: DecisionEntry
  question: QuestionEntry
}

/** What the loop must know, derived only from the entries of a transcript. */
export interface LoopState extends TurnState {
  /** By name: what an error means depends on its tool. */
  readonly tools: ReadonlyMap<string, ToolSpecification>
  /** The run of this turn; undefined before it started. */
  run: RunStart | undefined
  user: RunStart['user']
  /** The index of the user message that started the turn. */
  turnStart: number
  size: number
  /** True between a `run-start` and its `run-end`. */
  isRunning: boolean
  lastEnd: RunEnd | undefined
  nextIntent: number
  /** Slot texts shown in this conversation. */
  slots: Set<string>
  /** Every call by its id, the latest one for each id. */
  calls: Map<string, CallState>
  /** Model replies so far. */
  steps: number
  /** The model's last words. */
  text: string
  /** The conversation's open items, by id, oldest first. Only items of this turn hold up a run. */
  items: Map<string, ItemOfTurn>
  /** Writes that may have happened, and that nobody was asked about; also from earlier turns. */
  unknown: Set<CallState>
}

/** What a user message resets. */
interface TurnState extends RunState {
  /**
   * The index of the run start that last took this turn over from a process that died, or -1: what that one did may be
   * repeated in other words.
   */
  recoveredIndex: number
  /** What a program called, if that started the turn. */
  clientCall: ClientCall | undefined

  intents: Intent[]
  /** The step that the model is writing. */
  step: { text: string; calls: Call[]; last: 'completed' | 'failed' | undefined } | undefined
  /** The calls of the last step, or those that decisions allow to continue. */
  round: CallState[]
  /** Every call of `round` has a result or waits for somebody. */
  isRoundOver: boolean
  /** A reply of the model in words that is still to be judged. */
  reply: { text: string; finishReason: string; last: 'completed' | 'failed' | undefined } | undefined
  decidedCalls: DecidedCall[]
  /** Items replaced by a call of this turn, and not done as far as is known; by intent. */
  continuedItems: Map<number, QuestionEntry>

  /** What the successful writes of this turn returned, by key. */
  done: Map<string, unknown>
  /** Those that the model called again and was told are done: the next time, the user is asked. */
  reportedDone: Set<string>
  /** Writes of this turn that ran or may have run. */
  writes: CallState[]
  /** The latest successful reads of this turn, by key. */
  reads: Map<string, CallState>
  /** Calls that are over for this run (denied, or nobody can help), with their error. */
  settled: Map<string, ToolError>
  priorWrites: readonly PriorWrite[]

  rounds: number
  tokens: number
  /** Consecutive runs whose whole time went by without a model reply. */
  silentRuns: number
}

/** What a run that continues after a decision resets. */
interface RunState {
  /** Model replies and results since the run started. */
  events: number
  stalls: number
  nudge: Nudge | undefined
  /** The longest reply that was cut off. */
  cutText: string
  /** Models that answered in this run. */
  repliedBy: Set<string>
  /** Models that the next request asks the client to avoid. */
  avoid: string[]
  /** Earlier rounds of this run, by the keys of their calls. */
  pastRounds: Map<string, readonly CallState[]>
  /** The same calls had the same results as in an earlier round. */
  isRepetition: boolean
}

export function emptyLoopState(tools: ReadonlyMap<string, ToolSpecification>): LoopState {
  return {
    tools,
    run: undefined,
    user: undefined,
    turnStart: -1,
    size: 0,
    isRunning: false,
    lastEnd: undefined,
    slots: new Set(),
    calls: new Map(),
    items: new Map(),
    nextIntent: 1,
    steps: 0,
    unknown: new Set(),
    text: '',
    ...emptyTurn(),
  }
}

export function emptyTurn(): TurnState {
  return {
    recoveredIndex: -1,
    clientCall: undefined,
    intents: [],
    step: undefined,
    round: [],
    isRoundOver: true,
    reply: undefined,
    decidedCalls: [],
    continuedItems: new Map(),
    done: new Map(),
    reportedDone: new Set(),
    writes: [],
    reads: new Map(),
    settled: new Map(),
    priorWrites: [],
    rounds: 0,
    tokens: 0,
    silentRuns: 0,
    ...emptyRun(),
  }
}

export function emptyRun(): RunState {
  return {
    events: 0,
    stalls: 0,
    nudge: undefined,
    cutText: '',
    repliedBy: new Set(),
    avoid: [],
    pastRounds: new Map(),
    isRepetition: false,
  }
}
