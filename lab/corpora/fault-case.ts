import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import type { PreparedCall } from '../../shared/engine/calls/prepared-call.ts'
import { type JsonPath, parsePath, valueAt } from '../../shared/engine/core/json-path.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

/** One row of the faults corpus; paths are JSON Pointers, `""` is the whole call. */
export interface FaultCase {
  id: string
  tools: ToolSpecification[]
  call_name: string
  raw_arguments: string
  fault: string
  subkind: string
  expected: {
    ok: boolean
    error_types_accepted: string[]
    paths: string[]
    errors: { error_type: string; path: string }[]
    schema_detectable?: boolean
    repair_class?: 'lossless' | 'heuristic' | 'none' | 'valid'
    suggestion?: string
    contested?: boolean
  }
  ground_truth: Call | null
}

/** Our error types by the corpus's names. */
const words: Record<string, string> = {
  tool_not_found: 'unknown_tool',
  malformed_arguments: 'malformed_json',
  quota_exceeded: 'quota',
}

export interface NamedProblem {
  type: string
  path: string
  suggestion?: string
}

export interface Outcome {
  prepared: PreparedCall
  problems: NamedProblem[]
}

/** Prepares the call of a case; problems have the corpus's names. */
export function prepareCase(one: Pick<FaultCase, 'tools' | 'call_name' | 'raw_arguments'>): Outcome {
  const tools = one.tools.map((tool) => ({ ...tool, effect: tool.effect ?? ('write' as const) }))
  const prepared = prepareToolCall({ name: one.call_name, rawArguments: one.raw_arguments, tools })
  if (prepared.ok) return { prepared, problems: [] }
  const { errorType, details } = prepared.error
  const problems = [
    { errorType, parameter: details.parameter, suggestion: details.suggestion },
    ...(details.problems ?? []),
  ]
  return {
    prepared,
    problems: problems.map((problem) => ({
      type: words[problem.errorType] ?? problem.errorType,
      path: pointerOf(problem.parameter ?? ''),
      ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion }),
    })),
  }
}

/** Converts one of our paths to a JSON Pointer. */
function pointerOf(path: string): string {
  const keys = parsePath(path) ?? [path]
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The correction's arguments with each slot filled from the reference call, or removed if that has no such value. */
export function fillSlots(
  correction: { arguments: Record<string, unknown>; open: string[] },
  truth: Call,
): unknown {
  const filled = structuredClone(correction.arguments)
  for (const open of correction.open) {
    const path: JsonPath = parsePath(open) ?? []
    const key = path.at(-1)
    const parent = valueAt(filled, path.slice(0, -1))
    if (key === undefined || typeof parent !== 'object' || parent === null) continue
    const value = valueAt(truth.arguments, path)
    if (value !== undefined) (parent as Record<string | number, unknown>)[key] = value
    else if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete (parent as Record<string | number, unknown>)[key]
  }
  return filled
}
