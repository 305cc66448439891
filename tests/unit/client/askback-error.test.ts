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
  expect(lost.message).toBe('Nothing answers. Check your connection and try again.')
})
