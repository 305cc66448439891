import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { readActionRequest } from '../../../shared/server/integration-function/action-request.ts'
import { earlierResult } from '../../../shared/server/integration-function/earlier-result.ts'

describe('readActionRequest', () => {
  it('reads what it knows and ignores the rest', () => {
    const agentId = '6a0f4b0e-3a8a-4b41-8d7e-0a0c5f9a1c11'
    const body = {
      action: 'send_email',
      params: { to: [] },
      agentId,
      idempotencyKey: 'k',
      userId: 'somebody',
    }
    expect(readActionRequest(body)).toEqual({
      action: 'send_email',
      params: { to: [] },
      agentId,
      idempotencyKey: 'k',
    })
    expect(readActionRequest({ action: 'test_connection', agentId: null })).toEqual({
      action: 'test_connection',
      params: {},
    })
  })

  it.each([
    [null, 'The request body must be a JSON object { action, params, agentId?, idempotencyKey? }, not null.'],
    [[], 'The request body must be a JSON object'],
    [{}, '"action" is missing. Send the name of an action'],
    [{ action: 1 }, '"action" must be the name of an action'],
    [{ action: 'a', params: [] }, '"params" must be a JSON object'],
    [{ action: 'a', params: '{}' }, '"params" must be a JSON object'],
    [{ action: 'a', agentId: 'mine' }, '"agentId" must be the id of an agent, not "mine".'],
    [{ action: 'a', idempotencyKey: '' }, '"idempotencyKey" must be a text of 1 to 256 characters, not "".'],
    [{ action: 'a', idempotencyKey: 7 }, '"idempotencyKey" must be a text of 1 to 256 characters, not 7.'],
    [{ action: 'a', idempotencyKey: 'k'.repeat(257) }, 'not a text of 257 characters'],
  ])('refuses %j as a bad request', (body, message) => {
    const read = () => readActionRequest(body)
    expect(read).toThrow(message)
    expect(read).toThrow(ApiError)
  })
})

describe('earlierResult', () => {
  const result = { ok: true as const, data: { messageId: '<1@example.com>' } }

  it('gives a repeated delivery the result of the first', () => {
    expect(earlierResult({ status: 'succeeded', result })).toBe(result)
  })

  it('says that nothing is known where an earlier delivery has not reported back', () => {
    for (const status of ['running', 'unknown'] as const) {
      expect(earlierResult({ status, result: null })).toMatchObject({
        ok: false,
        errorType: 'outcome_unknown',
        resolver: 'user',
      })
    }
  })

  it('says that nothing was done where the call was called off', () => {
    for (const status of ['failed', 'cancelled'] as const) {
      expect(earlierResult({ status, result: null })).toMatchObject({
        ok: false,
        errorType: 'cancelled',
      })
    }
  })
})
