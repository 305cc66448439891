import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { Pending, RunStatus, RunUsage, ToolUse } from '../../../shared/engine/loop/agent-response.ts'
import type { ModelPreference } from '../../../shared/engine/models/model-settings.ts'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import type { MessagePart } from './user-message.ts'

/** An assistant message as clients show it. */
export interface UiMessage {
  id: string
  role: 'user' | 'assistant'
  parts: MessagePart[]
  metadata?: Record<string, unknown> | null
}

/** The JSON answer as it is stored with the run: everything but the message. */
export interface StoredAnswer {
  conversationId: string
  runId: string
  status: RunStatus
  /** Never empty. */
  text: string
  toolsUsed: ToolUse[]
  usage: RunUsage
  pending?: Pending[]
}

/** A run as others see it (RPC `get_run`). */
export interface RunView {
  runId: string
  conversationId: string
  messageId: string
  status: 'running' | 'stopping' | StoredAnswer['status'] | 'stopped' | 'interrupted'
  /** What `finish_run` got; null where the run never came to its end. */
  answer: StoredAnswer | null
  message: UiMessage | null
  /** What is still open of the answer's. */
  pending: Pending[]
}

/** A tool that the agent may use now, and the function that runs it. */
export interface PermittedTool {
  specification: ToolSpecification
  approval: 'always' | 'never'
  function: string
  action: string
}

/** A write of an earlier run, as the ledger has it. */
export interface LedgerWrite {
  toolName: string
  arguments: Record<string, unknown>
  status: 'running' | 'succeeded' | 'unknown'
  result: unknown
}

export type HistoryEntry =
  | { id: string; role: 'user'; parts: MessagePart[] }
  | { id: string; role: 'assistant'; modelMessages: ChatMessage[] | null }

/** Everything a run needs, loaded in the round trip that began it. */
export interface LoadedTurn {
  conversationId: string
  runId: string
  turnId: string
  /** Of the assistant message that the run writes. */
  messageId: string
  agent: { id: string; name: string; instructions: string }
  preference: (ModelPreference & { temperature?: number | null; retryTemperature?: number | null }) | null
  tools: PermittedTool[]
  /** Oldest first, beginning with a user message. */
  history: HistoryEntry[]
  user: { id: string; name: string | null; email: string | null; accounts: string[] }
  /** Writes of this turn by earlier runs: they ask before they run again. */
  priorWrites: LedgerWrite[]
  /** Writes of earlier turns whose run left no message behind. */
  lostWrites: LedgerWrite[]
}

/** What the user, a new connection or the clock decided about a call that waits. */
export interface Decision {
  /** `resume`: whatever of connection and wait is open. */
  type: 'input' | 'approval' | 'connection' | 'wait' | 'resume'
  toolCallId?: string
  values?: Record<string, unknown>
  decision?: 'approve' | 'deny' | 'draft'
  input?: Record<string, unknown>
  reason?: string
}

export type NewTurn = LoadedTurn & {
  kind: 'run'
  /** An earlier run of the same message was interrupted: this one goes on where it stopped. */
  recovered?: boolean
}

export type ContinuedTurn = LoadedTurn & {
  kind: 'continue'
  state: unknown
  pending: Pending[]
  message: UiMessage
  /** The ones that apply, whichever way they came. */
  answers: Decision[]
}

/** What the database says a POST means. */
export type TurnReply =
  | NewTurn
  | ContinuedTurn
  | { kind: 'join'; conversationId: string; runId: string }
  | { kind: 'return'; conversationId: string; run: RunView }
  | { kind: 'error'; status: number; code: string; message: string }
