import { isObject, readJsonText } from '../core/json-value.ts'
import { isWholeToolError, type ToolError } from '../core/tool-error.ts'
import { classifyError, type ErrorFacts, type FailedCall } from './classify-error.ts'

/** Prefixes of older tools' errors: the whole text is the error. Ordinary text that only mentions an error is not. */
const errorText =
  /^\s*(?:Tool execution error|Tool error|Validation errors?|Error executing tool\b[^:\n]{0,80}|(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?|MCP error -?\d+)\s*:\s*\S/
const longestErrorText = 2_000

/** Keys of an object that only wraps another result. */
const wrappers = ['result', 'data', 'output', 'response', 'value', 'toolResult']

/**
 * The error inside a tool's result, classified; undefined if the result is a success. Understands our own results,
 * `{success: false}`, `{ok: false}`, `{error}`, `{isError: true}`, error bodies of APIs, exit codes, JSON texts,
 * results inside results, and the texts of older tools. `{ok: true, error: null}` is a success.
 *
 * `topLevelError` is an error that the caller received besides the value; it wins.
 *
 * @example
 * extractToolError({ ok: true, error: null })
 * // => undefined
 * @example
 * extractToolError('Validation errors: Recipient (to) is required')?.errorType
 * // => 'missing_parameter'
 */
export function extractToolError(
  value: unknown,
  topLevelError?: unknown,
  facts: ErrorFacts | FailedCall = {},
): ToolError | undefined {
  const error = findError(value, 0)
  // The value may say more about the error, unless it is a success itself.
  if (says(topLevelError)) return classifyError(topLevelError, { ...facts, body: facts.body ?? error })
  return error === undefined ? undefined : classifyError(error, facts)
}

/** Whether an `error` field reports an error: `null`, `false`, `""`, `{}` and `[]` do not. */
function says(error: unknown): boolean {
  if (error === undefined || error === null || error === false || error === '' || error === 0) return false
  if (Array.isArray(error)) return error.length > 0
  return typeof error !== 'object' || error instanceof Error || Object.keys(error).length > 0
}

function findError(value: unknown, depth: number): unknown {
  if (value instanceof Error || isWholeToolError(value)) return value
  if (typeof value === 'string') return findErrorInText(value, depth)
  if (!isObject(value) || depth > 3) return undefined
  const verdict = readOutcome(value)
  if (verdict !== undefined) return verdict === 'failed' ? value : undefined
  const wrapped = onlyWrapped(value)
  return wrapped === undefined ? undefined : findError(wrapped, depth + 1)
}

function findErrorInText(text: string, depth: number): unknown {
  if (text.length <= longestErrorText && errorText.test(text)) return text
  if (!/^\s*\{/.test(text) || depth > 3) return undefined
  return findError(readJsonText(text), depth + 1)
}

const succeeded = /^(?:ok|success|succeeded|completed|done)$/i
const failed = /^(?:error|failed|failure|fail)$/i

/** What a result says about itself, from the clearest sign to the vaguest; undefined if nothing. */
function readOutcome(result: Record<string, unknown>): 'succeeded' | 'failed' | undefined {
  const { ok, success, isError, status, error, errors, exitCode = result.exit_code, stderr, stdout } = result
  for (const flag of [ok, success]) {
    if (flag === true) return 'succeeded'
    if (flag === false) return 'failed'
  }
  if (isError === true) return 'failed'
  if (isError === false) return 'succeeded'
  if (typeof exitCode === 'number' && (stderr !== undefined || stdout !== undefined)) {
    return exitCode === 0 ? 'succeeded' : 'failed'
  }
  if (typeof status === 'string' && succeeded.test(status)) return 'succeeded'
  if (says(error)) return 'failed'
  if (typeof status === 'string' && failed.test(status)) return 'failed'
  if (result.object === 'error' || result.type === 'error' || says(result['odata.error'])) return 'failed'
  if (says(errors) && Array.isArray(errors) && isEmpty(result.data)) return 'failed'
  if (isErrorBody(result)) return 'failed'
  return undefined
}

/** GraphQL returns errors beside `data` with only null fields; with some data it is a partial success. */
function isEmpty(data: unknown): boolean {
  return !data || (typeof data === 'object' && Object.values(data).every((value) => value === null))
}

const messageFields = [
  'message',
  'detail',
  'title',
  'error_message',
  'error_description',
  'description',
  'reason',
]

/** A body that an API sends with an error status: the status as a number, or just an error message. */
function isErrorBody(result: Record<string, unknown>): boolean {
  const status = Number(
    result.statusCode ?? result.status_code ?? result.httpStatus ?? result.status ?? Number.NaN,
  )
  if (status >= 400 && status < 600)
    return messageFields.some((field) => says(result[field])) || says(result.body)
  const keys = Object.keys(result)
  // PostgREST, also as passed on by supabase-js.
  if (['message', 'code', 'details', 'hint'].every((key) => key in result)) return says(result.message)
  if (keys.length === 1 && keys[0] === 'stderr') return says(result.stderr)
  if (keys.length === 1 && keys[0] === 'detail')
    return typeof result.detail === 'object' && says(result.detail)
  if (says(result.error_code)) return says(result.msg) || says(result.message)
  return says(result.error_message) || (says(result.errorMessage) && says(result.errorType))
}

function onlyWrapped(result: Record<string, unknown>): unknown {
  const keys = Object.keys(result).filter((key) => key !== 'error' && result[key] !== undefined)
  const [key] = keys
  return keys.length === 1 && key !== undefined && wrappers.includes(key) ? result[key] : undefined
}
