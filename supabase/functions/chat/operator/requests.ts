import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** Characters of a reason. */
const longestReason = 500
/** Characters of what an offer says of a function. */
const longestText = 2000

/** Reads `{ reason }`: users are told it, and it is written down. Throws ApiError 400. */
export function readReason(body: unknown): string {
  const reason = isObject(body) && typeof body.reason === 'string' ? body.reason.trim() : ''
  if (reason !== '' && reason.length <= longestReason) return reason
  throw bad(`Say why: "reason" is a text of 1 to ${longestReason} characters.`)
}

/** Reads `PATCH tools/:name`: `{ enabled, reason }`. Throws ApiError 400. */
export function readSwitch(body: unknown): { enabled: boolean; reason: string } {
  if (!isObject(body) || typeof body.enabled !== 'boolean') throw bad('"enabled" is true or false.')
  return { enabled: body.enabled, reason: readReason(body) }
}

/** What an operator may say of a function; what is absent comes from the function itself. */
const options = ['title', 'description', 'effect', 'confirm', 'approval'] as const

/** Reads `PUT functions/:name`. Throws ApiError 400. */
export function readOffer(body: unknown): Record<string, string> {
  if (!isObject(body)) throw bad('The request body is not a JSON object. {} offers the function as it is.')
  const given = options.filter((name) => body[name] !== undefined && body[name] !== null)
  const wrong = given.find((name) => !isText(body[name]))
  if (wrong) throw bad(`"${wrong}" is a text of 1 to ${longestText} characters.`)
  return Object.fromEntries(given.map((name) => [name, String(body[name])]))
}

/** Reads `?find=`: the id of a run or of a conversation. Throws ApiError 400. */
export function readSought(find: string | undefined): string {
  const sought = find?.trim() ?? ''
  if (sought !== '' && sought.length <= 64) return sought
  throw bad('"find" is the id of a run or of a conversation.')
}

/** An id of a path; one that is none belongs to no run. Throws ApiError 404. */
export function readRunId(id: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id.toLowerCase()
  throw runNotFound()
}

export function runNotFound(): ApiError {
  return new ApiError(404, 'run_not_found', 'There is no run with this id.')
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longestText
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
