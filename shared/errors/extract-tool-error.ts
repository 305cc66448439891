/** Finds the error inside a tool's result; undefined when the result is a success. */
export function extractToolError(value: unknown, topLevelError?: unknown): unknown {
  if (topLevelError !== undefined && topLevelError !== null) return topLevelError
  if (typeof value !== 'object' || value === null) return undefined
  const result = value as { ok?: unknown }
  return result.ok === false ? value : undefined
}
