import type { Repair } from '../core/repair.ts'
import type { ToolError } from '../core/tool-error.ts'
import type { Tool, ToolSpecification } from '../core/tool-specification.ts'
import type { Slots } from './repair/resolve-slots.ts'
import type { IsSaid } from './repair/unsaid-text.ts'

export interface CallToPrepare {
  name: string
  /** The arguments exactly as the model wrote them. */
  rawArguments: string
  tools: readonly (ToolSpecification | Tool)[]
  /** The model's finish reason: with `length`, an unreadable text counts as cut. */
  finishReason?: string
  slots?: Slots
  /** Given for a write, free text that stands for another (`TBD`, an example) and that nobody said is missing. */
  isSaid?: IsSaid
}

export type PreparedCall =
  | { ok: true; tool: ToolSpecification; args: Record<string, unknown>; repairs: Repair[] }
  | { ok: false; error: ToolError; tool?: ToolSpecification }
