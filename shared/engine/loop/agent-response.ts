import type { ToolErrorType } from '../core/tool-error.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import type { Answer } from '../transcript/answer.ts'
import type { Entry } from '../transcript/entry.ts'

export interface AgentResponse extends Answer {
  /**
   * What was added to the conversation, for other programs: OpenAI chat messages, each assistant tool call with
   * exactly one tool message; a failed call is JSON `{ ok: false, error, … }`.
   */
  messages: ChatMessage[]
  /** The entries that were added, the user's message first. Keep them behind the earlier ones: there is no other state. */
  transcript: Entry[]
}

export interface Limits {
  /** Model calls with tools in one run. Default 10. */
  maxRounds: number
  /** Attempts per intent. Default 3. */
  maxAttempts: number
  /** Fewer attempts where an intent fails like this. */
  attemptsByType?: Partial<Record<ToolErrorType, number>>
  /** Milliseconds one execution may take. Default 30000. */
  toolTimeoutMs: number
  /** Longest wait for the clock inside a run, in milliseconds; longer waits park it. Default 10000. */
  maxWaitMs: number
  /** How long an approval can be given, in milliseconds. Default 7 days. */
  approvalMs: number
  maxOutputTokens?: number
  /** Tokens that whoever asked takes of each answer. One that is cut there is the answer: the model is not asked again. */
  maxAnswerTokens?: number
  maxTotalTokens?: number
  maxDurationMs?: number
}

/** What is heard while the model writes. It is kept nowhere: the entries of the step have all of it. */
export type Delta =
  | { type: 'text-delta'; delta: string }
  | { type: 'thought-delta'; delta: string }
  | { type: 'input-start'; toolCallId: string; toolName: string }
  | { type: 'input-delta'; toolCallId: string; delta: string }
  /** Another try or another model: what was heard of this step is void. */
  | { type: 'restart'; provider: string; model: string }

/** What `onEvent` hears, in order: every entry when it is appended, and deltas. */
export type AgentEvent = Entry | Delta
