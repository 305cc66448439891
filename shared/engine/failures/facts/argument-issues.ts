import { formatPath } from '../../core/json-path.ts'
import type { Problem, ToolErrorType } from '../../core/tool-error.ts'
import { decodePointer } from '../../schema/resolve-schema.ts'

/** Reads the issue lists of validators: zod, JSON Schema validators like ajv, pydantic and FastAPI. */
export function readIssues(list: unknown): Problem[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, 20).flatMap((item) => {
    const problem = isIssue(item) ? readIssue(item) : undefined
    return problem ? [problem] : []
  })
}

/** Validator messages that only repeat the problem's type. */
const ownWording =
  /^(?:Invalid|Too (?:small|big)|Unrecognized|Required|Expected|Input should|Field required|Extra inputs|String should|Value error|must )/i

/** What a schema's author says about a value: zod's `.refine(…, { message })`, custom issues, error maps. */
export function hintsOfIssues(list: unknown[]): string[] {
  return list
    .filter(isIssue)
    .filter(({ code, message }) => code === 'custom' || !ownWording.test(String(message)))
    .map(({ message }) => message)
    .filter((text): text is string => typeof text === 'string' && text !== 'Invalid input')
    .slice(0, 3)
}

interface Issue {
  code?: unknown
  keyword?: unknown
  type?: unknown
  path?: unknown
  loc?: unknown
  instancePath?: unknown
  params?: unknown
  keys?: unknown
  expected?: unknown
  received?: unknown
  message?: unknown
  msg?: unknown
}

/** Validators give the place as a list (`path`, `loc`) or as a pointer; provider errors do not. */
function isIssue(item: unknown): item is Issue {
  if (typeof item !== 'object' || item === null) return false
  const { path, loc, instancePath, code, msg } = item as Issue
  return (
    (Array.isArray(path) && typeof code === 'string') ||
    (Array.isArray(loc) && typeof msg === 'string') ||
    typeof instancePath === 'string'
  )
}

function readIssue(issue: Issue): Problem {
  const message = String(issue.message ?? issue.msg ?? '')
  const errorType = judgeIssue(issue, message)
  const path = findPlace(issue, errorType)
  const parameter = formatPath(path.map((key) => (/^\d+$/.test(String(key)) ? Number(key) : String(key))))
  const expected = typeof issue.expected === 'string' ? issue.expected : expectedIn(message)
  const actual = typeof issue.received === 'string' ? issue.received : /received (\w+)/.exec(message)?.[1]
  return {
    errorType,
    ...(parameter ? { parameter } : {}),
    ...(expected && errorType !== 'unknown_parameter' ? { expected } : {}),
    ...(actual && actual !== 'undefined' ? { actual } : {}),
  }
}

function judgeIssue({ code, keyword, type, received }: Issue, message: string): ToolErrorType {
  const kind = String(keyword ?? code ?? type ?? '')
  if (kind === 'required' || kind === 'missing' || kind === 'value_error.missing') return 'missing_parameter'
  if (
    /unrecognized_keys|additionalProperties|unevaluatedProperties|extra_forbidden|value_error\.extra/.test(
      kind,
    )
  )
    return 'unknown_parameter'
  if (kind === 'invalid_type' && (received === 'undefined' || /^Required$|received undefined/.test(message)))
    return 'missing_parameter'
  if (/^(?:invalid_type|type|type_error.*|\w+_type|\w+_parsing)$/.test(kind)) return 'invalid_type'
  return 'invalid_value'
}

function findPlace(issue: Issue, errorType: ToolErrorType): (string | number)[] {
  const { path, loc, instancePath, params, keys } = issue
  const place: (string | number)[] = Array.isArray(path)
    ? [...path]
    : Array.isArray(loc)
      ? loc.slice(isRequestPart(loc[0]) ? 1 : 0)
      : pointerKeys(instancePath)
  if (errorType === 'unknown_parameter' && Array.isArray(keys)) place.push(String(keys[0]))
  const { missingProperty, additionalProperty } = (params ?? {}) as Record<string, unknown>
  const named = missingProperty ?? additionalProperty
  return typeof named === 'string' ? [...place, named] : place
}

/** FastAPI puts the part of the request first. */
function isRequestPart(key: unknown): boolean {
  return key === 'body' || key === 'query' || key === 'path' || key === 'header'
}

function pointerKeys(pointer: unknown): (string | number)[] {
  return typeof pointer === 'string' ? pointer.split('/').slice(1).map(decodePointer) : []
}

function expectedIn(message: string): string | undefined {
  return /expected (?:a |an )?(\w+)/i.exec(message)?.[1]
}
