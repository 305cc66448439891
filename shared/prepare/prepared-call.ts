import type { ToolError } from '../errors/tool-error.ts'
import type { Tool, ToolSpecification } from '../tools/tool-specification.ts'

/** One lossless repair: where (`""` = the whole call) and by which rule. */
export interface Repair {
  path: string
  rule: string
}

/** Texts that stand for a value and are never sent as one: `"<recipient email address>"`, `"<as sent>"`. */
export interface Slots {
  /** Arguments of the one open intent of the called tool: what `"<as sent>"` stands for at the same path. */
  kept?: Record<string, unknown>
  /** Every slot text shown in this conversation; an argument equal to one is missing. */
  shown: ReadonlySet<string>
}

export interface CallToPrepare {
  name: string
  /** The arguments exactly as the model wrote them. */
  rawArguments: string
  tools: readonly (ToolSpecification | Tool)[]
  /** The model's finish reason: with `length` an unreadable text counts as cut. */
  finishReason?: string
  slots?: Slots
}

export type PreparedCall =
  | { ok: true; tool: ToolSpecification; args: Record<string, unknown>; repairs: Repair[] }
  | { ok: false; error: ToolError; tool?: ToolSpecification }
