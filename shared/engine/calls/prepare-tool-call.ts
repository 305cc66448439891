import type { JsonPath } from '../core/json-path.ts'
import { isObject } from '../core/json-value.ts'
import type { Repair } from '../core/repair.ts'
import type { Correction, Problem, ToolError } from '../core/tool-error.ts'
import { toolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { PartialArguments, UnreadableArguments } from '../reading/arguments-reading.ts'
import { readArguments } from '../reading/read-arguments.ts'
import { type CompiledSchema, compileTool } from '../schema/compile-schema.ts'
import { unifyDigits } from '../schema/digit-format.ts'
import { type Fault, missingAt } from '../schema/find-faults.ts'
import { declaredNames } from '../schema/resolve-schema.ts'
import { exampleFor } from '../wording/example-for.ts'
import { type CorrectedArguments, correctArguments, writeCorrection } from './correction/correct-arguments.ts'
import type { Suggestion } from './correction/correction-draft.ts'
import { describeProblem, type ExplainedFault, explainFaults } from './correction/explain-faults.ts'
import { findTool, type UnfoundTool } from './names/find-tool.ts'
import type { CallToPrepare, PreparedCall } from './prepared-call.ts'
import { allFaults, isSameFault } from './repair/argument-faults.ts'
import { placeAt } from './repair/argument-place.ts'
import { type RepairedArguments, repairArguments } from './repair/repair-arguments.ts'
import { resolveSlots, type Slots } from './repair/resolve-slots.ts'
import { removeUnsaid } from './repair/unsaid-text.ts'
import { unwrapArguments } from './repair/unwrap-arguments.ts'
import { wrapArguments } from './repair/wrap-arguments.ts'

const listedTools = 15

/**
 * Parses, repairs and checks one tool call as a model wrote it. Whatever has exactly one reading is repaired and listed in
 * `repairs`; everything else is returned as an error, never thrown: a question, every problem with its path, and in
 * `details.correction` the call to send instead, with open slots for missing values.
 *
 * @example
 * const search = {
 *   name: 'web_search', description: 'Searches the web.', effect: 'read' as const,
 *   parameters: { type: 'object', properties: { query: { type: 'string' }, count: { type: 'integer' } }, required: ['query'] },
 * }
 * const call = prepareToolCall({ name: 'webSearch', rawArguments: '{"query": "python", "count": "5",}', tools: [search] })
 * call.ok && call.args // => { query: 'python', count: 5 }
 */
export function prepareToolCall(call: CallToPrepare): PreparedCall {
  const specifications = call.tools.map((tool) => ('specification' in tool ? tool.specification : tool))
  const found = findTool(call.name, specifications)
  if (found.how === 'none') return { ok: false, error: toolNotFound(call.name, found) }
  const prepared = prepareArguments(call, found.tool)
  if (found.how === 'exact') return prepared
  if (found.how === 'spelling') return withToolRepair(call.name, found.tool, prepared)
  const error = toolNotFound(call.name, found, prepared)
  if (prepared.ok) error.details.problems?.push(...repairedProblems(call, found.tool))
  return { ok: false, error }
}

/** What was wrong with arguments that could be repaired: the call does not run, so everything is listed. */
function repairedProblems(call: CallToPrepare, tool: ToolSpecification): Problem[] {
  const reading = readArguments(call.rawArguments, { finishReason: call.finishReason })
  if (!reading.ok) return []
  const before: Problem[] = reading.repairs.length > 0 ? [{ errorType: 'malformed_arguments' }] : []
  const compiled = compileTool(tool)
  return [...before, ...allFaults(compiled, reading.value).map((fault) => describeProblem(compiled, fault))]
}

/** The call matches the right tool in another spelling: a repair, or one more problem. */
function withToolRepair(name: string, tool: ToolSpecification, prepared: PreparedCall): PreparedCall {
  if (prepared.ok) return { ...prepared, repairs: [{ path: '', rule: 'tool-name' }, ...prepared.repairs] }
  const { error } = prepared
  const problems = [unknownTool(name, tool.name), ...(error.details.problems ?? [])]
  return { ...prepared, error: { ...error, details: { ...error.details, problems } } }
}

function unknownTool(name: string, suggestion?: string): Problem {
  const actual = JSON.stringify(name.slice(0, 100))
  return { errorType: 'tool_not_found', actual, ...(suggestion === undefined ? {} : { suggestion }) }
}

function toolNotFound(name: string, found: UnfoundTool, prepared?: PreparedCall): ToolError {
  const allowed = found.ranked.slice(0, listedTools).map((tool) => tool.name)
  const suggestion = found.how === 'close' ? found.tool.name : found.suggestion?.name
  const missing =
    name.trim() === '' ? 'The call names no tool.' : `There is no tool ${JSON.stringify(name.slice(0, 100))}.`
  const choice =
    allowed.length === 0
      ? 'There are no tools here; please answer without one.'
      : `Please use one of: ${allowed.join(', ')}.`
  const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  const problems = [unknownTool(name, suggestion)]
  const details: ToolError['details'] = { value: name.slice(0, 100), allowed, problems }
  if (suggestion !== undefined) details.suggestion = suggestion
  if (found.how === 'close' && prepared) {
    const correction = prepared.ok
      ? { name: found.tool.name, arguments: prepared.args, open: [] }
      : prepared.error.details.correction
    if (correction) details.correction = correction
    if (!prepared.ok) problems.push(...(prepared.error.details.problems ?? []))
  }
  return toolError('tool_not_found', `Question: ${missing}${meant} ${choice}`, { details })
}

function prepareArguments(call: CallToPrepare, tool: ToolSpecification): PreparedCall {
  const compiled = compileTool(tool)
  const reading = readArguments(call.rawArguments, { finishReason: call.finishReason })
  if (!reading.ok && reading.reason === 'blank' && mayBeEmpty(call, compiled)) {
    // Without parameters nothing can get lost, and a read harms nobody; a write is proposed.
    const isHarmless = tool.effect === 'read' || declaredNames(compiled.flat).length === 0
    if (isHarmless) return { ok: true, tool, args: {}, repairs: [{ path: '', rule: 'blank-arguments' }] }
    return { ok: false, tool, error: unreadable(tool, reading, { name: tool.name, arguments: {}, open: [] }) }
  }
  if (!reading.ok) {
    const correction = writeCorrection(tool, correctReading(compiled, reading, call.slots))
    return { ok: false, tool, error: unreadable(tool, reading, correction) }
  }
  const { repairs } = reading
  const value = unifyDigits(compiled, reading.value)
  const wasBroken = repairs.length > 0
  // Most calls contain no angle bracket and are valid as they are.
  const unfilled = call.rawArguments.includes('<') ? resolveSlots(value, call.slots, repairs) : []
  if (call.isSaid && tool.effect === 'write') unfilled.push(...removeUnsaid(compiled, value, call.isSaid))
  if (unfilled.length === 0 && compiled.isValid(value)) return { ok: true, tool, args: value, repairs }
  return repairCall(tool, compiled, { value, repairs, wasBroken, unfilled })
}

/** Some gateways leave out arguments that are `{}` (Claude's); in a reply that was cut, they may have followed. */
function mayBeEmpty({ finishReason }: CallToPrepare, compiled: CompiledSchema): boolean {
  const takesNothing = declaredNames(compiled.flat).length === 0
  return (takesNothing || finishReason !== 'length') && compiled.isValid({})
}

/** The parsed arguments, with slots resolved. */
interface ReadCall {
  value: Record<string, unknown>
  repairs: Repair[]
  /** The text was not JSON and had to be repaired. */
  wasBroken: boolean
  /** List items that still have to be filled. */
  unfilled: readonly JsonPath[]
}

function repairCall(tool: ToolSpecification, compiled: CompiledSchema, read: ReadCall): PreparedCall {
  const { value, repairs, unfilled } = read
  const repaired = repairArguments(compiled, value)
  if (repaired.remaining.length === 0 && unfilled.length === 0) {
    return { ok: true, tool, args: repaired.args, repairs: [...repairs, ...repaired.repairs] }
  }
  const moved =
    unfilled.length === 0
      ? (unwrapArguments(compiled, value, tool.name) ?? wrapArguments(compiled, value))
      : undefined
  const base = moved?.repaired ?? repaired
  if (moved?.isLossless)
    return { ok: true, tool, args: base.args, repairs: [...repairs, moved.repair, ...base.repairs] }
  const gaps = unfilled.map((path) => missingAt(placeAt(compiled.root, base.args, path)))
  const corrected = correctArguments(compiled, base, { unfilled: gaps })
  const faults = orderFaults(repaired, gaps, corrected?.suggestions ?? [])
  const before: Problem[] = read.wasBroken ? [{ errorType: 'malformed_arguments' }] : []
  return { ok: false, tool, error: explainFaults(tool, compiled, faults, { before, corrected }) }
}

/** The faults that repairs left come first, and a wrong name with a good guess comes before the gap it leaves. */
function orderFaults(
  repaired: RepairedArguments,
  gaps: readonly Fault[],
  suggestions: readonly Suggestion[],
): ExplainedFault[] {
  const isIn = (faults: readonly Fault[], fault: Fault) => faults.some((other) => isSameFault(fault, other))
  const others = repaired.faults.filter((fault) => !isIn(gaps, fault))
  const explained = [...gaps, ...others].map((fault): ExplainedFault => {
    const suggested = suggestions.findLast((one) => isSameFault(one.fault, fault))
    const isLeft = isIn(gaps, fault) || isIn(repaired.remaining, fault)
    return { ...fault, repaired: !isLeft, ...(suggested && { suggestion: suggested.text }) }
  })
  const weight = ({ repaired, kind, suggestion }: ExplainedFault) =>
    (repaired ? 10 : 0) + (kind === 'undeclared' && suggestion !== undefined ? 0 : 1)
  return explained.sort((a, b) => weight(a) - weight(b))
}

/** For text that could not be parsed, or only up to the point where it was cut. */
function unreadable(
  tool: ToolSpecification,
  reading: UnreadableArguments,
  correction: Correction | undefined,
): ToolError {
  const error = `Question: I could not read the arguments of ${tool.name}: ${reading.message}. Please send the whole call again as one complete JSON object.`
  const details: ToolError['details'] = {
    expected: 'one JSON object',
    actual: reading.message,
    problems: [{ errorType: 'malformed_arguments', expected: 'one JSON object', actual: reading.message }],
  }
  const { required } = compileTool(tool).flat
  if (required && required.length > 0) details.requiredParameters = required
  const example = exampleFor(tool.parameters)
  if (example !== undefined) details.example = example
  if (correction) details.correction = correction
  return toolError('malformed_arguments', error, { details })
}

const nothingSeen: PartialArguments = { value: {}, unclosed: [[]] }

/** The correction of an unreadable text: whatever was certainly complete before the fault stays, everything else is open. */
function correctReading(
  compiled: CompiledSchema,
  reading: UnreadableArguments,
  slots: Slots | undefined,
): CorrectedArguments | undefined {
  if (reading.reason === 'too_large' || reading.reason === 'forbidden_key') return undefined
  if (declaredNames(compiled.flat).length === 0) return undefined
  for (const part of [reading.partial, nothingSeen]) {
    if (part === undefined) continue
    const seen = withoutEnvelope(compiled, part)
    // If an object already has every member, whatever follows adds nothing.
    const isWhole = seen.unclosed.length === 0 || (reading.reason === 'ambiguous' && hasAll(compiled, seen))
    const slotted = resolveSlots(seen.value, slots, [])
    const repaired = repairArguments(compiled, seen.value)
    const unfilled = slotted.map((path) => placeAt(compiled.root, repaired.args, path))
    const corrected = correctArguments(compiled, repaired, { unfilled, cut: isWhole ? undefined : seen })
    if (corrected) return corrected
  }
  return undefined
}

function hasAll(compiled: CompiledSchema, { value }: PartialArguments): boolean {
  return declaredNames(compiled.flat).every((name) => Object.hasOwn(value, name))
}

/** The arguments inside `{"name": …, "arguments": {…}}`, unless the tool declares these names itself. */
function withoutEnvelope(compiled: CompiledSchema, part: PartialArguments): PartialArguments {
  const declared = declaredNames(compiled.flat)
  const key = ['arguments', 'parameters'].find((name) => isObject(part.value[name]))
  if (key === undefined || typeof part.value.name !== 'string') return part
  if (declared.includes(key) || declared.includes('name')) return part
  const inside = (path: JsonPath) => (path[0] === key ? [path.slice(1)] : [])
  const [cut] = part.cut ? inside(part.cut) : []
  return {
    value: part.value[key] as Record<string, unknown>,
    unclosed: part.unclosed.flatMap(inside),
    cut,
  }
}
