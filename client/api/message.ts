import type { UIMessage } from 'ai'
import type { MessageData, MessageMetadata, Conversation as StoredConversation } from './types.ts'

export type {
  ChatAnswer,
  ConversationPage,
  ConversationSummary,
  Decided,
  MessageData,
  MessageMetadata,
  ModelChoice,
  OpenItem,
  Pending,
  Rating,
  Repair,
  StopAnswer,
  TextRanges,
  ToolDescription,
} from './types.ts'

/** A message of a conversation, as `useChat` holds it. */
export type ChatMessage = UIMessage<MessageMetadata, Pick<MessageData, keyof MessageData>>
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
  short?: string
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
