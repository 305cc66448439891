import { isObject } from '../../engine/core/json-value.ts'
import type { FreePlaces } from '../../engine/core/tool-specification.ts'
import { isUuid } from '../../engine/core/uuid.ts'
import { ApiError } from '../http/api-error.ts'
import { requireShallow } from '../http/json-depth.ts'

/** A request to an integration function. */
export interface ActionRequest {
  action: string
  /** Arguments of the tool, as prepared by the caller. */
  params: Record<string, unknown>
  agentId?: string
  /** The same for all deliveries of one call; without it every request is a separate call. */
  idempotencyKey?: string
  /** For a tool that reads the web: additional places that may be read. */
  freePlaces?: FreePlaces
  /** Does nothing except ask the provider whether the write with this key has happened. */
  verify?: true
}

const maxKeyLength = 256

/** Reads the body; throws an ApiError 400 that says which member is wrong. Ignores unknown members. */
export function readActionRequest(body: unknown): ActionRequest {
  if (!isObject(body)) throw bad('The request body is not a JSON object.')
  requireShallow(body)
  const { action, params, agentId, idempotencyKey, freePlaces } = body
  if (typeof action !== 'string' || action === '')
    throw bad('`action` is missing: it is the name of an action.')
  if (params !== undefined && !isObject(params)) throw bad('`params` is not a JSON object.')
  if (isPresent(agentId) && !isUuid(agentId)) {
    throw bad('`agentId` is not the UUID of an agent.')
  }
  if (isPresent(idempotencyKey) && !isKey(idempotencyKey)) {
    throw bad(`\`idempotencyKey\` is not a text of 1 to ${maxKeyLength} characters.`)
  }
  return {
    action,
    params: params ?? {},
    ...(typeof agentId === 'string' ? { agentId } : {}),
    ...(isKey(idempotencyKey) ? { idempotencyKey } : {}),
    ...(isObject(freePlaces)
      ? { freePlaces: { sites: textsOf(freePlaces.sites), addresses: textsOf(freePlaces.addresses) } }
      : {}),
    ...(body.verify === true ? { verify: true } : {}),
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxKeyLength
}

function bad(sentence: string): ApiError {
  return new ApiError('bad_request', `${sentence} Send { action, params, agentId?, idempotencyKey? }.`)
}
