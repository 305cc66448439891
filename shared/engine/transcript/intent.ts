import type { ToolError } from '../core/tool-error.ts'
import type { QuestionEntry } from './entry.ts'

/** One thing the model is trying to do with one tool. Only failed and open ones are kept: success closes an intent. */
export interface Intent {
  number: number
  /** Name of the tool, or of the one an unknown name resembles; `''` when it resembles none. */
  tool: string
  /** Failed attempts so far. */
  attempts: number
  /** What was right in the last call: `"<as sent>"` stands for one of these. */
  kept: Record<string, unknown>
  /** Key of the last call, to notice when it comes again. */
  lastKey: string
  /** One error per failed attempt. */
  errors: ToolError[]
  /** The last call, for the form. */
  toolCallId: string
  /** Of an earlier message, still open: a call continues it only where it surely means it. */
  isEarlier?: true
  /** The open item that stands for it. */
  item?: QuestionEntry
}
