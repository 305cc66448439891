import type { ToolErrorType } from '../../core/tool-error.ts'
import type { ChatMessage } from '../../models/protocol/model-client.ts'
import type { Answer } from '../../transcript/answer.ts'
import type { Entry } from '../../transcript/entry.ts'

export interface AgentResponse extends Answer {
  /**
   * What was added to the conversation, for other programs: OpenAI chat messages, each assistant tool call with
   * exactly one tool message; a failed call is JSON `{ ok: false, error, … }`.
   */
  messages: ChatMessage[]
  /** The entries that were added, the user's message first. Append them to the earlier ones: there is no other state. */
  transcript: Entry[]
}

export interface Limits {
  /** Model calls with tools in one run. Default 10. */
  maxRounds: number
  /** Attempts per intent. Default 3. */
  maxAttempts: number
  /** Fewer attempts for intents that fail with these types. */
  attemptsByType?: Partial<Record<ToolErrorType, number>>
  /** Milliseconds one execution may take. Default 30000. */
  toolTimeoutMs: number
  /** Milliseconds a tool may look at what an approval relies on. Default 2000. */
  lookTimeoutMs: number
  /** Longest wait for the clock inside a run, in milliseconds; for a longer one, it ends and waits. Default 10000. */
  maxWaitMs: number
  /** How long an approval can be given, in milliseconds. Default 7 days. */
  approvalMs: number
  maxOutputTokens?: number
  /** The caller's limit of tokens per answer. An answer that is cut there is final: the model is not asked again. */
  maxAnswerTokens?: number
  maxTotalTokens?: number
  maxDurationMs?: number
}

/** What the model is writing right now. Not stored: the entries of the step contain all of it. */
export type Delta =
  | { type: 'text-delta'; delta: string }
  | { type: 'thought-delta'; delta: string }
  | { type: 'input-start'; toolCallId: string; toolName: string }
  | { type: 'input-delta'; toolCallId: string; delta: string }
  /** Another try or another model: what was heard of this step is void. */
  | { type: 'restart'; provider: string; model: string }

/** The events of `onEvent`, in order: every entry when it is appended, and deltas. */
export type AgentEvent = Entry | Delta
