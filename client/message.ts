import type { UIMessage } from 'ai'

/** How a run ended, or whom it is waiting for. */
export type RunStatus =
  | 'running'
  | 'completed'
  | 'waiting'
  | 'needs_input'
  | 'needs_approval'
  | 'needs_connection'
  | 'failed'

/** The user's rating of an answer. */
export type Rating = 'good' | 'bad'

export interface MessageMetadata {
  conversationId?: string
  runId?: string
  status?: RunStatus
  usage?: { inputTokens: number; outputTokens: number; modelCalls: number }
  /** Present if the user has rated this answer. */
  feedback?: { rating: Rating; reason?: string }
  /** How many milliseconds each call took. */
  toolTimes?: Record<string, number>
  /** Texts that the model did not write: what each one says, and which call it is about. */
  texts?: { code: string; values?: Record<string, unknown>; text: string; toolCallId?: string }[]
}

/** One lossless change to a call: where, and by which rule. */
export interface Repair {
  path: string
  rule: string
}

/** The contents of the `data-*` parts of a message. */
export type MessageData = {
  'tool-error': {
    toolCallId: string
    attempt?: number
    errorType: string
    parameter?: string
    /** The code of its sentence, and the values in it. */
    code?: string
    values?: Record<string, unknown>
  }
  /** Why a card closed without anybody's decision. */
  closed: { toolCallId: string; code: string; text: string }
  question: { toolCallId: string; type?: string; question?: string; answered?: boolean }
  /** `resumeAt` (ISO 8601): the run continues by itself then; `waitMs`: it is waiting that long for a provider. */
  wait: { toolCallId: string; resumeAt?: string; waitMs?: number }
  'model-switch': { from: string; to: string }
  /** Shown while the message is being written; not part of it. */
  notice: { code: string; text: string }
  repair: { toolCallId: string; repairs: Repair[] }
  /** A write of an answer that this one replaced. */
  'done-before': { toolCallId: string; toolName: string; summary?: string; input?: Record<string, unknown> }
  /** `intent`: shared by all attempts at one thing. `startedAt`: ISO 8601. `summary`: what the call did, in one line. */
  call: { toolCallId: string; intent: number; startedAt: string; summary?: string }
}

/** A message of a conversation, as `useChat` holds it. */
export type ChatMessage = UIMessage<MessageMetadata, MessageData>
export type ChatPart = ChatMessage['parts'][number]

/** The part of JSON Schema that forms are made from. */
export interface FormSchema {
  type?: string | string[]
  title?: string
  description?: string
  hint?: string
  format?: string
  secret?: boolean
  enum?: unknown[]
  /** Labels for values of `enum` that people would not read as they are. */
  choices?: Readonly<Record<string, string>>
  default?: unknown
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: FormSchema
  properties?: Record<string, FormSchema>
  required?: string[]
  [keyword: string]: unknown
}

/** An open item: somebody has to answer, or the clock has to run. */
export interface Pending {
  type: 'input' | 'approval' | 'connection' | 'wait'
  itemId: string
  /** Who asks; null if that agent was deleted. */
  agentId: string | null
  /** The answer it belongs to. */
  messageId: string
  toolCallId: string
  toolName: string
  /** The tool's title. */
  title?: string
  /** Identifies the question whatever its wording; `codeValues` are the values in it. */
  code?: string
  codeValues?: Record<string, unknown>
  /** The question, in one or two sentences. */
  asked?: string
  /** What to enter, or why it is asked. */
  hint?: string
  /** Titles of the other missing fields. */
  alsoNeeded?: string[]
  /** The whole question as one text. */
  question: string
  /** For an approval: what will be done, and the verb on its button. */
  confirm?: string
  button?: string
  /** The account that a mail is sent from. */
  account?: string
  /** The open fields, for `input`. */
  schema?: FormSchema
  /** The known values of the call; for an approval, the whole call. */
  values?: Record<string, unknown>
  /** Where to connect, for `connection`. */
  href?: string
  /** ISO 8601, for `wait`. */
  resumeAt?: string
  approvalId?: string
  /** Why approval is needed. */
  reason?: 'consent' | 'provenance' | 'repetition' | 'unknown' | 'addresses' | 'destructive'
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601: after this, the approval is asked for again. */
  expiresAt?: string
}

/** What the user decided about an open item. */
export interface Decided {
  itemId: string
  /** The answer it belongs to. */
  messageId: string
  toolCallId: string
  decision: 'answer' | 'approve' | 'deny' | 'draft' | 'skip'
  /** ISO 8601. */
  at: string
}

/** An open item in any conversation. */
export interface OpenItem extends Pending {
  conversationId: string
  conversationTitle: string | null
}

/** The JSON answer of a run. */
export interface ChatAnswer {
  conversationId: string
  runId: string
  status: RunStatus
  /** Never empty. */
  text: string
  message: ChatMessage
  /** What was called, in order. */
  toolsUsed?: { toolCallId: string; toolName: string; ok: boolean; summary?: string }[]
  pending?: Pending[]
}

/** A model that can answer a conversation. */
export interface ModelChoice {
  /** The id to choose it by: `provider/model`. */
  id: string
  provider: string
  model: string
  /** Used if none is chosen. */
  isDefault: boolean
  /** A few rules, not a language model. */
  isDemo: boolean
  /** Called with the user's own key. */
  isOwnKey: boolean
}

/** The result of stopping. */
export interface StopAnswer {
  conversationId: string
  /** The run that was stopped; null if none was running. */
  runId: string | null
  stopped: boolean
}

export interface ConversationSummary {
  id: string
  title: string | null
  status: RunStatus
  /** The items in it that are waiting for the user. */
  open: { count: number; kinds: Pending['type'][]; oldest: string | null }
  pinned: boolean
  archived: boolean
  agentId: string | null
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
  /** For a search: where the words were found. */
  match?: SearchMatch
}

/** [from, to) in a text, in UTF-16 code units. */
export type TextRanges = [from: number, to: number][]

export interface SearchMatch {
  /** In the title. */
  title: TextRanges
  /** The excerpt of a message that contains the words; absent if only the title does. */
  message?: { id: string; role: 'user' | 'assistant'; createdAt: string; text: string; ranges: TextRanges }
}

/** A page of conversations; pass `next` as `before` for the next page. */
export interface ConversationPage {
  conversations: ConversationSummary[]
  next?: string
}

export interface Conversation {
  id: string
  title: string | null
  status: RunStatus
  /** The newest 100 messages, or those before `before`; without a message that is still being written. */
  messages: ChatMessage[]
  /** When each message was sent, or its answer began: ISO 8601, by id. */
  times: Record<string, string>
  /** The user's decisions in these messages, oldest first. */
  decided?: Decided[]
  /** Pass it as `before` to get earlier messages; absent if there are none. */
  next?: string
  pending: Pending[]
}

/** A tool as people see it. */
export interface ToolDescription {
  name: string
  title: string
  description: string
  effect: 'read' | 'write'
  parameters: FormSchema
  providers: string[]
  /** The function that runs it. */
  function: string
  action: string
  /** Whether calls need approval, unless an agent says otherwise. */
  approval: 'always' | 'sometimes' | 'never'
  /** Why nobody can use it at the moment, or null. */
  offReason: string | null
}

/** The result of a tool that was run directly. */
export interface ToolOutcome {
  ok: boolean
  data?: unknown
  /** A sentence, often a question. */
  error?: string
  errorType?: string
  details?: {
    /** The path it is about, like `to[0]`. */
    parameter?: string
    problems?: { parameter?: string; expected?: string }[]
    action?: { label: string; href: string }
  }
}
