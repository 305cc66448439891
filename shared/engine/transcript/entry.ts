import type { ChatCompletionContentPart } from 'openai/resources/chat/completions'
import type { Done } from '../../words/fill-template.ts'
import type { SentenceCode } from '../../words/sentence-codes.ts'
import type { Said } from '../core/asked.ts'
import type { Permission } from '../core/permission.ts'
import type { Repair } from '../core/repair.ts'
import type { Change, Seen } from '../core/seen.ts'
import type { ParkedQuestion, ServerQuestion, ServerReply } from '../core/server-question.ts'
import type { ToolResult } from '../core/tool-error.ts'
import type { Approvers, Effect, ToolModelUse } from '../core/tool-specification.ts'
import type { FailureCause } from '../models/protocol/call-failure.ts'
import type { ChatMessage, ModelFailure, ModelReads, RequestCut } from '../models/protocol/model-client.ts'
import type { Agent, AgentContext } from '../tools/agent.ts'

/**
 * The transcript: an append-only list of what happened, plain JSON. It is the only record of a conversation: what a
 * model reads, what clients are shown and what the loop must know are all derived from it.
 */
export type Entry =
  | UserMessage
  | ClientCall
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

/** A file; neither its content nor its name count as the user's words. */
export interface FilePart {
  type: 'file'
  mediaType: string
  filename?: string
  /** For a stored file: identifies it for tools. Its content is loaded when a run starts. */
  file_id?: string
  /** Bytes. */
  size?: number
  /** Its URL, if it is not stored. */
  url?: string
}

/** Part of a user message. Only texts are the user's own words; `data-*` parts are only for clients. */
export type UserPart =
  | ChatCompletionContentPart
  | FilePart
  | ({ type: `data-${string}` } & Record<string, unknown>)

/** What a person wrote. Starts a turn. */
export interface UserMessage {
  type: 'user-message'
  content: string | readonly UserPart[]
  /** Earlier turns that took place elsewhere, as OpenAI chat messages. */
  earlier?: readonly ChatMessage[]
  /** `earlier` is all that a model reads of the past, instead of this transcript. */
  replacesHistory?: true
  /** It is long and comes without its middle; `quotes`: whether the whole text quotes anything. */
  cut?: { quotes: boolean }
  /** Earlier messages that are not shown to the model: how many come before this one, or before `earlier`. */
  older?: number
  /** What the user typed in those that took place elsewhere: no model reads it, rules do. */
  olderSaid?: readonly string[]
}

/** What a program called over MCP, in place of a message: nobody has said anything. Starts a turn. */
export interface ClientCall {
  type: 'client-call'
  /** As it calls itself. */
  client: { name: string; version?: string }
  /** As it wrote them. */
  name: string
  rawArguments: string
  /** What it asks the agent itself, whose model answers: it has called no tool then. */
  message?: string
  /** How many attempts of its at this tool have failed shortly before. */
  failed?: number
}

/** Work starts: after a user message or a call, after decisions, or again after a process died. */
export interface RunStart {
  type: 'run-start'
  /** A UUID, the same for every run that continues another one of its turn. */
  runId: string
  /** The moment as the model is told it, `2026-11-22T06:12Z`. */
  now: string
  /** Absent if the caller passes it to every run. */
  agent?: Agent
  user?: AgentContext['user']
  /**
   * Something private was read in this conversation, possibly in a part that is not in this transcript: with these tools, as
   * far as that is known.
   */
  privateBefore?: true | readonly string[]
  /** Writes of other runs of this turn that are not in this transcript (edit, regenerate). */
  priorWrites?: readonly PriorWrite[]
}

/** A write that is not in the transcript: repeating it asks first. */
export interface PriorWrite {
  toolName: string
  /** Needed to ask the user about one that may have happened. */
  toolCallId?: string
  arguments: Record<string, unknown>
  /** ISO 8601: when it was called. */
  at?: string
  /** Anything except `succeeded` (the default) may have happened. */
  status?: 'succeeded' | 'running' | 'unknown'
  /** How often it has already run in this turn. Default 0. */
  repetition?: number
  /** Somebody has already been asked about it. */
  isAsked?: boolean
  /** Nobody knows what became of an equal one before it, either: once more may do it twice. */
  isSecond?: boolean
  /** From a turn that is too far back to be read, not from this one: the model is not told. */
  isEarlier?: boolean
  /** Its result, shown to the model so that it knows what is done. */
  result?: unknown
  /** What its summary tells. */
  done?: Done
  /** The same in English, which older releases stored. */
  summary?: string
}

/** The model is called. Everything until `step-end` only counts once that is there. */
export interface StepStart {
  type: 'step-start'
  /** The model may call no more tools: how the run ends after its last words. */
  last?: 'completed' | 'failed'
}

/** The model's thoughts before its answer, for people: they are not part of the answer, and no model reads them. */
export interface Thought {
  type: 'thought'
  text: string
}

export interface ModelText {
  type: 'model-text'
  text: string
}

/** A call: what the model wrote, and what it was turned into. A call that a decision allows to continue is repeated here. */
export interface Call {
  type: 'call'
  /** Ours, in events, ledger and answers; the same when a waiting call continues. */
  toolCallId: string
  /** Its id in messages, if the call appears a second time. */
  messageId?: string
  /** The tool's name as the model wrote it. */
  name: string
  /** The arguments as the model wrote them; absent if they were fine, because `input` is the same. */
  rawArguments?: string
  /** The tool it means; `name` if there is none. */
  toolName: string
  /** The tool that an unknown name resembles, `''` if none; absent if it is `toolName`. */
  intendedTool?: string
  effect: Effect
  /** True if `input` can be run. */
  prepared: boolean
  /** Prepared arguments; otherwise as far as they could be parsed, or the raw text. */
  input: Record<string, unknown> | string
  repairs: Repair[]
  /** Number of the intent within the conversation. */
  intent: number
  /** 1 to 3, counted per intent and user message. */
  attempt: number
  /** Id of the open item of an earlier message that it continues. */
  continues?: string
  /** ISO 8601: when the model asked for it, or a decision allowed it to continue. */
  startedAt: string
  /** The same arguments have failed before. */
  repeated?: true
  /** 1 or more for an approved repetition of the same write in the same turn. */
  repetition?: number
  /** An identical call of the same step. */
  duplicateOf?: string
  /** A person or the clock allowed it to continue: nothing is asked again. */
  approved?: true
  /** What a provider wants back with the call: opaque, never shown to a client. */
  extraContent?: unknown
}

/** The model's reply is complete. */
export interface StepEnd {
  type: 'step-end'
  provider: string
  model: string
  finishReason: string
  usage: { inputTokens: number; outputTokens: number }
  /** US dollars, if the price is known. */
  cost?: number
  temperature?: number
  /** How many calls it asked for, if only the first of them were kept. */
  asked?: number
  /** What it reads at once; absent if nobody says it. */
  reads?: ModelReads
  /** What it was not sent, because it reads less. */
  cut?: RequestCut
  durationMs: number
}

/** A model call made by a tool: it counts like the answers above. Comes before the result of its call. */
export interface ToolModelCall extends ToolModelUse {
  type: 'tool-model-call'
  toolCallId: string
}

/** How a call ended. `rejected`: refused before execution; `failed`: provably not executed; `unknown`: it may have been. */
export interface Result {
  type: 'result'
  toolCallId: string
  status: 'rejected' | 'succeeded' | 'failed' | 'unknown' | 'cancelled'
  /** As the model reads it: large outputs are shortened. */
  result: ToolResult
  /** What was left out of the output, and how to get it. */
  note?: string
  /** Only a brief of the output is here. */
  brief?: true
  /** What its tool's summary tells of it; absent if the tool has none, or if it was done before. */
  done?: Done
  /** The same in English, which older releases stored. */
  summary?: string
  /** Executions of it; 0 if it was refused before. */
  tries: number
  durationMs: number
  /** The result of the same write before, which was not run again. */
  again?: true
  /** The call as which it still runs elsewhere: the end of the run asks the ledger how that ended. */
  runsAs?: string
  /** Of an unknown one: nobody knows what became of an equal one before it, either. Once more may do it twice. */
  isSecond?: true
  /** Milliseconds since 1970: the clock can resolve it, after a longer wait than a run may take. */
  retryAt?: number
  /** What other open items rely on after this write, by id: what this conversation did is no change to them. */
  seen?: Record<string, Seen>
  /** What its server asks before it goes on: no model or client ever sees this. */
  parked?: ParkedQuestion
}

/** The executor waits inside a run and tries again. A run that ends to wait for the clock has a question instead. */
export interface Wait {
  type: 'wait'
  toolCallId: string
  waitMs: number
  reason: string
}

/** Why approval is needed. */
export type ApprovalReason =
  | 'consent'
  | 'provenance'
  | 'repetition'
  | 'unknown'
  | 'addresses'
  | 'destructive'
  | 'outside'

/** Waits for somebody: opens an item, which exactly one later entry closes. An intent has at most one open item. */
export interface QuestionEntry {
  type: 'question'
  /** Ours, unique; for an approval it is the `approvalId`, so that no yes counts for another question. */
  itemId: string
  kind: 'input' | 'approval' | 'connection' | 'wait'
  /** The intent of its call; 0 if a whole run waits for the clock. */
  intent: number
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601: when it was first asked, if it is asked again in the same words. */
  since?: string
  /** ISO 8601: after this, an approval is asked for again. Never for an unknown outcome. */
  expiresAt?: string
  /** The limit of the app's that it waits for, as the app names it. */
  heldBy?: string
  /** `''` if a whole run waits for the clock. */
  toolCallId: string
  toolName: string
  /** Identifies the question, with the values in it: `wordsOfQuestion` words it. */
  code: SentenceCode
  codeValues?: Record<string, unknown>
  /** Its English words, which older releases stored where their catalogue had none for its code. */
  asked?: string
  hint?: string
  /** The account that a mail is sent from. */
  account?: string
  /** Why approval is needed, if it asks for something else as well: a value, or whether a draft will do. */
  why?: Said
  /** The known arguments of the call; for `input` with slot texts at the open paths. */
  arguments: Record<string, unknown>
  /** Paths that a person has to fill in. */
  open: string[]
  /** The only values that the single open path can have now. */
  choices?: unknown[]
  /** The values this decision covers: once it is made, they count as said by the user. */
  approves?: { path: string; value: unknown }[]
  /** Why approval is needed. A form that has one can be filled in and approved at once. */
  reason?: ApprovalReason
  /** The standing permission that a person may give instead of approving each such call. */
  remember?: Permission
  /** Web addresses that a yes opens. */
  addresses?: string[]
  /** Who was asked, if not the user alone. */
  approvers?: Approvers
  /** Other calls of the round that this decision covers. */
  together?: string[]
  /** The number of the repetition that the decision is about. */
  repetition?: number
  /** It may already have been carried out: the decision is about doing it again. */
  outcomeUnknown?: true
  /** Older open items of its tool, so that whoever approves both knows of both. */
  stillWaiting?: (Said & { toolCallId: string })[]
  /** What the tool saw when this was asked, to be compared before the effect: no model or client ever sees it. */
  seen?: Seen
  /** A server of MCP asks it, before it goes on with the call. The answer goes to that server alone. */
  server?: ServerQuestion
  /** What goes back to the server with the answer: no model or client ever sees it. */
  state?: string
  /** What the user has answered to its server, which gets it once this is decided: no model or client ever sees it. */
  reply?: ServerReply
  /** What has changed since it was asked before. */
  changed?: Change[]
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
  /** The values of a form, also of one that is approved with them. */
  values?: Record<string, unknown>
  /** For the server that has asked: nobody else ever reads it, and it is nobody's word for anything. */
  reply?: ServerReply['responses']
  /** The whole call, as edited by the user. */
  input?: Record<string, unknown>
  reason?: string
  /** Absent if the user decided in an app. */
  by?: DecidedBy
  /** Who has approved it, in this order, if not the user alone had to. */
  approvedBy?: ApprovedBy[]
  /** Absent if nobody read it: the clock's. */
  shown?: Shown
}

/** Who decided away from the conversation. */
export interface DecidedBy {
  /**
   * `page`: the user, signed in at the item's own page; `link`: whoever has a link that decides by itself; `approver`: one of
   * the group that decides it, signed in; `client`: a program over MCP, whose word is nobody's.
   */
  door: 'page' | 'link' | 'approver' | 'client'
  /** The id of the link. */
  link?: string
  /** Their user id, if they are an approver. */
  approver?: string
  /** Whom the link was made for, the approver, or what the program calls itself. */
  name?: string
}

/** One of those who have approved something. */
export interface ApprovedBy {
  /** For whom: the item's user, or the group. */
  part: 'user' | 'group'
  name: string
  group?: string
}

/** What somebody read who decided. It is evidence: nothing is made of it, and it stays as it was. */
export interface Shown extends Said {
  /** BCP 47. */
  language: string
  /** As it was worded then, in this language. */
  sentence: string
}

/**
 * Closes an open item that nobody decided. `replaced`: a later question or call took its place; `yielded`: one for other
 * people did, and it can be asked again; `expired`: it was open too long; `stop`: its wait was stopped; `gone`: the server of
 * its tool was removed. A wait is also closed by the next user message.
 */
export interface Closed {
  type: 'closed'
  itemId: string
  toolCallId: string
  as: 'replaced' | 'yielded' | 'expired' | 'stop' | 'gone'
}

/** Why a model reply leads nowhere; the words for the model are derived from it. */
export interface Nudge {
  type: 'nudge'
  stall: 'empty' | 'length' | 'malformed' | 'repetition'
}

/** Something about the model's servers that people may want to see. */
export type Notice = { type: 'notice' } & (
  | { notice: 'model-switch'; from: string; to: string; reason: string; failure?: FailureCause }
  | { notice: 'model-failed'; reason: string; failure?: ModelFailure }
  /** A model is not told of this tool, because its server does not take the definition. */
  | { notice: 'tool-refused'; provider: string; model: string; tool: string; why: string }
  /** A model reads less than was known: its server refused a longer request, or cut it without a word. */
  | {
      notice: 'window-learned'
      provider: string
      model: string
      /** Tokens. */
      window: number
      sent: number
      by: 'refusal' | 'silence'
    }
  /** A budget of the app's is nearly used up. */
  | { notice: 'budget'; told: OwnSaid }
  | {
      notice: 'model-retry'
      model: string
      attempt: number
      waitMs: number
      reason: string
      failure?: FailureCause
    }
)

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
  /** The model's words, if its last text is not all of them: `''` for none, what it had written when it was stopped. */
  text?: string
  /** Our own sentences that follow them, one part each. */
  ours?: OwnSaid[]
}

/** A sentence of ours; `toolCallId`: the call that it asks about. */
export interface OwnSaid extends Said {
  toolCallId?: string
  /** Its English words, which older releases stored. */
  text?: string
}

/** The same in the words of a reader. */
export interface OwnText extends OwnSaid {
  text: string
}
