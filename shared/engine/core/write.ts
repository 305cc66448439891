import type { ToolResult } from './tool-error.ts'

/**
 * A write that was begun or done, as a ledger knows it: in memory, and in the database (SQL `write_json`). Whoever asks for
 * one gets this.
 */
export interface Write {
  /** Of its invocation. */
  id: string
  toolCallId: string
  toolName: string
  arguments: Record<string, unknown>
  /** Number of the intent within the run. */
  intent: number
  /** 0, or one more for each approved repetition of the same write in the same turn. */
  repetition: number
  /** failed: provably not executed; unknown: it may have happened. */
  status: 'running' | 'succeeded' | 'failed' | 'unknown' | 'cancelled'
  /** ISO 8601: when it was claimed. */
  at: string
  /** For asking its provider about it. */
  idempotencyKey: string
  /** Null if nobody has reported one. */
  result: ToolResult | null
  durationMs: number | null
  /** Nobody knows what became of an equal one before it: once more may do it twice. */
  isSecond: boolean
}

/** One that was, or may have been, carried out. */
export type LiveWrite = Write & { status: 'running' | 'succeeded' | 'unknown' }
