// Made of the schemas in shared/api by `npx tsx scripts/api.ts`: do not change it by hand.
import type { ChatMessage, FormSchema } from './message.ts'

/** A token that lets a client use agents. */
export interface ApiToken {
  id: string
  name: string
  /** What it opens, and nothing else: `chat/v1`, or `mcp`. */
  scope: 'chat' | 'mcp'
  /** The first characters of the token. */
  prefix: string
  /** Ids of the agents that it may use; null means all, including those created later. */
  agents: string[] | null
  /** ISO 8601; null means never. */
  expiresAt: string | null
  /** ISO 8601; null if it was never used. */
  lastUsedAt: string | null
  /** How many requests came with it. */
  used: number
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

/** One of those who have approved an item. */
export interface ApprovedBy {
  /** For whom: the item’s user, or the group. */
  part: 'user' | 'group'
  name: string
  /** The name of the group. */
  group?: string | undefined
}

/** Who approves an item, if not its user alone. */
export interface Approvers {
  /** `both`: the user and one of the group, two people. */
  who: 'group' | 'both'
  /** The name of the group. */
  group: string
  /** Whether whoever asks can approve it now. They can always deny it. */
  canApprove: boolean
  /** Who has approved it so far, for the user or for the group. */
  approved: {
    part: 'user' | 'group'
    name: string
  }[]
  /** The same for people, such as “Approved by you. Waiting for Finance.” */
  sentence: string
}

/** A server of MCP that asks something, and what. */
export interface AskingServer {
  host: string
  requests: {
    /** Its words. It may be empty. */
    message: string
    /** The names of its fields in `schema`. */
    fields: string[]
    /** The page that the user is asked to open, in a tab of its own. Show its host; an answer says that they have been there. */
    url?: string | undefined
  }[]
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
  notices?: OwnText[] | undefined
}

export interface ClientMessages {
  /** The id of an existing conversation, or one that you choose for a new one. */
  id?: string | undefined
  /** Another name for `id`. */
  conversationId?: string | undefined
  /** If left out: the conversation’s agent, or the user’s oldest one. */
  agentId?: string | undefined
  /** What a new conversation belongs to in your app, such as an organisation: kept with it, and told to [your functions](your-own-functions.md#for-an-organisation). */
  scope?: string | undefined
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
  /** How many answers each one has taken the place of, by message id, as far as there are any. Only with `times=true`. */
  former?: Record<string, number> | undefined
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
  /** Of calls that an app has made over MCP. Lists show those of one app and day as one row, under the app’s name: the newest one, with what is open in any of them. `callsOf` lists them one by one. */
  calls?: {
    /** What the app is called. */
    app: string
    /** The day in the user’s time zone, such as 2026-01-31. */
    day: string
    /** How many there are of that app and day; 1 in the results of a search. */
    count: number
  } | undefined
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
  /** Why it was denied, in the user’s words. */
  reason?: string | undefined
  /** The standing permission that came with the approval; it may have been revoked since. */
  remember?: {
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
  } | undefined
  /** Whether that permission still holds, and the id that revokes it. */
  permission?: {
    id?: string | undefined
    holds: boolean
  } | undefined
  /** Who decided it away from the conversation; absent for the user, in an app. */
  by?: Decider | undefined
  /** Who has approved it, if not the user alone had to. */
  approvedBy?: ApprovedBy[] | undefined
}

/** Who decided away from the conversation. */
export interface Decider {
  /** `page`: the user, signed in at the item’s own page; `link`: whoever has a link that decides by itself; `approver`: one of the group that decides it; `client`: a program over MCP. */
  door: 'page' | 'link' | 'approver' | 'client'
  /** Whom the link was made for, the approver, or what the program calls itself. */
  name?: string | undefined
}

/** The result of deleting an account. */
export interface DeletedAccount {
  deleted: true
  /** Providers where access could not be revoked: the user has to remove the app there. */
  notRevoked: string[]
}

export interface DigestChange {
  /** After how many minutes of waiting, up to a week; null for never. */
  minutes: number | null
}

/** When a user is mailed about what waits. */
export interface DigestSetting {
  /** After how many minutes of waiting you are mailed; null: you are not. */
  minutes: number | null
  /** Your address; null without one that is confirmed. */
  to: string | null
  /** Whether the project sends such mails. */
  isPossible: boolean
}

export interface Feedback {
  messageId: string
  /** Null removes the rating. */
  rating: Rating | null
  reason?: string | undefined
}

/** An agent, with the tools that it may use. */
export interface GrantableAgent {
  id: string
  name: string
  tools: {
    name: string
    effect: 'read' | 'write'
    /** Whether the user is asked before each call. */
    asks: boolean
  }[]
}

export interface GroupDecision {
  decision: 'approve' | 'deny'
  reason?: string | undefined
}

export interface InputAnswer {
  itemId?: string | undefined
  /** The waiting call, as an alternative to `itemId`. */
  toolCallId?: string | undefined
  values: Record<string, unknown>
}

/** A link to one open item. */
export interface ItemLink {
  id: string
  /** The page of the item. Its token is in the fragment, which browsers send to no server. */
  url: string
  /** ISO 8601. */
  expiresAt: string
  decides: boolean
  name?: string | undefined
}

/** What became of a decision. */
export interface ItemOutcome {
  /** `working`: not known yet; `unknown`: it may have been done; `asked_again`: something new is asked about it, in the conversation. */
  status: 'working' | 'done' | 'not_done' | 'failed' | 'unknown' | 'asked_again'
  /** What was done, or why it was not, in a sentence. */
  text?: string | undefined
}

/** An open item for one of the group that approves it. */
export interface ItemToApprove {
  item: LinkedPending
  /** The name of the agent that asks. */
  agent: string | null
  /** For whom it asks: the name or the address of its user. */
  askedFor: string
  /** If it can no longer be decided: how that came. */
  decided?: ItsDecision | undefined
  /** If somebody decided it: what became of it. */
  outcome?: ItemOutcome | undefined
}

/** How it came that an item can no longer be decided. */
export interface ItsDecision {
  /** How it was closed: `approve`, `deny`, `answer`, `expired`, `replaced` and so on. */
  as: string
  /** ISO 8601; null while that is being carried out. */
  at: string | null
  /** Absent for the user, in an app. */
  by?: Decider | undefined
  /** Who has approved it, if not its user alone had to. */
  approvedBy?: ApprovedBy[] | undefined
}

export interface LinkedDecision {
  /** `skip` continues without an answer or a connection. */
  decision?: 'approve' | 'deny' | 'draft' | 'skip' | undefined
  /** For an `input` item: its open fields, filled in. */
  values?: Record<string, unknown> | undefined
  /** All arguments of the call, if they were edited. */
  input?: Record<string, unknown> | undefined
  reason?: string | undefined
}

/** An open item as its own page shows it. */
export interface LinkedItem {
  item: LinkedPending
  /** The name of the agent that asks. */
  agent: string | null
  /** For one of the group that decides it: the name or the address of its user. */
  askedFor?: string | undefined
  /** Whether the link decides without a sign-in. */
  decides: boolean
  /** Whom the link was made for. */
  name?: string | undefined
  /** When the link expires. ISO 8601. */
  expiresAt: string
  /** If it cannot be decided like this: nobody is signed in, or somebody else than whoever decides it. Then `item` has no `values`. */
  signIn?: 'needed' | 'other' | undefined
  /** If it can no longer be decided: how that came. */
  decided?: ItsDecision | undefined
  /** JSON Schema of the call’s arguments, for a form to edit them; while it can be decided. */
  parameters?: FormSchema | undefined
  /** If somebody decided it: what became of it. */
  outcome?: ItemOutcome | undefined
}

export interface LinkedPending {
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
  /** If it can be approved: the same as a statement, for what becomes of it, such as “Not sent: Send "Hi" to "ada@example.com"”. */
  statement?: string | undefined
  /** If it can be approved: the label of the button, such as "Send email". */
  button?: string | undefined
  /** If it can be approved: the word for it once it is done, such as "sent", if its tool has one. */
  past?: string | undefined
  /** The account that an email will be sent from. */
  account?: string | undefined
  /** For an `input` that can be approved: the code and values of the reason, which `hint` ends with. */
  why?: {
    code: string
    values?: Record<string, unknown> | undefined
  } | undefined
  /** Other calls of the tool that still wait for the user: a sentence for each. `hint` and `question` end with them. */
  stillWaiting?: OwnText[] | undefined
  /** If it can be approved: the standing permission that the user may give with it, and its sentence. */
  remember?: {
    /** The parameter that it is about; `to` stands for to, cc and bcc. */
    path: string
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
    sentence: string
  } | undefined
  /** If it is asked again because what its approval relied on has changed: the changes, such as `{ "what": "places", "before": 1, "now": 6 }`; `failed` and `denied` stand for what became of it before. Nothing was done. `question` begins with them. */
  changed?: {
    what: string
    before: unknown
    now: unknown
  }[] | undefined
  /** The same in a sentence. */
  changedSentence?: string | undefined
  /** For `input`: JSON Schema of the open fields, which is also the shape of `values` in an answer. */
  schema?: FormSchema | undefined
  /** If a server of MCP asks it before it goes on with the call: who asks. The values of the answer go to that server alone, skipping tells it that the user does not answer, and the `default` of a field is what it proposes. Show its words as a quotation in plain text, and say that passwords and codes do not belong there. */
  server?: AskingServer | undefined
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
  /** Who approves it, if not its user alone. Then it can be approved or denied, but not edited. */
  approvers?: Approvers | undefined
  /** The app in which it was declined, as it calls itself: nobody has decided it, and it counts as waiting no more. */
  declinedIn?: string | undefined
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601. Approving after this asks again. */
  expiresAt?: string | undefined
}

/** A link that is still valid, without its token. */
export interface ListedLink {
  id: string
  itemId: string
  conversationId: string
  /** What is asked: the heading of its card. */
  sentence: string
  /** Whether it decides without a sign-in. */
  decides: boolean
  /** Whom it was made for. */
  name?: string | undefined
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  expiresAt: string
}

export interface MadeApiToken extends ApiToken {
  /** The token itself. This is the only time it is shown. */
  value: string
}

/** What an app that connects over MCP may do with an agent. */
export interface McpGrant {
  id: string
  /** The id of the app at the OAuth server. */
  clientId: string
  /** What the app calls itself. Nobody has checked it. */
  clientName: string
  /** The host that its user was sent back to; null if that is not known. */
  redirectHost: string | null
  agentId: string
  tools: string[]
  forms: boolean
  createdAt: string
  /** ISO 8601; null if it was never used. */
  lastUsedAt: string | null
  /** How many requests came by it. */
  used: number
}

export interface McpGrantChange {
  /** Names of tools, and `ask_agent` for the agent itself. A tool that comes later is off. */
  tools?: string[] | undefined
  /** Whether the app may show approvals itself. By default not: some apps answer them without showing them to anybody. */
  forms?: boolean | undefined
}

/** A server of MCP that others run. */
export interface McpServer {
  id: string
  /** The names of its tools begin with it, as in `linear__create_issue`. */
  name: string
  /** What the server calls itself. Nobody has checked it. */
  title: string
  url: string
  /** `project`: everybody has it, and operators change it. */
  scope: 'user' | 'project'
  /** Whether you may change it. */
  changeable: boolean
  /** `sign_in`: it lets nobody in without signing in there. */
  status: 'ready' | 'sign_in' | 'unreachable'
  /** Whether it is believed which of its tools only read: those do not ask. */
  trusted: boolean
  /** Whether it may be sent what was read elsewhere, without asking about that. */
  private: boolean
  /** Why it is not ready, or what of its tools was not taken as the server has it. */
  notes: string[]
  /** Those that somebody has accepted. */
  tools: {
    name: string
    title: string
    effect: 'read' | 'write'
    /** Whether agents can use it. */
    on: boolean
    verifiedBy?: McpVerifier | undefined
  }[]
  /** How many of its tools are new, different or gone. */
  changes: number
}

export interface McpServerChange {
  /** Its tools get other names. What was allowed for the old ones ends. */
  name?: string | undefined
  trusted?: boolean | undefined
  private?: boolean | undefined
  tools?: {
    name: string
    on?: boolean | undefined
    /** Null: nothing tells, and people are asked. */
    verifiedBy?: McpVerifier | null | undefined
  }[] | undefined
}

/** What is different with a tool since it was accepted. */
export interface McpToolChange {
  name: string
  title: string
  /** `words`: it works on as it was accepted. `off`: nobody can use it until it is accepted. */
  kind: 'words' | 'stricter' | 'off' | 'gone' | 'new'
  said: string[]
  /** As it was accepted. */
  before?: McpToolDefinition | undefined
  /** What there is to accept. */
  after?: McpToolDefinition | undefined
}

/** What a server says of one of its tools. */
export interface McpToolDefinition {
  title: string
  description: string
  inputSchema: Record<string, unknown>
  annotations: Record<string, boolean>
}

/** A tool that tells whether a call has happened whose answer was lost. */
export interface McpVerifier {
  /** A tool of the same server, which says that it only reads. */
  tool: string
  /** Its arguments. In a text `{title}` stands for the argument `title` of the call. */
  arguments: Record<string, unknown>
  /** What its result says once the call has happened, and does not say before; with `{title}`, too. */
  found: string
}

/** The `data` of the parts `data-…` of a message. */
export interface MessageData {
  /** A call that failed. */
  'tool-error': {
    toolCallId: string
    attempt?: number | undefined
    errorType: string
    parameter?: string | undefined
    /** The code of its sentence. */
    code?: string | undefined
    values?: Record<string, unknown> | undefined
  }
  /** Why a card closed without anybody’s decision. */
  closed: {
    toolCallId: string
    code: string
    text: string
  }
  question: QuestionData
  /** The standing permission that the user may give with this approval, and its sentence. */
  remember: {
    /** The parameter that it is about; `to` stands for to, cc and bcc. */
    path: string
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
    sentence: string
    toolCallId: string
    approvalId: string
  }
  /** `resumeAt`: the run continues by itself then (ISO 8601). `waitMs`: it is waiting that long for a provider. */
  wait: {
    toolCallId: string
    resumeAt?: string | undefined
    waitMs?: number | undefined
  }
  'model-switch': {
    from: string
    to: string
  }
  /** Shown while the message is being written; not part of it. */
  notice: OwnText
  repair: {
    toolCallId: string
    repairs: Repair[]
  }
  /** A write of an answer that this one replaced. */
  'done-before': {
    toolCallId: string
    toolName: string
    summary?: string | undefined
    input?: Record<string, unknown> | undefined
  }
  /** `intent`: shared by all attempts at one thing. `startedAt`: ISO 8601. `summary`: what the call did, in one line. `past`: the word for it once it is done, such as "sent". `statement`: what it would have done, if that was denied. `unasked`: a write that was made without anybody being asked. `edited`: what the user changed on its card, and what stood there before. */
  call: {
    toolCallId: string
    intent: number
    startedAt: string
    summary?: string | undefined
    past?: string | undefined
    statement?: string | undefined
    unasked?: true | undefined
    edited?: {
      name: string
      before?: unknown
    }[] | undefined
  }
}

/** The `metadata` of a message. */
export interface MessageMetadata {
  conversationId?: string | undefined
  runId?: string | undefined
  status?: 'completed' | 'waiting' | 'needs_input' | 'needs_approval' | 'needs_connection' | 'failed' | undefined
  usage?: {
    inputTokens: number
    outputTokens: number
    modelCalls: number
  } | undefined
  /** Its open items. */
  pending?: Pending[] | undefined
  /** How many milliseconds each call took. */
  toolTimes?: Record<string, number> | undefined
  /** Texts that the model did not write. */
  texts?: OwnText[] | undefined
  /** The user’s rating of the answer. */
  feedback?: {
    rating: Rating
    reason?: string | undefined
  } | undefined
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
  /** What it opens: `chat` for OpenAI clients (`chat/v1`), `mcp` for MCP clients. If left out: `chat`. */
  scope?: 'chat' | 'mcp' | undefined
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

export interface NewItemLink {
  /** Whether whoever has the link decides without signing in. Only with the session of the item’s user or a secret key of the project. */
  decides?: boolean | undefined
  /** Whom it is for: what they decide is recorded under this name. By default the user’s own, if it decides. */
  name?: string | undefined
  /** Seconds for which it is valid. If it decides, up to 24 hours, which is the default; otherwise up to 30 days, 7 by default. */
  expiresIn?: number | undefined
}

export interface NewMcpGrant {
  clientId: string
  clientName: string
  /** The host that its user is sent back to, as the OAuth server says it. */
  redirectHost?: string | undefined
  agentId: string
  /** Names of tools, and `ask_agent` for the agent itself. A tool that comes later is off. */
  tools: string[]
  /** Whether the app may show approvals itself. By default not: some apps answer them without showing them to anybody. */
  forms?: boolean | undefined
}

export interface NewMcpServer {
  url: string
  /** By default made of what it calls itself, or of its host. */
  name?: string | undefined
  /** `project`: for everybody, by operators only. */
  scope?: 'user' | 'project' | undefined
  /** Sent to the server’s own origin with each request, such as a key. They are stored encrypted and never shown. */
  headers?: Record<string, string> | undefined
}

export interface NewMessage {
  /** The id of an existing conversation, or one that you choose for a new one. */
  id?: string | undefined
  /** Another name for `id`. */
  conversationId?: string | undefined
  /** If left out: the conversation’s agent, or the user’s oldest one. */
  agentId?: string | undefined
  /** What a new conversation belongs to in your app, such as an organisation: kept with it, and told to [your functions](your-own-functions.md#for-an-organisation). */
  scope?: string | undefined
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
  /** Of an app that connects over MCP, for what it does through this agent. The agent’s own permissions don’t count there. */
  grantId?: string | undefined
  toolName: string
  /** An address, or `*@` and a domain for every address at exactly that domain. */
  pattern: string
  /** How often it may be used; 20 by default. */
  max?: number | undefined
  /** The period that `max` applies to, in UTC; `day` by default. */
  per?: 'minute' | 'hour' | 'day' | undefined
}

export interface NewSchedule {
  /** By default your oldest agent. */
  agentId?: string | undefined
  /** What is sent to the agent each time, as your message. */
  message: string
  /** Minute, hour, day of the month, month, day of the week. */
  cron: string
  /** The IANA time zone in which the expression is read. */
  timeZone: string
  /** After this time the schedule is over. ISO 8601. */
  until?: string | undefined
  /** What becomes of a time for which the clock was more than ten minutes late: it is carried out once (`run`), or left out (`skip`). */
  missed?: 'run' | 'skip' | undefined
}

/** An open item, with its conversation. */
export interface OpenItem extends LinkedPending {
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

/** A sentence that the model did not write: what stands for it in every language, and the sentence. */
export interface OwnText {
  code: string
  values?: Record<string, unknown> | undefined
  text: string
  /** The call that it is about. */
  toolCallId?: string | undefined
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
  /** If it can be approved: the same as a statement, for what becomes of it, such as “Not sent: Send "Hi" to "ada@example.com"”. */
  statement?: string | undefined
  /** If it can be approved: the label of the button, such as "Send email". */
  button?: string | undefined
  /** If it can be approved: the word for it once it is done, such as "sent", if its tool has one. */
  past?: string | undefined
  /** The account that an email will be sent from. */
  account?: string | undefined
  /** For an `input` that can be approved: the code and values of the reason, which `hint` ends with. */
  why?: {
    code: string
    values?: Record<string, unknown> | undefined
  } | undefined
  /** Other calls of the tool that still wait for the user: a sentence for each. `hint` and `question` end with them. */
  stillWaiting?: OwnText[] | undefined
  /** If it can be approved: the standing permission that the user may give with it, and its sentence. */
  remember?: {
    /** The parameter that it is about; `to` stands for to, cc and bcc. */
    path: string
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
    sentence: string
  } | undefined
  /** If it is asked again because what its approval relied on has changed: the changes, such as `{ "what": "places", "before": 1, "now": 6 }`; `failed` and `denied` stand for what became of it before. Nothing was done. `question` begins with them. */
  changed?: {
    what: string
    before: unknown
    now: unknown
  }[] | undefined
  /** The same in a sentence. */
  changedSentence?: string | undefined
  /** For `input`: JSON Schema of the open fields, which is also the shape of `values` in an answer. */
  schema?: FormSchema | undefined
  /** If a server of MCP asks it before it goes on with the call: who asks. The values of the answer go to that server alone, skipping tells it that the user does not answer, and the `default` of a field is what it proposes. Show its words as a quotation in plain text, and say that passwords and codes do not belong there. */
  server?: AskingServer | undefined
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
  /** Who approves it, if not its user alone. Then it can be approved or denied, but not edited. */
  approvers?: Approvers | undefined
  /** The app in which it was declined, as it calls itself: nobody has decided it, and it counts as waiting no more. */
  declinedIn?: string | undefined
  /** ISO 8601. */
  askedAt: string
  /** ISO 8601. Approving after this asks again. */
  expiresAt?: string | undefined
}

/** To whom an agent may send without asking, and how often. */
export interface Permission {
  id: string
  agentId: string
  /** The app over MCP that it was given to; null if it counts for the agent itself, in the chat. */
  grantId: string | null
  toolName: string
  /** The parameter that it is about; `to` stands for to, cc and bcc. */
  path: string
  pattern: string
  max: number
  per: 'minute' | 'hour' | 'day'
  /** Uses in this minute, hour or day. */
  used: number
  /** Uses since it was given. */
  total: number
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

/** The `data` of a part `data-question`: an open item, or one that was. */
export interface QuestionData {
  type: 'needs_input' | 'needs_connection'
  itemId?: string | undefined
  /** The agent that asks; null if it was deleted. */
  agentId?: string | null | undefined
  /** The message that contains the item. */
  messageId?: string | undefined
  toolCallId: string
  toolName?: string | undefined
  /** The display name of the tool. */
  title?: string | undefined
  intent?: number | undefined
  /** A stable code for what is being asked. */
  code?: string | undefined
  /** Values for the sentence that `code` stands for. */
  codeValues?: Record<string, unknown> | undefined
  /** The question itself, in one or two sentences. */
  asked?: string | undefined
  /** What to enter, or why it is being asked. */
  hint?: string | undefined
  /** Titles of other missing values. */
  alsoNeeded?: string[] | undefined
  /** The complete question as one text. */
  question?: string | undefined
  /** If it can be approved: what will be done. */
  confirm?: string | undefined
  /** If it can be approved: the same as a statement, for what becomes of it, such as “Not sent: Send "Hi" to "ada@example.com"”. */
  statement?: string | undefined
  /** If it can be approved: the label of the button, such as "Send email". */
  button?: string | undefined
  /** If it can be approved: the word for it once it is done, such as "sent", if its tool has one. */
  past?: string | undefined
  /** The account that an email will be sent from. */
  account?: string | undefined
  /** For an `input` that can be approved: the code and values of the reason, which `hint` ends with. */
  why?: {
    code: string
    values?: Record<string, unknown> | undefined
  } | undefined
  /** Other calls of the tool that still wait for the user: a sentence for each. `hint` and `question` end with them. */
  stillWaiting?: OwnText[] | undefined
  /** If it can be approved: the standing permission that the user may give with it, and its sentence. */
  remember?: {
    /** The parameter that it is about; `to` stands for to, cc and bcc. */
    path: string
    pattern: string
    max: number
    per: 'minute' | 'hour' | 'day'
    sentence: string
  } | undefined
  /** If it is asked again because what its approval relied on has changed: the changes, such as `{ "what": "places", "before": 1, "now": 6 }`; `failed` and `denied` stand for what became of it before. Nothing was done. `question` begins with them. */
  changed?: {
    what: string
    before: unknown
    now: unknown
  }[] | undefined
  /** The same in a sentence. */
  changedSentence?: string | undefined
  /** For `input`: JSON Schema of the open fields, which is also the shape of `values` in an answer. */
  schema?: FormSchema | undefined
  /** If a server of MCP asks it before it goes on with the call: who asks. The values of the answer go to that server alone, skipping tells it that the user does not answer, and the `default` of a field is what it proposes. Show its words as a quotation in plain text, and say that passwords and codes do not belong there. */
  server?: AskingServer | undefined
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
  /** Who approves it, if not its user alone. Then it can be approved or denied, but not edited. */
  approvers?: Approvers | undefined
  /** The app in which it was declined, as it calls itself: nobody has decided it, and it counts as waiting no more. */
  declinedIn?: string | undefined
  /** ISO 8601. */
  askedAt?: string | undefined
  /** ISO 8601. Approving after this asks again. */
  expiresAt?: string | undefined
  /** It is closed. */
  answered?: boolean | undefined
  /** How it was closed, if nobody decided it. */
  closed?: 'replaced' | 'yielded' | 'expired' | 'stop' | 'message' | 'gone' | undefined
}

/** The user’s rating of an answer. */
export type Rating = 'good' | 'bad'

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

/** A lossless change to a call: where, and by which rule. */
export interface Repair {
  path: string
  rule: string
}

export interface Resumption {
  /** The `connection` item that the user connected from. */
  itemId?: string | undefined
  /** If true, a waiting write needs approval before it continues. */
  asksFirst?: boolean | undefined
}

/** A message that the clock sends to an agent, as its user. */
export interface Schedule {
  id: string
  agentId: string
  /** All of its runs are in this conversation. */
  conversationId: string
  message: string
  cron: string
  timeZone: string
  until: string | null
  /** What becomes of a time for which the clock was more than ten minutes late: it is carried out once (`run`), or left out (`skip`). */
  missed: 'run' | 'skip'
  /** When it is due next; null while it is paused, and once it is over. */
  nextAt: string | null
  pausedAt: string | null
  /** Who has paused it; `failures`: three times in a row failed; `account`: your account was disabled, until shortly after it is enabled again; `connection`: an account that it needs is missing, until it is connected or its item is skipped. */
  pausedAs: 'user' | 'failures' | 'account' | 'connection' | null
  createdAt: string
  /** How often a run of it has begun. */
  runs: number
  /** The newest 20 times, newest first. */
  history: ScheduleTime[]
  /** Its next three times, in words for whoever asks, in the time zone of the schedule. */
  next: {
    at: string
    text: string
  }[]
}

export interface ScheduleChange {
  message?: string | undefined
  /** Minute, hour, day of the month, month, day of the week. */
  cron?: string | undefined
  /** The IANA time zone in which the expression is read. */
  timeZone?: string | undefined
  /** `null`: it has no end. */
  until?: string | null | undefined
  /** What becomes of a time for which the clock was more than ten minutes late: it is carried out once (`run`), or left out (`skip`). */
  missed?: 'run' | 'skip' | undefined
  /** `true` pauses it, `false` resumes it. */
  paused?: boolean | undefined
}

/** What became of one time of a schedule. */
export interface ScheduleTime {
  /** ISO 8601. */
  dueAt: string
  /** `open`: left out, since the run before it was still at work or waited for somebody. `missed`: left out, since the clock was late. `refused`: no run could begin. */
  outcome: 'begun' | 'open' | 'missed' | 'refused'
  /** Why it was refused. */
  code: string | null
  runId: string | null
  /** Of its run, as in answers. */
  status: string | null
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
  provider?: string | undefined
  /** In place of a provider: the id of a server of MCP. */
  server?: string | undefined
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
  /** The name of the server of MCP that runs it; others run that server. */
  server?: string | undefined
  /** Whether calls need approval, unless an agent says otherwise. */
  approval: 'always' | 'sometimes' | 'never'
  /** Calls need approval, whatever an agent says. */
  alwaysAsks?: true | undefined
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
  /** Lossless repairs to the call. */
  repairs?: Repair[] | undefined
  /** What it did, in one line to show to the user. */
  summary?: string | undefined
  /** ISO 8601. */
  startedAt: string
  durationMs: number
}

/** A tool that writes, and that an agent uses without asking. */
export interface UnaskedTool {
  agentId: string
  toolName: string
  /** ISO 8601: when you set it to never ask; null: it never asks by its own rule. */
  since: string | null
  /** How often the agent used it without anybody being asked. */
  used: number
  /** ISO 8601; null if that was never. */
  lastUsedAt: string | null
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
  measure: 'runs_at_once' | 'runs' | 'mcp_calls' | 'model_calls' | 'tokens' | 'cost_usd' | 'writes' | 'streams' | 'conversations' | 'connections' | 'files' | 'api_tokens' | 'agents' | 'permissions' | 'tools_per_agent'
  /** The user or agent that it is for; null: the default. */
  subject: string | null
  /** null: at any one time. */
  per: 'minute' | 'hour' | 'day' | null
  /** Of writes: the only tool that it is about. */
  tool: string | null
  value: number
}
