import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { requireShallow } from '../../../../shared/server/http/json-depth.ts'

/** What the user, a new connection or the clock decided about an open item. */
export interface Decision {
  /** `resume`: whatever of connection and wait is open. */
  type: 'input' | 'approval' | 'connection' | 'wait' | 'skip' | 'resume'
  /** Of an approval its `approvalId`: names what was asked; what is asked by now may be something else. */
  itemId?: string
  toolCallId?: string
  values?: Record<string, unknown>
  /** Of a connection: a write is asked about before it goes on. */
  asksFirst?: boolean
  decision?: 'approve' | 'deny' | 'draft'
  input?: Record<string, unknown>
  reason?: string
}

/** Reads `POST :id/answer`: the values of a form, for the item or the call that waits for them. Throws ApiError 400. */
export function readInputAnswer(body: unknown): Decision {
  requireShallow(body)
  const { itemId, toolCallId, values } = readObject(body, '{ "itemId": "…", "values": { … } }')
  return {
    type: 'input',
    ...(itemId === undefined || itemId === null
      ? { toolCallId: readName('toolCallId', toolCallId) }
      : { itemId: readName('itemId', itemId) }),
    values: readObject(values, '"values" as an object in the shape of the pending schema'),
  }
}

/** Reads `POST :id/approval`. `input` is the whole call as the user edited it. Throws ApiError 400. */
export function readApproval(body: unknown): Decision {
  requireShallow(body)
  const given = readObject(body, '{ "toolCallId": "…", "approvalId": "…", "decision": "approve" }')
  const { toolCallId, approvalId, decision, input, reason } = given
  if (decision !== 'approve' && decision !== 'deny' && decision !== 'draft') {
    throw bad('"decision" is "approve", "deny" or "draft".')
  }
  if (reason !== undefined && reason !== null && typeof reason !== 'string') throw bad('"reason" is a text.')
  if (typeof approvalId !== 'string' || approvalId === '') {
    throw new ApiError(
      400,
      'approval_id_missing',
      '"approvalId" is missing. Take it from "pending": it names the question that you decide.',
    )
  }
  return {
    type: 'approval',
    toolCallId: readName('toolCallId', toolCallId),
    itemId: readName('approvalId', approvalId),
    decision,
    ...(input === undefined || input === null
      ? {}
      : { input: readObject(input, '"input" as the arguments of the call') }),
    ...(reason ? { reason: reason.slice(0, 2000) } : {}),
  }
}

/** Reads `POST :id/skip`: the user goes on without it. Throws ApiError 400. */
export function readSkip(body: unknown): Decision {
  requireShallow(body)
  const { itemId } = readObject(body, '{ "itemId": "…" }')
  return { type: 'skip', itemId: readName('itemId', itemId) }
}

/**
 * Reads `POST :id/resume`, whose body may name the card that a connection was made from, or say that a write is asked
 * about first because it was made from another one. Throws ApiError 400.
 */
export function readResume(body: unknown): Decision {
  const { itemId, asksFirst } = readObject(body ?? {}, '{ "itemId": "…" }, or no body')
  return {
    type: 'resume',
    ...(itemId === undefined ? {} : { itemId: readName('itemId', itemId) }),
    ...(asksFirst === true ? { asksFirst } : {}),
  }
}

function readName(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value
  throw bad(`"${field}" is missing. Take it from "pending".`)
}

function readObject(value: unknown, expected: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw bad(`Send ${expected}.`)
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
