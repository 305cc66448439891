// biome-ignore-all format: tables, one error a line
import { describe, expect, test } from 'vitest'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'

const bad = (name: string, message: string, facts: object = {}) => Object.assign(new Error(message), { name, ...facts })
const google = (reason: string, message: string, details?: unknown[]) => ({ error: { message, errors: [{ reason, message }], details } })

/** What, status, cause, type, resolver, parameter. */
const errors: [string, number | undefined, unknown, string, string, string?][] = [
  ['a quota of a minute is a limit', 429, google('quotaExceeded', "limit 'Reads per minute per user' is used up"), 'rate_limit_exceeded', 'time'],
  ['a quota of a day is one', 403, google('quotaExceeded', "limit 'Reads per day' is used up"), 'quota_exceeded', 'user'],
  ['the window may be in a quota’s name', 429, google('x', 'Quota exceeded', [{ quotaId: 'ReadsPerMinute' }]), 'rate_limit_exceeded', 'time'],
  ['unless its words are about rights', 403, google('unsupportedGuestAccount', 'Access forbidden for guests.'), 'permission_denied', 'user'],
  ['a body knows better than a mere 400', 400, { statusCode: '404', error: 'gone', message: 'Nope' }, 'not_found', 'model'],
  ['errors by field', 422, { message: 'No.', errors: { email: ['The email is already registered.'] } }, 'conflict', 'model', 'email'],
  ['errors by field and nothing else', 400, { title: ['This field is required.'] }, 'missing_parameter', 'model', 'title'],
  ['errors by field, with codes', 400, { errors: { content: { _errors: [{ message: 'This field is required' }] } } }, 'missing_parameter', 'model', 'content'],
  ['a JSON pointer in a source', 422, { errors: [{ source: { pointer: '/data/name' }, detail: 'is too short' }] }, 'invalid_value', 'model', 'data.name'],
  ['names with capitals', 400, { ErrorCode: 3, Message: "Invalid 'To' address" }, 'invalid_value', 'model'],
  ['a type with its namespace', 400, { __type: 'com.example.db#RateLimitedException', message: 'Nope' }, 'rate_limit_exceeded', 'time'],
  ['the status of an AWS client', undefined, bad('Nope', 'Nope', { $metadata: { httpStatusCode: 404 } }), 'not_found', 'model'],
  ['a class that says it', undefined, bad('AuthSessionMissingError', 'Nope'), 'authentication_error', 'user'],
  ['a class that says too little', undefined, bad('InvalidStateError', 'the name is already taken'), 'conflict', 'model'],
  ['a code of a family', undefined, bad('Error', 'Nope', { code: 'HPE_INVALID_HEADER_TOKEN' }), 'execution_error', 'nobody'],
  ['a broken TLS record may pass', undefined, bad('Error', 'Nope', { code: 'ERR_SSL_BAD_RECORD_MAC' }), 'unavailable', 'time'],
  ['axios calls its own timeout aborted', undefined, bad('AxiosError', 'timeout of 10ms exceeded', { code: 'ECONNABORTED' }), 'timeout', 'time'],
  ['a gone session under the code of a timeout', undefined, { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' } }, 'not_found', 'model'],
  ['a tool that a server lacks', undefined, bad('McpError', 'MCP error -32602: Tool serch not found', { code: -32602 }), 'not_found', 'model'],
  ['a signature that does not match', 403, { message: 'The signature you provided does not match.' }, 'authentication_error', 'user'],
  ['a limit of calls in the same words', 429, { message: 'You have reached your rolling limit.' }, 'rate_limit_exceeded', 'time'],
  ['a condition is no conflict', 400, { message: 'Please check that the page exists.' }, 'invalid_value', 'model'],
  ['nor is the lack of one', 400, { message: 'No page exists with the name Plan.' }, 'invalid_value', 'model'],
  ['what exists with a name is one', 400, { message: 'A page exists with the name Plan.' }, 'conflict', 'model'],
  ['"exists" alone is one', 400, { message: 'username exists' }, 'conflict', 'model'],
  ['a status of HTTP in front of a text', undefined, bad('InternalServerError', '500 status code (no body)', { status: 500 }), 'unavailable', 'time'],
  ['a certificate is nobody’s', undefined, 'certificate verify failed: certificate has expired', 'execution_error', 'nobody'],
  ['a bug is nobody’s', undefined, new RangeError('Maximum call stack size exceeded'), 'execution_error', 'nobody'],
  ['a code about rights beside a status that says why', 412, google('loopedMembersNotAllowed', 'Looped members'), 'conflict', 'model'],
  ['a plan that is too small', 403, { message: 'This requires a premium plan.' }, 'quota_exceeded', 'user'],
  ['lists in lists', 200, { json: { errors: [['RATELIMIT', 'you are doing that too much']] } }, 'rate_limit_exceeded', 'time'],
  ['an authenticated user may lack a right', 403, google('nope', 'The authenticated user does not have the required access.'), 'permission_denied', 'user'],
  ['a page token is no secret', 400, google('invalidArgument', 'Invalid page token'), 'invalid_value', 'model'],
  ['a user name is no password', 400, { message: 'invalid username' }, 'invalid_value', 'model'],
  ['a gateway’s code beside a 400', 400, { error: { message: 'Backend request failed', type: 'backend_error', details: '{"error":{"message":"max_tokens must be positive"}}' } }, 'invalid_value', 'model'],
  ['the same code beside a 503', 503, google('backendError', 'Nope'), 'unavailable', 'time'],
  ['names with capitals around an error', 200, [{ SchemaVersion: '15.0', ErrorInfo: { ErrorMessage: 'Timed out', ErrorTypeName: '' } }], 'timeout', 'time'],
  ['a class with its namespace', 200, [{ ErrorInfo: { ErrorMessage: 'Nope', ErrorTypeName: 'System.IO.FileNotFoundException' } }], 'not_found', 'model'],
  ['an answer that is not what its own server promised', undefined, bad('McpError', 'MCP error -32602: Tool forecast has an output schema but no structured content was provided', { code: -32602 }), 'execution_error', 'nobody'],
  ['advice is no missing field', 400, { message: 'This mode is off. Please check the body, required fields and format.' }, 'invalid_value', 'model'],
  ['a code that says to slow down', 400, { error: 'slow_down', error_description: 'Nope' }, 'rate_limit_exceeded', 'time'],
  ['a code of what cannot be', 200, { ok: false, error: 'cant_leave_self' }, 'permission_denied', 'user'],
  ['a status that a socket was answered', undefined, 'Unexpected server response: 403', 'permission_denied', 'user'],
  ['a bug in another language', undefined, 'panic: runtime error: invalid memory address or nil pointer dereference', 'execution_error', 'nobody'],
  ['a status with an underscore', undefined, bad('ModelHTTPError', 'status_code: 429, body: None'), 'rate_limit_exceeded', 'time'],
  ['a status in brackets', undefined, bad('APIError', '[429]: Nope'), 'rate_limit_exceeded', 'time'],
  ['an unexpected failure is no unexpected parameter', 500, { code: 'unexpected_failure', message: 'Nope' }, 'unavailable', 'time'],
]

test.each(errors)('%s', (_, httpStatus, cause, errorType, resolver, parameter) => {
  const error = classifyError(cause, { httpStatus })
  expect(error).toMatchObject({ errorType, resolver })
  expect(error.details.parameter).toBe(parameter)
})

describe('a wait', () => {
  test.each([
    ['in words after "after"', { message: 'You can only request this after 37 seconds.' }, 37_000],
    ['as a long duration', { message: 'Your quota will reset after 1h2m3s.' }, 3_723_000],
    ['in the headers of an SDK’s errors', { errors: [{ message: 'x', responseHeaders: { 'retry-after': '9' } }] }, 9_000],
  ])('%s', (_, body, waitMs) => {
    expect(classifyError(body, { httpStatus: 429 }).retryAfterMs).toBe(waitMs)
  })

  test.each([
    ['as Azure writes it', {}, { 'x-ms-retry-after-ms': '4000' }, 4_000],
  ])('%s', (_, body, headers, waitMs) => {
    expect(classifyError(body, { httpStatus: 429, headers }).retryAfterMs).toBe(waitMs)
  })

  test('is not how long something took', () => {
    expect(classifyError('The request timed out after 30 seconds').retryAfterMs).toBeUndefined()
  })
})

test('a header with more windows than a stack has room for is read', () => {
  const headers = {
    'x-ratelimit-remaining': Array(200_000).fill('0').join(','),
    'x-ratelimit-reset': Array(200_000).fill('9').join(','),
  }
  expect(classifyError({}, { httpStatus: 429, headers }).retryAfterMs).toBe(9_000)
})
