import { FunctionsFetchError, FunctionsHttpError } from '@supabase/functions-js'
import { expect, test } from 'vitest'
import { readFailure } from '../../../client/askback-error.ts'

const read = (body: string, init: ResponseInit) =>
  readFailure(new FunctionsHttpError(new Response(body, init)))

test('a refusal of a function is its own sentence, not "non-2xx"', async () => {
  const body = JSON.stringify({
    error: { code: 'conversation_not_found', message: 'You have no such conversation.' },
  })
  const failure = await read(body, { status: 404 })
  expect(failure).toMatchObject({
    message: 'You have no such conversation.',
    code: 'conversation_not_found',
    status: 404,
  })
})

test('a refusal in a stream is told as it is', async () => {
  const headers = { 'content-type': 'text/plain;charset=UTF-8', 'x-askback-error': 'empty_message' }
  expect(await read('Write something first.', { status: 400, headers })).toMatchObject({
    message: 'Write something first.',
    code: 'empty_message',
  })
})

test('pages of proxies and broken connections never reach people', async () => {
  const page = await read('<html>502 Bad Gateway</html>', {
    status: 502,
    headers: { 'content-type': 'text/html' },
  })
  expect(page.message).not.toMatch(/502|html/)
  const lost = await readFailure(new FunctionsFetchError(new TypeError('fetch failed')))
  expect(lost.message).toBe('Can’t reach the server. Check your connection and try again.')
})

test.each([
  [401, '{"code":401,"message":"Invalid JWT"}', /^You are signed out\. Sign in again\.$/],
  [413, '<html>413 Request Entity Too Large</html>', /^This is too large to send\./],
  [429, '', /^Too many attempts\./],
  [504, 'upstream request timeout', /^The server isn’t answering\./],
  [546, '{"code":"WORKER_LIMIT","message":"Worker limit reached"}', /^The server isn’t answering\./],
  [418, '{"error":"teapot"}', /^Something went wrong\./],
])(
  'what stands before the functions says %i, and people are told what to do',
  async (status, body, words) => {
    const failure = await read(body, { status })
    expect(failure).toMatchObject({ status, code: 'failed' })
    expect(failure.message).toMatch(words)
    expect(failure.message).not.toMatch(/\d|html|JWT/)
  },
)
