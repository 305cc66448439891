import type { Effect } from '../tools/tool-specification.ts'
import { isToolError, ToolCallError, type ToolError, toolError } from './tool-error.ts'

export interface ErrorFacts {
  toolName?: string
  /** HTTP status, or the code of an SMTP reply. */
  httpStatus?: number | null
  headers?: Headers | Record<string, string | string[] | undefined>
  /** Body of the response: parsed JSON or text. */
  body?: unknown
  /** Defaults to `read`. */
  effect?: Effect
}

/** Turns whatever came back or was thrown into a tool error. */
export function classifyError(cause: unknown, _facts: ErrorFacts = {}): ToolError {
  if (cause instanceof ToolCallError) return cause.toolError
  if (isToolError(cause)) return cause
  return toolError('execution_error', 'The tool failed for an unknown reason.')
}
