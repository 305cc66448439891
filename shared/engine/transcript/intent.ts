import type { ToolError } from '../core/tool-error.ts'
import type { QuestionEntry } from './entry.ts'

/** One thing the model is trying to do with one tool. Only failed and open ones are kept: success closes an intent. */
export interface Intent {
  number: number
  /** Name of the tool, or of the one an unknown name resembles; `''` if it resembles none. */
  tool: string
  /** Failed attempts so far. */
  attempts: number
  /** What was right in the last call: `"<as sent>"` stands for one of these. */
  kept: Record<string, unknown>
  /** Key of the last call, to detect a repetition. */
  lastKey: string
  /** One error per failed attempt. */
  errors: ToolError[]
  /** The last call, for the form. */
  toolCallId: string
  /** From an earlier message, still open: a call only continues it if it certainly means it. */
  isEarlier?: true
  /** The open item that represents it. */
  item?: QuestionEntry
}
