import { formatPath, type JsonPath, readPath, setAt } from '../core/json-path.ts'
import { type Correction, defaultResolver, type ToolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { declaredPlace, isOfTool } from '../schema/place.ts'
import { pickShape } from '../schema/resolve-schema.ts'
import { slotFor } from '../wording/describe-parameter.ts'

/** A call with these places open and everything else kept; undefined if one of them does not belong to the tool. */
export function openPlaces(
  { name, parameters }: ToolSpecification,
  args: Record<string, unknown>,
  paths: readonly JsonPath[],
): Correction | undefined {
  const corrected = structuredClone(args)
  for (const path of paths) {
    const place = declaredPlace({ parameters, args }, path)
    if (!isOfTool(place)) return undefined
    if (!setAt(corrected, path, slotFor(path, pickShape(parameters, place.schema)))) return undefined
  }
  return { name, arguments: corrected, open: paths.map(formatPath) }
}

/**
 * A refusal by a tool or provider is corrected like a refusal by a schema, if the error names parts of the call:
 * those are open, for the model or for the user, and the rest is kept.
 */
export function withCorrection(
  error: ToolError,
  tool: ToolSpecification,
  args: Record<string, unknown>,
): ToolError {
  const { correction, parameter, problems } = error.details
  const isOfTheCall = defaultResolver[error.errorType] === 'model'
  if (correction || !isOfTheCall || (error.resolver !== 'model' && error.resolver !== 'user')) return error
  const named = [parameter, ...(problems ?? []).map((problem) => problem.parameter)]
  const paths = [...new Set(named.filter((path) => path !== undefined))].map(readPath)
  const opened = paths.length > 0 ? openPlaces(tool, args, paths) : undefined
  return opened ? { ...error, details: { ...error.details, correction: opened } } : error
}
