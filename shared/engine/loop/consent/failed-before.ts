import { canonicalJson } from '../../core/canonical-json.ts'
import { parsePath, readPath, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { Change } from '../../core/seen.ts'
import type { ToolError } from '../../core/tool-error.ts'
import { recipientsOf } from '../../provenance/recipients.ts'
import type { Call } from '../../transcript/entry.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import { titleField } from '../../wording/describe-parameter.ts'
import type { QuestionDraft } from '../run/ask.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'

/**
 * A question about a call whose last attempt was approved and failed, or was denied: it says so, at which value it failed, and
 * what stands there now, so that nobody takes it for the one that they have just decided about.
 */
export function afterFailure(
  run: Run,
  { call, specification }: RoundCall,
  args: Record<string, unknown>,
  question: QuestionDraft,
): QuestionDraft {
  const last = [...run.state.calls.values()].findLast(
    (other) =>
      other.call.toolName === call.toolName &&
      other.call.toolCallId !== call.toolCallId &&
      (isAgain(other, call, args)
        ? wasDecided(other) || wasDenied(other)
        : wasDecided(other) && isToTheSame(specification, other.call.input, args)),
  )
  const input = last?.call.input
  if (!last?.result || last.result.result.ok || !isObject(input)) return question
  const { errorType, details } = last.result.result
  if (wasDenied(last)) {
    const changed: Change = { what: 'denied', before: null, now: null }
    return { ...question, changed: [changed, ...(question.changed ?? [])] }
  }
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

/** Whether a call is another attempt at the same thing. */
function isAgain({ call: before }: CallState, call: Call, args: Record<string, unknown>): boolean {
  return before.intent === call.intent || canonicalJson(before.input) === canonicalJson(args)
}

/** Whether it was done, or failed although it was approved. */
function wasDecided({ call, result }: CallState): boolean {
  return result !== undefined && (result.result.ok || call.approved === true)
}

function wasDenied({ result }: CallState): boolean {
  return result?.result.ok === false && result.result.errorType === 'approval_denied'
}

/** A form that was filled in, and whose value the tool refused: asked again, it says so, and does not read like the one before. */
export function afterAnswer(run: Run, form: QuestionDraft, { errorType, details }: ToolError): QuestionDraft {
  const { toolCallId, toolName } = form
  const { parameter } = details
  const parameters = run.specifications.get(toolName)?.parameters
  const hasRun = (run.state.calls.get(toolCallId)?.result?.tries ?? 0) > 0
  const answered = run.entries.findLast(
    (entry) => entry.type === 'decision' && entry.toolCallId === toolCallId && entry.values !== undefined,
  )
  if (!hasRun || parameter === undefined || !parameters || answered?.type !== 'decision') return form
  const path = readPath(parameter)
  const given = Object.entries(answered.values ?? {}).find(([name]) => readPath(name)[0] === path[0])
  if (!given) return form
  const field = titleField(parameters, path)
  return {
    ...form,
    changed: [{ what: 'failed', before: { errorType, parameter, field, value: given[1] }, now: null }],
  }
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
