import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { requireShallow } from '../../../../shared/server/http/json-depth.ts'

/** What the user, a new connection or the clock decided about a call that waits. */
export interface Decision {
  /** `resume`: whatever of connection and wait is open. */
  type: 'input' | 'approval' | 'connection' | 'wait' | 'resume'
  toolCallId?: string
  /** Names the call and what was asked about it; one that is no longer so is refused. */
  approvalId?: string
  values?: Record<string, unknown>
  decision?: 'approve' | 'deny' | 'draft'
  input?: Record<string, unknown>
  reason?: string
}

/** Reads `POST :id/answer`: the values of a form, for the call that waits for them. Throws ApiError 400. */
export function readInputAnswer(body: unknown): Decision {
  requireShallow(body)
  const { toolCallId, values } = readObject(body, '{ "toolCallId": "…", "values": { … } }')
  return {
    type: 'input',
    toolCallId: readCallId(toolCallId),
    values: readObject(values, '"values" as an object in the shape of the pending schema'),
  }
}

/** Reads `POST :id/approval`. `input` is the whole call as the user edited it. Throws ApiError 400. */
export function readApproval(body: unknown): Decision {
  requireShallow(body)
  const given = readObject(body, '{ "toolCallId": "…", "decision": "approve" }')
  const { toolCallId, approvalId, decision, input, reason } = given
  if (decision !== 'approve' && decision !== 'deny' && decision !== 'draft') {
    throw bad('"decision" is "approve", "deny" or "draft".')
  }
  if (reason !== undefined && reason !== null && typeof reason !== 'string') throw bad('"reason" is a text.')
  if (approvalId !== undefined && approvalId !== null && typeof approvalId !== 'string') {
    throw bad('"approvalId" is a text: take it from "pending", or leave it out.')
  }
  return {
    type: 'approval',
    toolCallId: readCallId(toolCallId),
    ...(typeof approvalId === 'string' ? { approvalId } : {}),
    decision,
    ...(input === undefined || input === null
      ? {}
      : { input: readObject(input, '"input" as the arguments of the call') }),
    ...(reason ? { reason: reason.slice(0, 2000) } : {}),
  }
}

function readCallId(toolCallId: unknown): string {
  if (typeof toolCallId === 'string' && toolCallId !== '' && toolCallId.length <= 200) return toolCallId
  throw bad('"toolCallId" is missing: take it from "pending".')
}

function readObject(value: unknown, expected: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw bad(`Send ${expected}.`)
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
