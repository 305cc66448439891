import { FunctionsFetchError, FunctionsHttpError } from '@supabase/functions-js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readFailure } from '../../../client/askback-error.ts'
import { german } from '../../../client/labels/de.ts'
import { describeFailure } from '../../../client/labels/failure.ts'

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

test('a refusal is told where the server has a Response of its own, as @hono/node-server has', async () => {
  const fetched = new Response('{"error":{"code":"nothing_pending","message":"Nothing waits."}}', {
    status: 404,
  })
  vi.stubGlobal('Response', class extends Response {})
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await readFailure(new FunctionsHttpError(fetched))).toMatchObject({
    message: 'Nothing waits.',
    code: 'nothing_pending',
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
  [401, 'signed_out', '{"code":401,"message":"Invalid JWT"}', /^You are signed out\. Sign in again\.$/],
  [413, 'too_much', '<html>413 Request Entity Too Large</html>', /^This is too large to send\./],
  [429, 'too_many_attempts', '', /^Too many attempts\./],
  [504, 'server_silent', 'upstream request timeout', /^The server isn’t answering\./],
  [
    546,
    'server_silent',
    '{"code":"WORKER_LIMIT","message":"Worker limit reached"}',
    /^The server isn’t answering\./,
  ],
  [418, 'failed', '{"error":"teapot"}', /^Something went wrong\./],
])(
  'what stands before the functions says %i, and people are told what to do',
  async (status, code, body, words) => {
    const failure = await read(body, { status })
    expect(failure).toMatchObject({ status, code })
    expect(failure.message).toMatch(words)
    expect(failure.message).not.toMatch(/\d|html|JWT/)
  },
)

test('what this client has noticed is told in the language of the labels, what a server says as it says it', async () => {
  expect(describeFailure(await read('', { status: 429 }), german)).toMatch(/^Zu viele Versuche\./)
  const refusal = await read(JSON.stringify({ error: { message: 'This name is taken.' } }), { status: 409 })
  expect(describeFailure(refusal, german)).toBe('This name is taken.')
  expect(describeFailure(new Error('Too large.'), german)).toBe('Too large.')
})
