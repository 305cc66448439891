import { isObject } from '../../../shared/engine/core/json-value.ts'
import { isUuid } from '../../../shared/engine/core/uuid.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { requireShallow } from '../../../shared/server/http/json-depth.ts'
import { readJson } from '../../../shared/server/http/read-json.ts'

/** Bytes of a request: credentials are short. */
const maxBodyBytes = 256 * 1024
const longestLabel = 200

type Body = Record<string, unknown>

/** Throws ApiError 400 for a body that is no JSON object, 413 for one that is too large. */
export async function readBody(request: Request): Promise<Body> {
  const body = await readJson(request, maxBodyBytes)
  if (!isObject(body)) throw bad('The request body is not a JSON object.')
  requireShallow(body)
  return body
}

export interface NewConnection {
  provider: string
  label?: string
  values: Body
}

/** Reads `POST /connections`. Throws ApiError 400. */
export function readNewConnection(body: Body): NewConnection {
  const { values } = body
  if (!isObject(values)) throw bad('`values` is missing: it is an object with the fields of the provider.')
  const label = readLabel(body.label)
  return { provider: readText(body, 'provider'), ...(label === undefined ? {} : { label }), values }
}

export interface ConnectionChange {
  label?: string
  values?: Body
  position?: number
  disabled?: boolean
}

/** Reads `PATCH /connections/:id`. Throws ApiError 400. */
export function readConnectionChange({ label, values, position, disabled }: Body): ConnectionChange {
  if (values !== undefined && !isObject(values)) throw bad('`values` is an object with the fields to change.')
  if (position !== undefined && !isPlace(position)) throw bad('`position` is a whole number from 0 to 1000.')
  if (disabled !== undefined && typeof disabled !== 'boolean') throw bad('`disabled` is true or false.')
  const name = readLabel(label)
  const change = {
    ...(name === undefined ? {} : { label: name }),
    ...(values === undefined ? {} : { values }),
    ...(isPlace(position) ? { position } : {}),
    ...(disabled === undefined ? {} : { disabled }),
  }
  if (Object.keys(change).length === 0) {
    throw bad('There is nothing to change. Send `label`, `values`, `position` or `disabled`.')
  }
  return change
}

export interface SignIn {
  provider: string
  returnTo?: string
  /** Names of the tools it is for; `tool:action` where an action needs more. */
  tools?: string[]
  /** The connection to renew: its account is proposed. */
  connectionId?: string
}

/** Reads `POST /oauth/start`. Throws ApiError 400. */
export function readSignIn(body: Body): SignIn {
  const { returnTo, tools, connectionId } = body
  if (isPresent(returnTo) && typeof returnTo !== 'string') throw bad('`returnTo` is an address.')
  if (isPresent(tools) && !(Array.isArray(tools) && tools.every((tool) => typeof tool === 'string'))) {
    throw bad('`tools` is a list of names of tools.')
  }
  if (isPresent(connectionId) && !isUuid(connectionId)) throw bad('`connectionId` is the id of a connection.')
  return {
    provider: readText(body, 'provider'),
    ...(typeof returnTo === 'string' ? { returnTo } : {}),
    ...(Array.isArray(tools) ? { tools } : {}),
    ...(isUuid(connectionId) ? { connectionId } : {}),
  }
}

/** Reads `POST /oauth/complete`. Throws ApiError 400. */
export function readOneTimeCode(body: Body): string {
  return readText(body, 'code')
}

/** An id of a path; one that is none belongs to no connection. Throws ApiError 404. */
/** Reads `DELETE /account`. Throws ApiError 400. */
export function readEmail({ email }: Body): string {
  if (typeof email === 'string' && email.trim() !== '' && email.length <= 500) return email
  throw bad('`email` is missing: the address of the account, typed once more by its user.')
}

export function readConnectionId(id: string): string {
  if (isUuid(id)) return id.toLowerCase()
  throw connectionNotFound()
}

export function connectionNotFound(): ApiError {
  return new ApiError(404, 'connection_not_found', 'You have no connection with this id.')
}

function readText(body: Body, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value !== '' && value.length <= 500) return value
  throw bad(`\`${name}\` is missing: it is a text.`)
}

function readLabel(label: unknown): string | undefined {
  if (!isPresent(label)) return undefined
  if (typeof label !== 'string' || label.trim().length > longestLabel) {
    throw bad(`\`label\` is a text of at most ${longestLabel} characters.`)
  }
  return label.trim()
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1000
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
