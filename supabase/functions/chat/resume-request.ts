import { ApiError } from '../../../shared/server/http/api-error.ts'
import { requireShallow } from '../../../shared/server/http/json-depth.ts'
import type { Decision } from './loaded-turn.ts'

/** Reads `POST :id/answer`: the values of a form, for the call that waits for them. Throws ApiError 400. */
export function inputAnswerOf(body: unknown): Decision {
  requireShallow(body)
  const { toolCallId, values } = record(body, '{ "toolCallId": "…", "values": { … } }')
  return {
    type: 'input',
    toolCallId: callIdOf(toolCallId),
    values: record(values, '"values" as an object in the shape of the pending schema'),
  }
}

/** Reads `POST :id/approval`. `input` is the whole call as the user edited it. Throws ApiError 400. */
export function approvalAnswerOf(body: unknown): Decision {
  requireShallow(body)
  const { toolCallId, decision, input, reason } = record(body, '{ "toolCallId": "…", "decision": "approve" }')
  if (decision !== 'approve' && decision !== 'deny' && decision !== 'draft') {
    throw bad('"decision" is "approve", "deny" or "draft".')
  }
  if (reason !== undefined && reason !== null && typeof reason !== 'string') throw bad('"reason" is a text.')
  return {
    type: 'approval',
    toolCallId: callIdOf(toolCallId),
    decision,
    ...(input === undefined || input === null
      ? {}
      : { input: record(input, '"input" as the arguments of the call') }),
    ...(reason ? { reason: reason.slice(0, 2000) } : {}),
  }
}

function callIdOf(toolCallId: unknown): string {
  if (typeof toolCallId === 'string' && toolCallId !== '' && toolCallId.length <= 200) return toolCallId
  throw bad('"toolCallId" is missing: take it from "pending".')
}

function record(value: unknown, expected: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw bad(`Send ${expected}.`)
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
