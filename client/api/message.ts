import type { UIMessage } from 'ai'
import type { Pending, Conversation as StoredConversation } from './types.ts'

export type {
  ChatAnswer,
  ConversationPage,
  ConversationSummary,
  Decided,
  ModelChoice,
  OpenItem,
  Pending,
  StopAnswer,
  TextRanges,
  ToolDescription,
} from './types.ts'

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
  question: Partial<Omit<Pending, 'type'>> & {
    toolCallId: string
    type?: string
    answered?: boolean
    /** How it was closed, if nobody decided it. */
    closed?: 'replaced' | 'yielded' | 'expired' | 'stop' | 'message'
  }
  /** The standing permission that the user may give with this approval, and its sentence. */
  remember: { toolCallId: string; approvalId: string } & NonNullable<Pending['remember']>
  /** `resumeAt` (ISO 8601): the run continues by itself then; `waitMs`: it is waiting that long for a provider. */
  wait: { toolCallId: string; resumeAt?: string; waitMs?: number }
  'model-switch': { from: string; to: string }
  /** Shown while the message is being written; not part of it. */
  notice: { code: string; text: string; values?: Record<string, unknown> }
  repair: { toolCallId: string; repairs: Repair[] }
  /** A write of an answer that this one replaced. */
  'done-before': { toolCallId: string; toolName: string; summary?: string; input?: Record<string, unknown> }
  /**
   * `intent`: shared by all attempts at one thing. `startedAt`: ISO 8601. `summary`: what the call did, in one line.
   * `edited`: what the user changed on its card, and what stood there before.
   */
  call: {
    toolCallId: string
    intent: number
    startedAt: string
    summary?: string
    edited?: { name: string; before?: unknown }[]
  }
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
  /** A short label, for beside a value. */
  label?: string
  default?: unknown
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: FormSchema
  properties?: Record<string, FormSchema>
  required?: string[]
  /** Of a provider's form: the page where people get its key. */
  keysAt?: string
  [keyword: string]: unknown
}

/** A conversation as this client reads it: with the times of its messages. */
export type Conversation = StoredConversation & { times: Record<string, string> }

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
