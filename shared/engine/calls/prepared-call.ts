import type { Repair } from '../core/repair.ts'
import type { ToolError } from '../core/tool-error.ts'
import type { Tool, ToolSpecification } from '../core/tool-specification.ts'
import type { Slots } from './repair/resolve-slots.ts'

export interface CallToPrepare {
  name: string
  /** The arguments exactly as the model wrote them. */
  rawArguments: string
  tools: readonly (ToolSpecification | Tool)[]
  /** The model's finish reason: with `length`, an unreadable text counts as cut. */
  finishReason?: string
  slots?: Slots
}

export type PreparedCall =
  | { ok: true; tool: ToolSpecification; args: Record<string, unknown>; repairs: Repair[] }
  | { ok: false; error: ToolError; tool?: ToolSpecification }
