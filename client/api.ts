// Made of the schemas in shared/api by `npx tsx scripts/api.ts`: do not change it by hand.
import type { ChatMessage, FormSchema } from './message.ts'

/** A token that opens agents to OpenAI clients. */
export interface ApiToken {
  id: string
  name: string
  /** How its value begins. */
  prefix: string
  /** Ids of the agents that it opens; null: all, later ones too. */
  agents: string[] | null
  /** ISO 8601; null: never. */
  expiresAt: string | null
  /** To the minute. */
  lastUsedAt: string | null
  createdAt: string
}

export interface Approval {
  toolCallId: string
  decision: 'approve' | 'deny' | 'draft'
  approvalId: string
  /** The whole call as the user edited it. */
  input?: Record<string, unknown> | undefined
  reason?: string | undefined
}

/** The JSON answer of a run. */
export interface ChatAnswer {
  conversationId: string
  runId: string
  status: 'completed' | 'waiting' | 'needs_input' | 'needs_approval' | 'needs_connection' | 'failed'
  /** Never empty. */
  text: string
  message: ChatMessage
  /** What was called, in order. */
  toolsUsed: ToolUse[]
  usage: {
    inputTokens: number
    outputTokens: number
    modelCalls: number
  }
  /** What is open in the conversation: in this message first. */
  pending?: Pending[] | undefined
}

export interface ClientMessages {
  /** The conversation: one that is there, or a name for a new one. */
  id?: string | undefined
  /** The same as `id`. */
  conversationId?: string | undefined
  /** Without it: the agent of the conversation, or the oldest of the user. */
  agentId?: string | undefined
  /** Answers in this conversation from now on: the id of one of `GET /chat/models`. Null gives the choice back to the agent. */
  model?: string | null | undefined
  /** A `UIMessage`, in place of `messages`. */
  message?: {
    role: 'user' | 'assistant' | 'system'
  } | undefined
  /** `UIMessage`s of the AI SDK. Of them are taken those of the user at the end that are new, and decisions. */
  messages?: {
    role: 'user' | 'assistant' | 'system'
  }[] | undefined
  messageId?: string | undefined
  trigger?: 'submit-message' | 'regenerate-message' | undefined
}

/** An account that a user has connected. It holds no secrets. */
export interface Connection {
  id: string
  provider: string
  label: string
  /** The address or name that it acts as. */
  account: string | null
  status: 'connected' | 'expiring' | 'expired' | 'failed' | 'disabled'
  /** Its place in the order in which tools try several. */
  position: number
  /** What was entered, without the secrets. */
  values: Record<string, unknown>
  /** What the user has granted, where it signs in. */
  scopes?: string[] | undefined
  /** The same in words. */
  allowed?: string[] | undefined
  /** Tools, and actions of tools (`tool:action`), that a missing permission switches off. */
  unavailable?: {
    tool: string
    reason: string
  }[] | undefined
  /** ISO 8601. */
  lastUsedAt: string | null
  lastError: string | null
  /** ISO 8601: when the user has to sign in again. */
  expiresAt?: string | undefined
}

export interface ConnectionChange {
  /** What its user calls it. */
  label?: string | undefined
  /** The fields to change. Secrets that are left out stay as they are. */
  values?: Record<string, unknown> | undefined
  position?: number | undefined
  /** A disabled connection stays as it is and is not used. */
  disabled?: boolean | undefined
}

export interface Conversation {
  id: string
  title: string | null
  status: 'running' | 'completed' | 'waiting' | 'needs_input' | 'needs_approval' | 'needs_connection' | 'failed'
  /** The newest 100, or those before the one asked for; without one that is still being written. */
  messages: ChatMessage[]
  /** When each of them was written, by its id: where `times` was asked for. */
  times?: Record<string, string> | undefined
  /** What the user has decided in them: where `times` was asked for. */
  decided?: Decided[] | undefined
  /** The value of `before` for the messages before them. */
  next?: string | undefined
  pending: Pending[]
}

export interface ConversationChange {
  title?: string | undefined
  pinned?: boolean | undefined
  archived?: boolean | undefined
}

export interface ConversationPage {
  conversations: ConversationSummary[]
  /** The value of `before` for the page behind it. */
  next?: string | undefined
}

export interface ConversationSummary {
  id: string
  title: string | null
  status: 'running' | 'completed' | 'waiting' | 'needs_input' | 'needs_approval' | 'needs_connection' | 'failed'
  /** What waits for the user in it. */
  open: {
    count: number
    kinds: ('input' | 'approval' | 'connection' | 'wait')[]
    oldest: string | null
  }
  pinned: boolean
  archived: boolean
  agentId: string | null
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
  match?: SearchMatch | undefined
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

/** What became of an account. */
export interface DeletedAccount {
  deleted: true
  /** Providers that could not be told: the user removes the app there. */
  notRevoked: string[]
}

export interface Feedback {
  messageId: string
  /** Null takes it back. */
  rating: 'good' | 'bad' | null
  reason?: string | undefined
}

export interface InputAnswer {
  itemId?: string | undefined
  /** Instead of `itemId`: the call that waits. */
  toolCallId?: string | undefined
  values: Record<string, unknown>
}

export interface MadeApiToken {
  id: string
  name: string
  /** How its value begins. */
  prefix: string
  /** Ids of the agents that it opens; null: all, later ones too. */
  agents: string[] | null
  /** ISO 8601; null: never. */
  expiresAt: string | null
  /** To the minute. */
  lastUsedAt: string | null
  createdAt: string
  /** The token itself. This is the only time it is shown. */
  value: string
}

/** A model that a conversation can be answered by. */
export interface ModelChoice {
  /** As it is sent to choose it: `provider/model`. */
  id: string
  provider: string
  model: string
  /** It answers where nothing is chosen. */
  isDefault: boolean
  /** A few rules of the local stack, no language model. */
  isDemo: boolean
  /** It is asked with the user’s own key. */
  isOwnKey: boolean
}

/** One thing that happened: when, what kind, how long, and codes. */
export interface Moment {
  runId: string
  /** ISO 8601. */
  at: string
  type: string
  durationMs?: number | undefined
  facts: Record<string, string | number | boolean | string[]>
}

export interface NewApiToken {
  name: string
  /** Ids of the agents that it opens. Without it: all, later ones too. */
  agents?: string[] | undefined
  expiresAt?: string | undefined
}

export interface NewConnection {
  provider: string
  /** What its user calls it. */
  label?: string | undefined
  /** The fields of the provider, as its `connection` describes them. */
  values: Record<string, unknown>
}

export interface NewMessage {
  /** The conversation: one that is there, or a name for a new one. */
  id?: string | undefined
  /** The same as `id`. */
  conversationId?: string | undefined
  /** Without it: the agent of the conversation, or the oldest of the user. */
  agentId?: string | undefined
  /** Answers in this conversation from now on: the id of one of `GET /chat/models`. Null gives the choice back to the agent. */
  model?: string | null | undefined
  /** What the user says: at most 1 MiB. */
  message: string
  /** Makes sending it twice one message. */
  messageId?: string | undefined
}

/** An open item of any conversation. */
export interface OpenItem {
  type: 'input' | 'approval' | 'connection' | 'wait'
  itemId: string
  /** Who asks; null where that agent was deleted. */
  agentId: string | null
  /** The answer that it stands in. */
  messageId: string
  toolCallId: string
  toolName: string
  /** The tool as people read it. */
  title: string
  intent: number
  /** What is asked, whatever the words. */
  code: string
  /** What the words are about. */
  codeValues?: Record<string, unknown> | undefined
  /** What is asked, in one sentence or two. */
  asked: string
  /** What belongs there, or why it is asked. */
  hint?: string | undefined
  /** Titles of what else is missing. */
  alsoNeeded?: string[] | undefined
  /** All of it as one text. */
  question: string
  /** Of an approval: what is done. */
  confirm?: string | undefined
  /** Of an approval: the verb on its button. */
  button?: string | undefined
  /** What a mail is sent from. */
  account?: string | undefined
  /** Of `input`: JSON Schema of the open fields, and of the `values` of an answer. */
  schema?: FormSchema | undefined
  /** What is kept of the call; of an approval, the whole call. */
  values?: Record<string, unknown> | undefined
  /** Where to connect. */
  href?: string | undefined
  /** ISO 8601, of `wait`: the run goes on by itself then. */
  resumeAt?: string | undefined
  /** Of an approval: names this very question. */
  approvalId?: string | undefined
  /** Why an approval is asked. */
  reason?: 'consent' | 'provenance' | 'repetition' | 'unknown' | 'addresses' | 'destructive' | undefined
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601: pressed later, an approval is asked anew. */
  expiresAt?: string | undefined
  conversationId: string
  conversationTitle: string | null
}

export interface OperatorRun {
  runId: string
  userId: string
  status: string
  /** ISO 8601. */
  startedAt: string
  finishedAt: string | null
  /** Of a run that waits for the clock. */
  resumeAt: string | null
  /** A run at work that has not been heard of since then is dead. */
  leaseExpiresAt: string
  /** Whether stopping it would end something. */
  stoppable: boolean
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
  title: string
  intent: number
  /** What is asked, whatever the words. */
  code: string
  /** What the words are about. */
  codeValues?: Record<string, unknown> | undefined
  /** What is asked, in one sentence or two. */
  asked: string
  /** What belongs there, or why it is asked. */
  hint?: string | undefined
  /** Titles of what else is missing. */
  alsoNeeded?: string[] | undefined
  /** All of it as one text. */
  question: string
  /** Of an approval: what is done. */
  confirm?: string | undefined
  /** Of an approval: the verb on its button. */
  button?: string | undefined
  /** What a mail is sent from. */
  account?: string | undefined
  /** Of `input`: JSON Schema of the open fields, and of the `values` of an answer. */
  schema?: FormSchema | undefined
  /** What is kept of the call; of an approval, the whole call. */
  values?: Record<string, unknown> | undefined
  /** Where to connect. */
  href?: string | undefined
  /** ISO 8601, of `wait`: the run goes on by itself then. */
  resumeAt?: string | undefined
  /** Of an approval: names this very question. */
  approvalId?: string | undefined
  /** Why an approval is asked. */
  reason?: 'consent' | 'provenance' | 'repetition' | 'unknown' | 'addresses' | 'destructive' | undefined
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601: pressed later, an approval is asked anew. */
  expiresAt?: string | undefined
}

/** Something that can be connected. */
export interface Provider {
  id: string
  name: string
  description: string
  /** What kind of service it is, such as `documents`. */
  service: string
  /** Names of the tools that use it. */
  tools: string[]
  /** JSON Schema of the form. Secret fields have `secret: true`. */
  connection: FormSchema
  /** It is connected by signing in at the provider. */
  oauth: boolean
  /** False where signing in is not set up on this server. */
  available: boolean
  /** It works without a connection. */
  builtIn: boolean
  connections: Connection[]
}

/** How every request is refused. */
export interface Refusal {
  error: {
    /** Stable: programs branch on it. */
    code: string
    /** A sentence that says what happened and what to do. */
    message: string
    /** Of values that do not fit a connection, with the next two. */
    errorType?: string | undefined
    resolver?: 'model' | 'time' | 'user' | 'nobody' | undefined
    details?: ToolErrorDetails | undefined
  }
}

/** What went with a connection. */
export interface RemovedConnection {
  deleted: string
  /** Agents that can no longer use these tools. */
  lost: {
    id: string
    name: string
    tools: string[]
  }[]
  /** Whether the provider has ended the access; null where there is nothing to end. */
  revoked: boolean | null
}

export interface Resumption {
  /** The card that a connection was made from. */
  itemId?: string | undefined
  /** A write is asked about before it goes on. */
  asksFirst?: boolean | undefined
}

/** Where the words of a search stand. */
export interface SearchMatch {
  /** In the title. */
  title: TextRanges
  /** The part of a message that has the words; absent where only the title has them. */
  message?: {
    id: string
    role: 'user' | 'assistant'
    createdAt: string
    text: string
    ranges: TextRanges
  } | undefined
}

export interface SignIn {
  provider: string
  /** Where the browser goes afterwards: an address of an origin in `ASKBACK_APP_URLS`. */
  returnTo?: string | undefined
  /** The tools that it is for: only what they need is asked for. `tool:action` where an action needs more. */
  tools?: string[] | undefined
  /** The connection to renew: its account is proposed. */
  connectionId?: string | undefined
}

export interface Skip {
  itemId: string
}

/** What stopping has come to. */
export interface StopAnswer {
  conversationId: string
  /** The run that was stopped; null where none was at work. */
  runId: string | null
  stopped: boolean
}

/** [from, to) in a text, in UTF-16 code units. */
export type TextRanges = [number, number][]

export interface ToolError {
  ok: false
  /** A sentence. It begins with `Question:` where the model or the user can answer it. */
  error: string
  errorType: 'missing_parameter' | 'invalid_type' | 'invalid_value' | 'unknown_parameter' | 'malformed_arguments' | 'tool_not_found' | 'not_found' | 'conflict' | 'rate_limit_exceeded' | 'timeout' | 'unavailable' | 'not_configured' | 'authentication_error' | 'permission_denied' | 'quota_exceeded' | 'outcome_unknown' | 'approval_denied' | 'cancelled' | 'execution_error'
  /** Who can resolve it. */
  resolver: 'model' | 'time' | 'user' | 'nobody'
  retryAfterMs?: number | undefined
  details: ToolErrorDetails
}

export interface ToolErrorDetails {
  /** The place in the arguments, such as `to[0]`. */
  parameter?: string | undefined
  value?: unknown
  expected?: string | undefined
  actual?: string | undefined
  constraint?: string | undefined
  allowed?: unknown[] | undefined
  requiredParameters?: string[] | undefined
  example?: unknown
  /** The bare name or value. */
  suggestion?: string | undefined
  action?: {
    label: string
    href: string
  } | undefined
  /** A sentence of the tool’s own. */
  hint?: string | undefined
  /** What people are asked or told. */
  asked?: {
    code: string
    values?: Record<string, unknown> | undefined
    because?: string | undefined
    asked: string
    hint?: string | undefined
    alsoNeeded?: string[] | undefined
  } | undefined
  /** The title of the tool that alone says so. */
  asker?: string | undefined
  /** The sentence is the tool’s own. */
  said?: 'question' | 'failure' | undefined
  /** The call as it should be sent. `open` are the places that are still to be filled. */
  correction?: {
    name: string
    arguments: Record<string, unknown>
    open: string[]
  } | undefined
  /** Every problem of the call. */
  problems?: {
    errorType: 'missing_parameter' | 'invalid_type' | 'invalid_value' | 'unknown_parameter' | 'malformed_arguments' | 'tool_not_found' | 'not_found' | 'conflict' | 'rate_limit_exceeded' | 'timeout' | 'unavailable' | 'not_configured' | 'authentication_error' | 'permission_denied' | 'quota_exceeded' | 'outcome_unknown' | 'approval_denied' | 'cancelled' | 'execution_error'
    /** The place in the arguments, such as `to[0]`. */
    parameter?: string | undefined
    expected?: string | undefined
    actual?: string | undefined
    suggestion?: string | undefined
  }[] | undefined
}

export type ToolResult = {
  ok: true
  data: unknown
} | ToolError

/** A call that was made. */
export interface ToolUse {
  toolCallId: string
  toolName: string
  /** The attempts of one thing share it. */
  intent: number
  attempt: number
  /** Executions of it; 0 where it was refused before. */
  tries: number
  input: unknown
  ok: boolean
  output?: unknown
  error?: ToolError | undefined
  /** Lossless changes of the call: where, and by which rule. */
  repairs?: {
    path: string
    rule: string
  }[] | undefined
  /** What it did, in one line for people. */
  summary?: string | undefined
  /** ISO 8601. */
  startedAt: string
  durationMs: number
}
