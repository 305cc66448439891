import type { UIMessage } from 'ai'

/** How a run ended, or whom it waits for. */
export type RunStatus =
  | 'running'
  | 'completed'
  | 'waiting'
  | 'needs_input'
  | 'needs_approval'
  | 'needs_connection'
  | 'failed'

/** What the user thinks of an answer. */
export type Rating = 'good' | 'bad'

export interface MessageMetadata {
  conversationId?: string
  runId?: string
  status?: RunStatus
  usage?: { inputTokens: number; outputTokens: number; modelCalls: number }
  /** Of a stored answer that the user has rated. */
  feedback?: { rating: Rating; reason?: string }
  /** Milliseconds that each call took. */
  toolTimes?: Record<string, number>
  /** Which texts are no words of the model: what each says, and the call that it asks about. */
  texts?: { code: string; values?: Record<string, unknown>; text: string; toolCallId?: string }[]
}

/** One lossless change of a call: where, and by which rule. */
export interface Repair {
  path: string
  rule: string
}

/** What `data-*` parts of a message hold. */
export type MessageData = {
  'tool-error': {
    toolCallId: string
    attempt?: number
    errorType: string
    parameter?: string
    /** What its sentence says, and is about. */
    code?: string
    values?: Record<string, unknown>
  }
  /** Why a card is over that nobody decided on. */
  closed: { toolCallId: string; code: string; text: string }
  question: { toolCallId: string; type?: string; question?: string; answered?: boolean }
  /** `resumeAt` (ISO 8601): the run goes on by itself then; `waitMs`: it waits that long for a provider, and works. */
  wait: { toolCallId: string; resumeAt?: string; waitMs?: number }
  'model-switch': { from: string; to: string }
  /** Shown while the message is written, and no part of it. */
  notice: { code: string; text: string }
  repair: { toolCallId: string; repairs: Repair[] }
  /** A write of an answer that this one has taken the place of. */
  'done-before': { toolCallId: string; toolName: string; summary?: string; input?: Record<string, unknown> }
  /** `intent`: the attempts of one thing share it. `startedAt`: ISO 8601. `summary`: what the call did, in one line. */
  call: { toolCallId: string; intent: number; startedAt: string; summary?: string }
}

/** A message of a conversation, as `useChat` holds it. */
export type ChatMessage = UIMessage<MessageMetadata, MessageData>
export type ChatPart = ChatMessage['parts'][number]

/** JSON Schema, as far as forms are made from it. */
export interface FormSchema {
  type?: string | string[]
  title?: string
  description?: string
  hint?: string
  format?: string
  secret?: boolean
  enum?: unknown[]
  /** How people read the values of `enum`, where they are not read as they are. */
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

/** An open item: somebody is waited for. */
export interface Pending {
  type: 'input' | 'approval' | 'connection' | 'wait'
  itemId: string
  /** Who asks; null where that agent was deleted. */
  agentId: string | null
  /** The answer that it stands in. */
  messageId: string
  toolCallId: string
  toolName: string
  /** The tool as people read it. */
  title?: string
  /** What is asked, whatever the words; `codeValues`: what they are about. */
  code?: string
  codeValues?: Record<string, unknown>
  /** What is asked, in one sentence or two. */
  asked?: string
  /** What belongs there, or why it is asked. */
  hint?: string
  /** Titles of what else is missing. */
  alsoNeeded?: string[]
  /** All of it as one text. */
  question: string
  /** Of an approval: what is done, and the verb on its button. */
  confirm?: string
  button?: string
  /** What a mail is sent from. */
  account?: string
  /** Of the open fields, for `input`. */
  schema?: FormSchema
  /** What is kept of the call; of an approval, the whole call. */
  values?: Record<string, unknown>
  /** Where to connect, for `connection`. */
  href?: string
  /** ISO 8601, for `wait`. */
  resumeAt?: string
  approvalId?: string
  /** Why an approval is asked. */
  reason?: 'consent' | 'provenance' | 'repetition' | 'unknown' | 'addresses' | 'destructive'
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601: pressed later, an approval is asked anew. */
  expiresAt?: string
}

/** What the user has decided about an item that was open. */
export interface Decided {
  itemId: string
  /** The answer that it stands in. */
  messageId: string
  toolCallId: string
  decision: 'answer' | 'approve' | 'deny' | 'draft' | 'skip'
  /** ISO 8601. */
  at: string
}

/** An open item of any conversation. */
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

/** A model that a conversation can be answered by. */
export interface ModelChoice {
  /** As it is sent to choose it: `provider/model`. */
  id: string
  provider: string
  model: string
  /** It answers where nothing is chosen. */
  isDefault: boolean
  /** A few rules, no language model. */
  isDemo: boolean
  /** It is asked with the user's own key. */
  isOwnKey: boolean
}

/** What stopping has come to. */
export interface StopAnswer {
  conversationId: string
  /** The run that was stopped; null when none was at work. */
  runId: string | null
  stopped: boolean
}

export interface ConversationSummary {
  id: string
  title: string | null
  status: RunStatus
  /** What waits for the user in it. */
  open: { count: number; kinds: Pending['type'][]; oldest: string | null }
  pinned: boolean
  archived: boolean
  agentId: string | null
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
  /** Of a search: where its words stand. */
  match?: SearchMatch
}

/** [from, to) in a text, in UTF-16 code units. */
export type TextRanges = [from: number, to: number][]

export interface SearchMatch {
  /** In the title. */
  title: TextRanges
  /** The part of a message that has the words, as text; absent where only the title has them. */
  message?: { id: string; role: 'user' | 'assistant'; createdAt: string; text: string; ranges: TextRanges }
}

/** A page of conversations; `next` is the value of `before` for the page behind it. */
export interface ConversationPage {
  conversations: ConversationSummary[]
  next?: string
}

export interface Conversation {
  id: string
  title: string | null
  status: RunStatus
  /** The newest 100, or those before the one asked for; without a message that is still being written. */
  messages: ChatMessage[]
  /** When each of them was written, ISO 8601, by its id: when it was sent, or its answer began. */
  times: Record<string, string>
  /** What the user has decided in these messages, oldest first. */
  decided?: Decided[]
  /** The value of `before` for the messages before them; absent where there are none. */
  next?: string
  pending: Pending[]
}

/** A tool as people are told of it. */
export interface ToolDescription {
  name: string
  title: string
  description: string
  effect: 'read' | 'write'
  parameters: FormSchema
  providers: string[]
  /** Where it runs. */
  function: string
  action: string
  /** Whether a call waits for the user, unless an agent says otherwise. */
  approval: 'always' | 'sometimes' | 'never'
  /** Why nobody can use it at the moment; null when it can be used. */
  offReason: string | null
}

/** What became of a tool that was run by hand. */
export interface ToolOutcome {
  ok: boolean
  data?: unknown
  /** A sentence, often a question. */
  error?: string
  errorType?: string
  details?: {
    /** The place that it is about, like `to[0]`. */
    parameter?: string
    problems?: { parameter?: string; expected?: string }[]
    action?: { label: string; href: string }
  }
}
