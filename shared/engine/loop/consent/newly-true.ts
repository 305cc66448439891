import { formatPath, type JsonPath, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { ToolError } from '../../core/tool-error.ts'
import type { LoopState } from '../../transcript/loop-state.ts'
import type { RoundCall } from '../run/round-call.ts'

/** A yes that only the model has given, and the tool's answer to the call without it. */
export interface NewlyTrue {
  paths: JsonPath[]
  refusal: ToolError
}

/**
 * The booleans that a write sets to true after its tool has refused the call without them: in whatever language,
 * "Overwrite it?" asks for consent, which only the user can give. Considers calls of this turn whose intent has not
 * succeeded; what users filled in themselves is their own consent.
 */
export function findNewlyTrue(state: LoopState, call: RoundCall): NewlyTrue | undefined {
  const { args, call: made } = call
  const set = made.effect === 'write' && args ? listTrue(args) : []
  if (set.length === 0) return undefined
  const { decided } = call.state
  const own = new Set(
    decided?.decision.decision === 'answer' && decided.decision.by?.door !== 'client'
      ? decided.question.open
      : [],
  )
  const calls = [...state.calls.values()].filter(({ index }) => index > state.turnStart)
  const done = new Set(calls.filter(({ result }) => result?.result.ok).map((other) => other.call.intent))
  for (const { call: earlier, result } of calls.toReversed()) {
    const isRefused = result && !result.result.ok && result.tries > 0 && earlier.toolName === made.toolName
    if (!isRefused || result.result.ok || !isObject(earlier.input) || done.has(earlier.intent)) continue
    const { input } = earlier
    const paths = set.filter((path) => valueAt(input, path) !== true)
    const unsaid = paths.filter((path) => !own.has(formatPath(path)))
    if (unsaid.length > 0) return { paths: unsaid, refusal: result.result }
  }
  return undefined
}

const deepest = 8

function listTrue(value: unknown, path: JsonPath = []): JsonPath[] {
  if (value === true) return [path]
  if (path.length >= deepest) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => listTrue(item, [...path, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => listTrue(member, [...path, name]))
}
