// Made of the schemas in shared/api by `npx tsx scripts/api.ts`: do not change it by hand.
import type { ChatMessage, FormSchema } from './message.ts'

/** A token that lets OpenAI clients use agents. */
export interface ApiToken {
  id: string
  name: string
  /** The first characters of the token. */
  prefix: string
  /** Ids of the agents that it may use; null means all, including those created later. */
  agents: string[] | null
  /** ISO 8601; null means never. */
  expiresAt: string | null
  /** ISO 8601, accurate to the minute; null if it was never used. */
  lastUsedAt: string | null
  createdAt: string
}

/** A function of the app's database. */
export interface AppFunction {
  /** Qualified with its schema, such as `public.create_ticket`. */
  name: string
  arguments: string
  description: string | null
  effect: 'read' | 'write'
  /** The tool that it is offered as; null if it is not offered. */
  tool: string | null
  /** Why it cannot be offered, or can no longer be called. */
  refused: string | null
  /** Whether its arguments have changed since it was offered. If so, offer it again. */
  changed: boolean
}

export interface Approval {
  toolCallId: string
  decision: 'approve' | 'deny' | 'draft'
  approvalId: string
  /** For an `input` item: its open fields, filled in. Nothing is approved without those that are required. */
  values?: Record<string, unknown> | undefined
  /** All arguments of the call, if the user edited them; of an `input` item, all that were known. */
  input?: Record<string, unknown> | undefined
  reason?: string | undefined
  /** From now on the agent may do this without asking. The pattern has to cover every recipient of this call, which itself does not count. */
  remember?: Remember | undefined
}

/** The JSON answer of a run. */
export interface ChatAnswer {
  conversationId: string
  runId: string
  status: 'completed' | 'waiting' | 'needs_input' | 'needs_approval' | 'needs_connection' | 'failed'
  /** Never empty. */
  text: string
  message: ChatMessage
  /** The tool calls of this run, in order. */
  toolsUsed: ToolUse[]
  usage: {
    inputTokens: number
    outputTokens: number
    modelCalls: number
  }
  /** The open items of the conversation, those of this message first; absent if there are none. */
  pending?: Pending[] | undefined
  /** Notices to show once, such as `budget_near`: at least 80% of a budget is used. */
  notices?: {
    code: string
    text: string
  }[] | undefined
}

export interface ClientMessages {
  /** The id of an existing conversation, or one that you choose for a new one. */
  id?: string | undefined
  /** Another name for `id`. */
  conversationId?: string | undefined
  /** If left out: the conversation’s agent, or the user’s oldest one. */
  agentId?: string | undefined
  /** The model for this conversation from now on: an id from `GET /chat/models`. Null returns to the agent’s own model. */
  model?: string | null | undefined
  /** The user’s time zone, such as `Europe/Berlin`, so that the model knows when “tomorrow at 9” is. Kept until a request names another one. The header `x-askback-timezone` does the same for any request that starts a run. Unknown names are ignored. */
  timezone?: string | undefined
  /** A `UIMessage`, as an alternative to `messages`. */
  message?: {
    role: 'user' | 'assistant' | 'system'
  } | undefined
  /** `UIMessage`s of the AI SDK. Only new user messages at the end of the list, and decisions, are read. */
  messages?: {
    role: 'user' | 'assistant' | 'system'
  }[] | undefined
  messageId?: string | undefined
  /** The ids of the newest messages that the client shows, in any order: the last answer and what follows it. With them, nothing is replaced that the user has not seen. */
  seen?: string[] | undefined
  trigger?: 'submit-message' | 'regenerate-message' | undefined
}

export interface ClockState {
  /** When the job, or the timer of the local stack, last looked for what is due. */
  tickedAt: string | null
  /** When a request from it last reached the function. */
  cameAt: string | null
  /** The HTTP status of the last answer that the job has seen. */
  status: number | null
  /** What is wrong; null if nothing is. docs/observability.md says what each means. */
  trouble: 'never' | 'stopped' | 'silent' | 'no_vault' | 'no_url' | 'no_secret' | 'no_pg_net' | 'refused' | 'not_found' | 'failed' | 'no_answer' | null
}

/** An account that a user has connected. It holds no secrets. */
export interface Connection {
  id: string
  provider: string
  label: string
  /** The address or name of the connected account. */
  account: string | null
  status: 'connected' | 'expiring' | 'expired' | 'failed' | 'disabled'
  /** Its place in the order in which tools try several connections. */
  position: number
  /** The values that were entered, without secrets. */
  values: Record<string, unknown>
  /** The scopes that the user granted. Only for providers with sign-in. */
  scopes?: string[] | undefined
  /** The same scopes, described in words. */
  allowed?: string[] | undefined
  /** Tools, or single actions (`tool:action`), that cannot be used because a permission is missing. */
  unavailable?: {
    tool: string
    reason: string
  }[] | undefined
  /** ISO 8601. */
  lastUsedAt: string | null
  lastError: string | null
  /** The code and the values of `lastError`, to translate it. */
  lastSaid?: {
    code: string
    values?: Record<string, unknown> | undefined
  } | undefined
  /** ISO 8601. The user has to sign in again by then. */
  expiresAt?: string | undefined
}

export interface ConnectionChange {
  /** A name that the user chooses. */
  label?: string | undefined
  /** The fields to change. Secrets that are left out stay as they are. */
  values?: Record<string, unknown> | undefined
  position?: number | undefined
  /** A disabled connection is kept but not used. */
  disabled?: boolean | undefined
}

export interface Conversation {
  id: string
  title: string | null
  status: 'running' | 'completed' | 'waiting' | 'needs_input' | 'needs_approval' | 'needs_connection' | 'failed'
  /** The newest 100, or the 100 before the message named by `before`. A message that is still being written is not included. */
  messages: ChatMessage[]
  /** When each message was written, by message id. Only with `times=true`. */
  times?: Record<string, string> | undefined
  /** The user’s decisions in these messages. Only with `times=true`. */
  decided?: Decided[] | undefined
  /** The value of `before` that returns earlier messages; absent if there are none. */
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
  /** The value of `before` that returns the next page; absent on the last page. */
  next?: string | undefined
}

export interface ConversationSummary {
  id: string
  title: string | null
  status: 'running' | 'completed' | 'waiting' | 'needs_input' | 'needs_approval' | 'needs_connection' | 'failed'
  /** A summary of its open items. */
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

/** A decision by the user about an item. */
export interface Decided {
  itemId: string
  /** The message that contains the item. */
  messageId: string
  toolCallId: string
  decision: 'answer' | 'approve' | 'deny' | 'draft' | 'skip'
  /** ISO 8601. */
  at: string
  /** The standing permission that came with the approval; it may have been revoked since. */
  remember?: {
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
  } | undefined
}

/** The result of deleting an account. */
export interface DeletedAccount {
  deleted: true
  /** Providers where access could not be revoked: the user has to remove the app there. */
  notRevoked: string[]
}

export interface Feedback {
  messageId: string
  /** Null removes the rating. */
  rating: 'good' | 'bad' | null
  reason?: string | undefined
}

export interface InputAnswer {
  itemId?: string | undefined
  /** The waiting call, as an alternative to `itemId`. */
  toolCallId?: string | undefined
  values: Record<string, unknown>
}

export interface MadeApiToken {
  id: string
  name: string
  /** The first characters of the token. */
  prefix: string
  /** Ids of the agents that it may use; null means all, including those created later. */
  agents: string[] | null
  /** ISO 8601; null means never. */
  expiresAt: string | null
  /** ISO 8601, accurate to the minute; null if it was never used. */
  lastUsedAt: string | null
  createdAt: string
  /** The token itself. This is the only time it is shown. */
  value: string
}

/** A model that can answer in a conversation. */
export interface ModelChoice {
  /** `provider/model`. Send it as `model` to choose it. */
  id: string
  provider: string
  model: string
  /** Whether it answers if no model is chosen. */
  isDefault: boolean
  /** Whether it is the rule-based demo model of the local stack. */
  isDemo: boolean
  /** Whether the user’s own key is used. */
  isOwnKey: boolean
}

/** An event in a run: when, what kind, how long, and codes. */
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
  /** Ids of the agents that it may use. If left out: all, including those created later. */
  agents?: string[] | undefined
  expiresAt?: string | undefined
}

export interface NewConnection {
  provider: string
  /** A name that the user chooses. */
  label?: string | undefined
  /** Values for the fields that the provider’s `connection` schema describes. */
  values: Record<string, unknown>
}

export interface NewMessage {
  /** The id of an existing conversation, or one that you choose for a new one. */
  id?: string | undefined
  /** Another name for `id`. */
  conversationId?: string | undefined
  /** If left out: the conversation’s agent, or the user’s oldest one. */
  agentId?: string | undefined
  /** The model for this conversation from now on: an id from `GET /chat/models`. Null returns to the agent’s own model. */
  model?: string | null | undefined
  /** The user’s time zone, such as `Europe/Berlin`, so that the model knows when “tomorrow at 9” is. Kept until a request names another one. The header `x-askback-timezone` does the same for any request that starts a run. Unknown names are ignored. */
  timezone?: string | undefined
  /** The user’s message, at most 1 MiB. */
  message: string
  /** An id of your own. A message that is sent twice with the same id counts once. */
  messageId?: string | undefined
}

export interface NewPermission {
  agentId: string
  toolName: string
  /** An address, or `*@` and a domain for every address at exactly that domain. */
  pattern: string
  /** How often it may be used; 20 by default. */
  max?: number | undefined
  /** The period that `max` applies to, in UTC; `day` by default. */
  per?: 'minute' | 'hour' | 'day' | undefined
}

/** An open item, with its conversation. */
export interface OpenItem {
  type: 'input' | 'approval' | 'connection' | 'wait'
  itemId: string
  /** The agent that asks; null if it was deleted. */
  agentId: string | null
  /** The message that contains the item. */
  messageId: string
  toolCallId: string
  toolName: string
  /** The display name of the tool. */
  title: string
  intent: number
  /** A stable code for what is being asked. */
  code: string
  /** Values for the sentence that `code` stands for. */
  codeValues?: Record<string, unknown> | undefined
  /** The question itself, in one or two sentences. */
  asked: string
  /** What to enter, or why it is being asked. */
  hint?: string | undefined
  /** Titles of other missing values. */
  alsoNeeded?: string[] | undefined
  /** The complete question as one text. */
  question: string
  /** If it can be approved: what will be done. */
  confirm?: string | undefined
  /** If it can be approved: the label of the button, such as "Send email". */
  button?: string | undefined
  /** The account that an email will be sent from. */
  account?: string | undefined
  /** For an `input` that can be approved: the code and values of the reason, which `hint` ends with. */
  why?: {
    code: string
    values?: Record<string, unknown> | undefined
  } | undefined
  /** Other calls of the tool that still wait for the user: a sentence for each. `hint` and `question` end with them. */
  stillWaiting?: {
    code: string
    values?: Record<string, unknown> | undefined
    text: string
    toolCallId?: string | undefined
  }[] | undefined
  /** If it can be approved: the standing permission that the user may give with it, and its sentence. */
  remember?: {
    /** The parameter that it is about; `to` stands for to, cc and bcc. */
    path: string
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
    sentence: string
  } | undefined
  /** If it is asked again because what its approval relied on has changed: the changes, such as `{ "what": "places", "before": 1, "now": 6 }`. Nothing was done. `question` begins with them. */
  changed?: {
    what: string
    before: unknown
    now: unknown
  }[] | undefined
  /** The same in a sentence. */
  changedSentence?: string | undefined
  /** For `input`: JSON Schema of the open fields, which is also the shape of `values` in an answer. */
  schema?: FormSchema | undefined
  /** Arguments of the call that are already known; for an approval, all of them. */
  values?: Record<string, unknown> | undefined
  /** The page where the user can connect. */
  href?: string | undefined
  /** For `wait`: when the run continues without another request. ISO 8601. */
  resumeAt?: string | undefined
  /** On an item that can be approved, an `approval` or an `input` whose call also needs approval: identifies exactly this question; send it with the decision. */
  approvalId?: string | undefined
  /** Why approval is needed. */
  reason?: 'consent' | 'provenance' | 'repetition' | 'unknown' | 'addresses' | 'destructive' | 'outside' | undefined
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601. Approving after this asks again. */
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
  /** When a waiting run continues. */
  resumeAt: string | null
  /** If a running run has not extended its lease by then, its process counts as dead. */
  leaseExpiresAt: string
  /** Whether there is anything to stop. */
  stoppable: boolean
}

/** An open item: what a conversation is waiting for. */
export interface Pending {
  type: 'input' | 'approval' | 'connection' | 'wait'
  itemId: string
  /** The agent that asks; null if it was deleted. */
  agentId: string | null
  /** The message that contains the item. */
  messageId: string
  toolCallId: string
  toolName: string
  /** The display name of the tool. */
  title: string
  intent: number
  /** A stable code for what is being asked. */
  code: string
  /** Values for the sentence that `code` stands for. */
  codeValues?: Record<string, unknown> | undefined
  /** The question itself, in one or two sentences. */
  asked: string
  /** What to enter, or why it is being asked. */
  hint?: string | undefined
  /** Titles of other missing values. */
  alsoNeeded?: string[] | undefined
  /** The complete question as one text. */
  question: string
  /** If it can be approved: what will be done. */
  confirm?: string | undefined
  /** If it can be approved: the label of the button, such as "Send email". */
  button?: string | undefined
  /** The account that an email will be sent from. */
  account?: string | undefined
  /** For an `input` that can be approved: the code and values of the reason, which `hint` ends with. */
  why?: {
    code: string
    values?: Record<string, unknown> | undefined
  } | undefined
  /** Other calls of the tool that still wait for the user: a sentence for each. `hint` and `question` end with them. */
  stillWaiting?: {
    code: string
    values?: Record<string, unknown> | undefined
    text: string
    toolCallId?: string | undefined
  }[] | undefined
  /** If it can be approved: the standing permission that the user may give with it, and its sentence. */
  remember?: {
    /** The parameter that it is about; `to` stands for to, cc and bcc. */
    path: string
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
    sentence: string
  } | undefined
  /** If it is asked again because what its approval relied on has changed: the changes, such as `{ "what": "places", "before": 1, "now": 6 }`. Nothing was done. `question` begins with them. */
  changed?: {
    what: string
    before: unknown
    now: unknown
  }[] | undefined
  /** The same in a sentence. */
  changedSentence?: string | undefined
  /** For `input`: JSON Schema of the open fields, which is also the shape of `values` in an answer. */
  schema?: FormSchema | undefined
  /** Arguments of the call that are already known; for an approval, all of them. */
  values?: Record<string, unknown> | undefined
  /** The page where the user can connect. */
  href?: string | undefined
  /** For `wait`: when the run continues without another request. ISO 8601. */
  resumeAt?: string | undefined
  /** On an item that can be approved, an `approval` or an `input` whose call also needs approval: identifies exactly this question; send it with the decision. */
  approvalId?: string | undefined
  /** Why approval is needed. */
  reason?: 'consent' | 'provenance' | 'repetition' | 'unknown' | 'addresses' | 'destructive' | 'outside' | undefined
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601. Approving after this asks again. */
  expiresAt?: string | undefined
}

/** To whom an agent may send without asking, and how often. */
export interface Permission {
  id: string
  agentId: string
  toolName: string
  /** The parameter that it is about; `to` stands for to, cc and bcc. */
  path: string
  pattern: string
  max: number
  per: 'minute' | 'hour' | 'day'
  /** Uses in this minute, hour or day. */
  used: number
  /** ISO 8601. */
  lastUsedAt: string | null
  createdAt: string
}

export interface ProjectInsights {
  /** Who called a tool or a model. */
  users: number
  /** A call counts once, with all its attempts. */
  calls: number
  done: number
  denied: number
  /** With at least one error. */
  erred: number
  /** Attempts after the first one, on average per call. */
  retries: number | null
  /** Median time to success, in milliseconds. */
  medianMs: number | null
  /** 95th percentile of the time to success, in milliseconds. */
  slowestMs: number | null
  modelCalls: number
  tokens: number
  /** Of calls whose price is known. */
  costUsd: number
  /** Model calls whose price is not known. */
  unpriced: number
  tools: {
    /** null stands for names that models made up. */
    tool: string | null
    calls: number
    done: number
    erred: number
    /** Attempts after the first one, on average per call. */
    retries: number | null
    /** Median time to success, in milliseconds. */
    medianMs: number | null
  }[]
  errors: {
    type: string
    /** null stands for names that models made up. */
    tool: string | null
    count: number
  }[]
  models: {
    provider: string
    model: string
    calls: number
    tokens: number
    /** Of calls whose price is known. */
    costUsd: number
    /** How many tokens it reads at once, as known at its newest call; null if nobody says it. */
    reads: number | null
    /** Who says so: a refusal or a silent cut (`learned`), `ASKBACK_MODEL_WINDOWS` (`setting`), the price list, or its server. */
    readsBy: 'learned' | 'setting' | 'prices' | 'server' | null
    /** Calls whose request was cut to what it reads. */
    cuts: number
    /** Tokens of the largest request. */
    largest: number
  }[]
  /** Tools left out for a model, newest first. */
  refusedTools: {
    tool: string
    provider: string
    model: string
    /** Why the model’s server does not accept it. */
    why: string
    refusedAt: string
  }[]
  agents: {
    /** null stands for agents that were deleted. */
    agentId: string | null
    calls: number
    tokens: number
    /** Of calls whose price is known. */
    costUsd: number
  }[]
  /** Oldest first, in UTC. */
  days: {
    day: string
    calls: number
    erred: number
    modelCalls: number
    tokens: number
    /** Of calls whose price is known. */
    costUsd: number
  }[]
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
  /** Whether the user connects it by signing in with the provider. */
  oauth: boolean
  /** False if sign-in is not set up on this server. */
  available: boolean
  /** Whether it works without a connection. */
  builtIn: boolean
  connections: Connection[]
}

/** The body of every refused request. */
export interface Refusal {
  error: {
    /** A stable code that programs can rely on. */
    code: string
    /** A sentence that says what happened and what to do. */
    message: string
    /** Only for refused values of a connection, as are `resolver` and `details`. */
    errorType?: string | undefined
    resolver?: 'model' | 'time' | 'user' | 'nobody' | undefined
    details?: ToolErrorDetails | undefined
  }
}

export interface Remember {
  /** An address, or `*@` and a domain for every address at exactly that domain. */
  pattern: string
  /** How often it may be used; 20 by default. */
  max?: number | undefined
  /** The period that `max` applies to, in UTC; `day` by default. */
  per?: 'minute' | 'hour' | 'day' | undefined
}

/** The result of deleting a connection. */
export interface RemovedConnection {
  deleted: string
  /** Agents that can no longer use these tools. */
  lost: {
    id: string
    name: string
    tools: string[]
  }[]
  /** Whether access was revoked at the provider; null if there was nothing to revoke, or if another connection depends on the same sign-in. */
  revoked: boolean | null
}

export interface Resumption {
  /** The `connection` item that the user connected from. */
  itemId?: string | undefined
  /** If true, a waiting write needs approval before it continues. */
  asksFirst?: boolean | undefined
}

/** Where the words of a search were found. */
export interface SearchMatch {
  /** Matches in the title. */
  title: TextRanges
  /** An excerpt from a message that contains the words; absent if only the title does. */
  message?: {
    id: string
    role: 'user' | 'assistant'
    createdAt: string
    text: string
    ranges: TextRanges
  } | undefined
}

/** A tool, as far as it is the same for everybody. */
export interface SharedTool {
  name: string
  title: string | null
  source: string
  enabled: boolean
  /** Why it is switched off. */
  reason: string | null
}

export interface SignIn {
  provider: string
  /** Where the browser goes afterwards. Its origin has to be one of those in `ASKBACK_APP_URLS`. */
  returnTo?: string | undefined
  /** The tools to connect for: only the permissions that they need are requested. Use `tool:action` if an action needs more. */
  tools?: string[] | undefined
  /** The connection to renew; its account is suggested to the user. */
  connectionId?: string | undefined
}

export interface Skip {
  itemId: string
}

/** The result of stopping. */
export interface StopAnswer {
  conversationId: string
  /** The run that was stopped; null if none was running. */
  runId: string | null
  stopped: boolean
}

export interface StuckWork {
  runs: OperatorRun[]
  /** Writes whose outcome is unknown. */
  writes: {
    runId: string | null
    userId: string
    toolName: string
    attempt: number
    startedAt: string
  }[]
}

/** Ranges `[from, to)` in a text, in UTF-16 code units. */
export type TextRanges = [number, number][]

/** A tool as people see it. */
export interface ToolDescription {
  name: string
  title: string
  description: string
  effect: 'read' | 'write'
  /** JSON Schema of its arguments. */
  parameters: FormSchema
  /** Ids of the providers whose connections it can use. */
  providers: string[]
  /** The function that runs it. */
  function: string
  /** What that function is asked for. */
  action: string
  /** Whether calls need approval, unless an agent says otherwise. */
  approval: 'always' | 'sometimes' | 'never'
  /** Why nobody can use it at the moment, or null. */
  offReason: string | null
}

export interface ToolError {
  ok: false
  /** A sentence. It begins with `Question:` if the model or the user can answer it. */
  error: string
  errorType: 'missing_parameter' | 'invalid_type' | 'invalid_value' | 'unknown_parameter' | 'malformed_arguments' | 'tool_not_found' | 'not_found' | 'conflict' | 'rate_limit_exceeded' | 'timeout' | 'unavailable' | 'not_configured' | 'authentication_error' | 'permission_denied' | 'quota_exceeded' | 'outcome_unknown' | 'approval_denied' | 'cancelled' | 'execution_error'
  /** Who can resolve it. */
  resolver: 'model' | 'time' | 'user' | 'nobody'
  retryAfterMs?: number | undefined
  details: ToolErrorDetails
}

export interface ToolErrorDetails {
  /** A path in the arguments, such as `to[0]`. */
  parameter?: string | undefined
  value?: unknown
  expected?: string | undefined
  actual?: string | undefined
  constraint?: string | undefined
  allowed?: unknown[] | undefined
  requiredParameters?: string[] | undefined
  example?: unknown
  /** A suggested name or value, without any text around it. */
  suggestion?: string | undefined
  action?: {
    label: string
    href: string
  } | undefined
  /** A sentence from the tool’s author. */
  hint?: string | undefined
  /** What the user is asked or told. */
  asked?: {
    code: string
    values?: Record<string, unknown> | undefined
    because?: string | undefined
    asked: string
    hint?: string | undefined
    alsoNeeded?: string[] | undefined
  } | undefined
  /** The title of the tool, if nothing but its own words support the error. */
  asker?: string | undefined
  /** Set if the sentence comes from the tool itself. */
  said?: 'question' | 'failure' | undefined
  /** The call as it should be sent. `open` lists the places that still have to be filled in. */
  correction?: {
    name: string
    arguments: Record<string, unknown>
    open: string[]
  } | undefined
  /** All problems with the call. */
  problems?: {
    errorType: 'missing_parameter' | 'invalid_type' | 'invalid_value' | 'unknown_parameter' | 'malformed_arguments' | 'tool_not_found' | 'not_found' | 'conflict' | 'rate_limit_exceeded' | 'timeout' | 'unavailable' | 'not_configured' | 'authentication_error' | 'permission_denied' | 'quota_exceeded' | 'outcome_unknown' | 'approval_denied' | 'cancelled' | 'execution_error'
    /** A path in the arguments, such as `to[0]`. */
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

/** A tool call. */
export interface ToolUse {
  toolCallId: string
  toolName: string
  /** A number shared by all attempts at the same thing. */
  intent: number
  attempt: number
  /** How often it was executed; 0 if it was refused before that. */
  tries: number
  input: unknown
  ok: boolean
  output?: unknown
  error?: ToolError | undefined
  /** Lossless repairs to the call: where, and by which rule. */
  repairs?: {
    path: string
    rule: string
  }[] | undefined
  /** What it did, in one line to show to the user. */
  summary?: string | undefined
  /** ISO 8601. */
  startedAt: string
  durationMs: number
}

/** A file that is stored and can be put into a message. */
export interface UploadedFile {
  id: string
  /** A link to the file, for a message. Anybody can read the file with it for up to an hour. */
  url: string
  /** By its content, or else as it was declared. */
  mediaType: string
  filename: string
  /** In bytes. */
  size: number
}

/** How much may be used. */
export interface UsageLimit {
  scope: 'user' | 'agent' | 'project'
  /** What is counted: see [Limits](limits.md#budgets-and-rates). */
  measure: 'runs_at_once' | 'runs' | 'model_calls' | 'tokens' | 'cost_usd' | 'writes' | 'streams' | 'conversations' | 'connections' | 'files' | 'api_tokens' | 'agents' | 'permissions' | 'tools_per_agent'
  /** The user or agent that it is for; null: the default. */
  subject: string | null
  /** null: at any one time. */
  per: 'minute' | 'hour' | 'day' | null
  /** Of writes: the only tool that it is about. */
  tool: string | null
  value: number
}
