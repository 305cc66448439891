import type { ChatCompletionContentPart } from 'openai/resources/chat/completions'
import type { Said } from '../core/asked.ts'
import type { Repair } from '../core/repair.ts'
import type { SentenceCode } from '../core/sentence-codes.ts'
import type { ToolResult } from '../core/tool-error.ts'
import type { Effect, ToolModelUse } from '../core/tool-specification.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import type { Agent, AgentContext } from '../tools/agent.ts'

/**
 * The transcript: an append-only list of what happened, plain JSON. It is the only record of a conversation: what a
 * model reads, what clients are shown and what the loop must know are read from it and from nothing else.
 */
export type Entry =
  | UserMessage
  | RunStart
  | StepStart
  | Thought
  | ModelText
  | Call
  | StepEnd
  | ToolModelCall
  | Result
  | Wait
  | QuestionEntry
  | DecisionEntry
  | Closed
  | Nudge
  | Notice
  | RunEnd

/** A file; its content is never the user's words, and neither is its name. */
export interface FilePart {
  type: 'file'
  mediaType: string
  filename?: string
  /** Of a file that is stored: by it a tool is told which one. Its content is looked up when a run begins. */
  file_id?: string
  /** Bytes. */
  size?: number
  /** Where it is, where it is not stored. */
  url?: string
}

/** Part of a user message. Of all parts only texts are the user's own words; `data-*` parts are for clients alone. */
export type UserPart =
  | ChatCompletionContentPart
  | FilePart
  | ({ type: `data-${string}` } & Record<string, unknown>)

/** What a person wrote. It begins a turn. */
export interface UserMessage {
  type: 'user-message'
  content: string | readonly UserPart[]
  /** Turns before it that were held elsewhere, as OpenAI chat messages. */
  earlier?: readonly ChatMessage[]
  /** `earlier` is all that a model reads of what came before, also of what this transcript tells of it. */
  replacesHistory?: true
}

/** Work begins: after a user message, after decisions, or again where a process died. */
export interface RunStart {
  type: 'run-start'
  /** A UUID, the same for every run of a turn that goes on with another one. */
  runId: string
  /** The moment as the model is told it, `2026-11-22T06:12Z`. */
  now: string
  /** Absent where the caller of every run brings it. */
  agent?: Agent
  user?: AgentContext['user']
  /** Something private was read in this conversation, perhaps in a part of it that is no part of this transcript. */
  privateBefore?: true
  /** Writes of other runs of this turn that are no part of this transcript (edit, regenerate). */
  priorWrites?: readonly PriorWrite[]
}

/** A write that the transcript does not tell of: it asks before it runs again. */
export interface PriorWrite {
  toolName: string
  /** With it the user is asked about one that may have happened. */
  toolCallId?: string
  arguments: Record<string, unknown>
  /** ISO 8601: when it was called. */
  at?: string
  /** Anything but `succeeded` (the default) may have happened. */
  status?: 'succeeded' | 'running' | 'unknown'
  /** How often it had run before in this turn. Default 0. */
  repetition?: number
  /** Somebody is asked about it already. */
  isAsked?: boolean
  /** Of a turn that is too far back to be read, not of this one: the model is not told. */
  isEarlier?: boolean
  /** What came back, shown to the model so that it knows what is done. */
  result?: unknown
  /** What it did, in one line for people. */
  summary?: string
}

/** The model is asked. Everything until `step-end` counts only when that is there. */
export interface StepStart {
  type: 'step-start'
  /** The model may call no more tools: how the run ends after its last words. */
  last?: 'completed' | 'failed'
}

/** What the model thought before it answered, for people: it is no part of what is said, and no model is told it. */
export interface Thought {
  type: 'thought'
  text: string
}

export interface ModelText {
  type: 'model-text'
  text: string
}

/** A call: what the model wrote, and what was made of it. A call that a decision lets go on stands here again. */
export interface Call {
  type: 'call'
  /** Ours, in events, ledger and answers; the same when a parked call goes on. */
  toolCallId: string
  /** Its id in messages, where the call stands a second time. */
  messageId?: string
  /** The tool as the model named it. */
  name: string
  /** The arguments as the model wrote them; absent where they were fine, so that `input` says the same. */
  rawArguments?: string
  /** The tool it means; `name` where there is none. */
  toolName: string
  /** The tool that an unknown name resembles, `''` when it resembles none; absent where it is `toolName`. */
  intendedTool?: string
  effect: Effect
  /** True when `input` is fit to be run. */
  prepared: boolean
  /** Prepared arguments; otherwise as far as they can be read, or the raw text. */
  input: Record<string, unknown> | string
  repairs: Repair[]
  /** Number of the intent within the conversation. */
  intent: number
  /** 1 to 3, counted per intent and user message. */
  attempt: number
  /** Id of the open item of an earlier message that it continues. */
  continues?: string
  /** ISO 8601: when the model asked for it, or a decision let it go on. */
  startedAt: string
  /** The same arguments have failed before. */
  repeated?: true
  /** 1 or more for an approved repetition of the same write in the same turn. */
  repetition?: number
  /** The same call of the same step. */
  duplicateOf?: string
  /** A person or the clock let it go on: nothing is asked again. */
  approved?: true
  /** What a provider wants back with the call: opaque, never shown to a client. */
  extraContent?: unknown
}

/** The model's answer is complete. */
export interface StepEnd {
  type: 'step-end'
  provider: string
  model: string
  finishReason: string
  usage: { inputTokens: number; outputTokens: number }
  /** US dollars, where the price is known. */
  cost?: number
  temperature?: number
  durationMs: number
}

/** A tool has asked a model by itself: it counts like the answers above. Stands before the result of its call. */
export interface ToolModelCall extends ToolModelUse {
  type: 'tool-model-call'
  toolCallId: string
}

/** How a call ended. `rejected`: refused before execution; `failed`: provably not executed; `unknown`: it may have. */
export interface Result {
  type: 'result'
  toolCallId: string
  status: 'rejected' | 'succeeded' | 'failed' | 'unknown' | 'cancelled'
  /** As the model reads it: large outputs are shortened. */
  result: ToolResult
  /** What was left out of the output, and how to get it. */
  note?: string
  /** What it did, in one line for people, where its tool says how: `Sent "Meeting" to "ada@example.com"`. */
  summary?: string
  /** Executions of it; 0 when it was refused before. */
  tries: number
  durationMs: number
  /** The result of the same write before, which was not run again. */
  again?: true
  /** The call under which it still runs elsewhere: the end of the run asks the ledger how that ended. */
  runsAs?: string
  /** Milliseconds since 1970: the clock can resolve it, after a longer wait than a run may take. */
  retryAt?: number
}

/** The executor waits inside a run and tries again. A run that is parked for the clock has a question instead. */
export interface Wait {
  type: 'wait'
  toolCallId: string
  waitMs: number
  reason: string
}

/** Why an approval is asked. */
export type ApprovalReason = 'consent' | 'provenance' | 'repetition' | 'unknown' | 'addresses' | 'destructive'

/** Somebody is waited for: opens an item, which exactly one later entry closes. An intent has at most one open item. */
export interface QuestionEntry {
  type: 'question'
  /** Ours, unique; of an approval it is the `approvalId`, so that no yes counts for another question. */
  itemId: string
  kind: 'input' | 'approval' | 'connection' | 'wait'
  /** The intent of its call; 0 where a whole run waits for the clock. */
  intent: number
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601: when it was asked first, where it is asked anew in the same words. */
  since?: string
  /** ISO 8601: an approval that is pressed later asks anew. Never of an unknown outcome. */
  expiresAt?: string
  /** `''` where a whole run waits for the clock. */
  toolCallId: string
  toolName: string
  /** The sentence as a whole; the parts below are what it is made of. */
  question: string
  /** What it asks, stable, with what its words are about: for clients that say it in another language. */
  code: SentenceCode
  codeValues?: Record<string, unknown>
  asked?: string
  hint?: string
  /** Titles of what else is missing. */
  alsoNeeded?: string[]
  /** Of an approval: what is done, and the verb on its button. */
  confirm?: string
  button?: string
  /** What a mail is sent from. */
  account?: string
  /** What is known of the call; for `input` with slot texts at the open paths. */
  arguments: Record<string, unknown>
  /** Paths that a person has to fill in. */
  open: string[]
  /** The only values that the one open path can take now. */
  choices?: unknown[]
  /** The values this decision is about: they count as said by the user once it is made. */
  approves?: { path: string; value: unknown }[]
  /** Why an approval is asked. */
  reason?: ApprovalReason
  /** Addresses on the web that a yes opens. */
  addresses?: string[]
  /** Other calls of the round that this decision is about. */
  together?: string[]
  /** Which repetition of the write the decision is about. */
  repetition?: number
  /** It may have been carried out already: the decision is about doing it again. */
  uncertain?: true
  href?: string
  /** ISO 8601. */
  resumeAt?: string
}

/** What a person, a new connection or the clock decided about an open item: closes it. */
export interface DecisionEntry {
  type: 'decision'
  itemId: string
  toolCallId: string
  decision: 'answer' | 'approve' | 'deny' | 'draft' | 'skip' | 'connect' | 'time'
  /** The values of a form. */
  values?: Record<string, unknown>
  /** The whole call as the user edited it. */
  input?: Record<string, unknown>
  reason?: string
}

/**
 * Closes an open item that nobody decided. `replaced`: a later question or call took its place; `expired`: it was open
 * too long; `stop`: its wait was stopped. A wait is also closed by the next user message.
 */
export interface Closed {
  type: 'closed'
  itemId: string
  toolCallId: string
  as: 'replaced' | 'expired' | 'stop'
}

/** Why an answer of the model leads nowhere; what is said to it is made of this. */
export interface Nudge {
  type: 'nudge'
  stall: 'empty' | 'length' | 'malformed' | 'repetition'
}

/** Something about the model's servers that people may want to see. */
export type Notice =
  | { type: 'notice'; notice: 'model-switch'; from: string; to: string; reason: string }
  | { type: 'notice'; notice: 'model-failed'; reason: string }
  | { type: 'notice'; notice: 'model-retry'; model: string; attempt: number; waitMs: number; reason: string }

export type RunStatus =
  | 'completed'
  | 'waiting'
  | 'needs_input'
  | 'needs_approval'
  | 'needs_connection'
  | 'failed'

export interface RunEnd {
  type: 'run-end'
  status: RunStatus
  /** The model's words, where its last text is not all of them: `''` for none, what it had written when it was stopped. */
  text?: string
  /** Sentences of our own that follow them, a part each. */
  ours?: OwnText[]
}

/** A sentence of our own, with what it says; `toolCallId`: of the call that it asks about. */
export interface OwnText extends Said {
  text: string
  toolCallId?: string
}
