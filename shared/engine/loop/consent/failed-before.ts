import { canonicalJson } from '../../core/canonical-json.ts'
import { parsePath, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { Change } from '../../core/seen.ts'
import { recipientsOf } from '../../provenance/recipients.ts'
import { titleField } from '../../wording/describe-parameter.ts'
import type { QuestionDraft } from '../run/ask.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'

/**
 * A question about a call whose earlier attempt was approved and failed: it says at which value, and what stands there now,
 * so that nobody takes it for the one that they have just approved.
 */
export function afterFailure(
  run: Run,
  { call, specification }: RoundCall,
  args: Record<string, unknown>,
  question: QuestionDraft,
): QuestionDraft {
  const failed = [...run.state.calls.values()].findLast(
    ({ call: other, result }) =>
      (other.intent === call.intent || isToTheSame(specification, other.input, args)) &&
      other.toolName === call.toolName &&
      other.toolCallId !== call.toolCallId &&
      other.approved === true &&
      result?.result.ok === false,
  )
  const input = failed?.call.input
  if (!failed?.result || failed.result.result.ok || !isObject(input)) return question
  const { errorType, details } = failed.result.result
  const { parameter } = details
  const path = parameter === undefined ? undefined : parsePath(parameter)
  const before = {
    errorType,
    ...(path && specification
      ? { parameter, field: titleField(specification.parameters, path), value: valueAt(input, path) }
      : {}),
  }
  const changed: Change = { what: 'failed', before, now: (path && onlyChange(input, args, path)) ?? null }
  return { ...question, changed: [changed, ...(question.changed ?? [])] }
}

/** Written anew after a refusal that no value was to blame for, it is another call, to the same people. */
function isToTheSame(
  tool: RoundCall['specification'],
  before: unknown,
  now: Record<string, unknown>,
): boolean {
  if (!tool || !isObject(before)) return false
  const [old, own] = [recipientsOf(tool, before), recipientsOf(tool, now)]
  return old !== undefined && own !== undefined && canonicalJson(old) === canonicalJson(own)
}

/** The value at a path, if nothing else is different. */
function onlyChange(
  before: Record<string, unknown>,
  now: Record<string, unknown>,
  path: readonly (string | number)[],
): unknown {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const different = names.filter((name) => canonicalJson(before[name]) !== canonicalJson(now[name]))
  return different.length === 1 && different[0] === path[0] ? valueAt(now, path) : undefined
}
