import { formatPath, readPath } from '../core/json-path.ts'
import { readJsonOrText } from '../core/json-value.ts'
import { bodyLimits, readText } from '../core/outside-body.ts'
import { Question, type ToolError, type ToolResult } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { classifyError, findThrown } from '../failures/classify-error.ts'
import { extractToolError } from '../failures/extract-tool-error.ts'
import { placeAskedFor } from '../failures/named-parameter.ts'
import { outcomeUnknown } from '../failures/outcome-unknown.ts'
import { declaredPlace, isOfTool } from '../schema/place.ts'
import { jsonTypeOf } from '../schema/resolve-schema.ts'
import { titleOf } from '../wording/tool-title.ts'
import { withCorrection } from './open-places.ts'

/** A call of a tool, however it ended. */
export interface ToolCall {
  tool: ToolSpecification
  args: Record<string, unknown>
  /** The tool has called `context.effectBegins()`. */
  effectBegan: boolean
}

/** Reads the body of a Response, so that it can be judged; returns anything else unchanged. May reject, as bodies do. */
export function readReturned(returned: unknown): unknown {
  return isResponse(returned) ? readResponse(returned) : returned
}

/** By its members: clients have Response classes of their own. */
function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false
  const { status, ok, text, headers } = value as Partial<Response>
  return (
    typeof status === 'number' &&
    typeof ok === 'boolean' &&
    typeof text === 'function' &&
    typeof headers?.get === 'function'
  )
}

/** An HTTP response that a tool returned, with its body read. */
class ReadResponse {
  readonly response: Response
  readonly body: unknown
  constructor(response: Response, body: unknown) {
    this.response = response
    this.body = body
  }
}

async function readResponse(response: Response): Promise<ReadResponse> {
  // The class of another client may have read its body already, or have no stream of the web's kind.
  const isStream = response.body instanceof ReadableStream
  const text = isStream ? await readText(response, bodyLimits.toolResponse) : await response.text()
  return new ReadResponse(response, text === '' ? null : readJsonOrText(text))
}

/**
 * What a tool returned: a success, or a failure in any of the forms that tools use. A bare string is data,
 * whatever it starts with, and a Response is judged by its status and body. Of an object that looks like our own
 * errors, only what a tool may say about itself is used.
 */
export function judgeReturned(returned: unknown, call: ToolCall): ToolResult {
  const facts = { ...collectFacts(call), thrown: false }
  if (returned instanceof ReadResponse) {
    const { response, body } = returned
    if (response.ok) return judgeReturned(body, call)
    const { status: httpStatus, headers } = response
    // The failure is not the tool's own statement: unless status or body explain it, the effect may have happened.
    return corrected(classifyError(body, { ...facts, httpStatus, headers, thrown: true }), call)
  }
  if (isSuccess(returned)) return { ok: true, data: keepAsJson(returned.data) }
  const isText = typeof returned === 'string' && !/^\s*\{/.test(returned)
  const error = isText ? undefined : extractToolError(returned, undefined, facts)
  return error ? corrected(error, call) : { ok: true, data: keepAsJson(returned) }
}

/** What an exception of a tool means. A ToolCallError says it itself; a question is completed with the call to send. */
export function judgeThrown(cause: unknown, call: ToolCall): ToolError {
  const thrown = findThrown(cause)
  if (!thrown) return corrected(classifyError(cause, { ...collectFacts(call), thrown: true }), call)
  if (!(thrown instanceof Question)) return corrected(withShortValue(thrown.toolError), call)
  if (call.tool.effect === 'write' && call.effectBegan) {
    return outcomeUnknown({ how: 'asked', tool: titleOf(call.tool) })
  }
  return corrected(completeQuestion(thrown.toolError, call), call)
}

const said = 'question' as const

/** Which parameter a question is about, and whether its value is missing or unusable. */
function completeQuestion(asked: ToolError, { tool, args }: ToolCall): ToolError {
  const called = { parameters: tool.parameters, args }
  const { parameter, allowed } = asked.details
  const place =
    parameter === undefined ? placeAskedFor(asked.error, called) : declaredPlace(called, readPath(parameter))
  const words = asked.details.asked ? { asked: asked.details.asked } : {}
  if (!place || !isOfTool(place)) return { ...asked, details: { ...words, said } }
  const { path, value } = place
  const details = { parameter: formatPath(path), allowed, ...words, said }
  if (value === undefined) return { ...asked, details }
  return withShortValue({ ...asked, errorType: 'invalid_value', details: { ...details, value } })
}

/** Characters of JSON; an attachment does not help the reader of an error. */
const longestValue = 2_048

function withShortValue(error: ToolError): ToolError {
  const { value } = error.details
  const size = JSON.stringify(keepAsJson(value))?.length ?? 0
  if (size <= longestValue) return error
  return { ...error, details: { ...error.details, value: `${jsonTypeOf(value)} of ${size} characters` } }
}

function corrected(error: ToolError, { tool, args }: ToolCall): ToolError {
  return withCorrection(error, tool, args)
}

function collectFacts({ tool, args, effectBegan }: ToolCall) {
  return { tool, args, effectBegan, toolName: tool.name, effect: tool.effect }
}

function isSuccess(value: unknown): value is { ok: true; data: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { ok?: unknown }).ok === true &&
    Object.hasOwn(value, 'data')
  )
}

/** Whatever cannot be written as JSON (a cycle, a bigint, a function) becomes text: the effect has happened. */
function keepAsJson(data: unknown): unknown {
  try {
    return data === undefined || JSON.stringify(data) !== undefined ? data : String(data)
  } catch {
    return String(data)
  }
}
