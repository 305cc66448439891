import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { askedInEnglish } from '../../../shared/engine/core/asked.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { isToolError, ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import { documentedErrors } from './documented-errors.ts'
import * as providerErrors from './provider-errors.ts'

describe.each(Object.entries(providerErrors))('%s', (_, errors) => {
  test.each(errors)('$what', ({ status, headers, body, thrown, type, resolver, waitMs, parameter }) => {
    const error = classifyError(thrown ?? body, { httpStatus: status, headers, body })
    expect([type].flat()).toContain(error.errorType)
    expect([resolver].flat()).toContain(error.resolver)
    if (waitMs !== undefined) expect(error.retryAfterMs).toBe(waitMs)
    if (parameter) expect(error.details.parameter).toBe(parameter)
    expect(isToolError(error)).toBe(true)
    expect(error.error.startsWith('Question: ')).toBe(error.resolver === 'model' || error.resolver === 'user')
  })
})

test.each(documentedErrors)('%s', (_, httpStatus, cause, types, resolvers) => {
  const error = classifyError(cause, { httpStatus })
  expect(types.split(' ')).toContain(error.errorType)
  expect(resolvers.split(' ')).toContain(error.resolver)
})

describe('words say something only as whole words', () => {
  test.each([
    'Order 4013 of 14290 could be better',
    'WhatsApp and somewhat whatever',
    'Room 401 is on floor 4',
    'The unforbidden fruit, rated M',
    'limitless unlimited timeoutish',
    'The response (450 tokens) was short',
  ])('%s', (text) => {
    expect(classifyError(text)).toMatchObject({ errorType: 'execution_error', resolver: 'nobody' })
  })

  test.each([
    ['HTTP 401', 'authentication_error'],
    ['Request failed with status code 429', 'rate_limit_exceeded'],
    ['upstream said: 503 Service Unavailable', 'unavailable'],
    ['Error: 404 Not Found', 'not_found'],
  ])('"%s" states a status', (text, type) => {
    expect(classifyError(text).errorType).toBe(type)
  })
})

test('a number in a reason is kept', () => {
  expect(classifyError('Your post has an error: 280 characters at most').error).toContain(
    '280 characters at most',
  )
})

describe('older texts', () => {
  const question = 'Who should I send this email to?'
  test.each([
    ['Validation errors: Recipient (to) is required', 'to', `Question: ${question} Please provide text.`],
    ['Subject is required', 'subject', 'Question: What subject should I use? Please provide text.'],
    ['Missing required parameter: body', 'body', 'Question: What body should I use? Please provide text.'],
    ['Missing query `q` parameter.', 'q', 'Question: What value should I use for "q"? Please provide text.'],
    ['url is required', 'url', 'Question: What URL should I use? Please provide text.'],
  ])('%s', (text, parameter, error) => {
    const shape: JsonSchema = { type: 'string', ...(parameter === 'to' ? { question } : {}) }
    const parameters: JsonSchema = { type: 'object', properties: { [parameter]: shape } }
    const tool: ToolSpecification = { name: 'use', description: 'Use.', parameters, effect: 'read' }
    const facts = { tool, args: {}, thrown: true, effectBegan: false }
    const errorType = 'missing_parameter'
    expect(classifyError(text, facts)).toMatchObject({ errorType, error, details: { parameter } })
  })

  test('an older result with its feedback', () => {
    const result = {
      error: true,
      message: 'Tool execution error: file not found',
      toolName: 'read_file',
      feedback: 'Try another name.',
    }
    expect(classifyError(result, { toolName: 'read_file' })).toMatchObject({
      errorType: 'not_found',
      resolver: 'model',
    })
  })

  test('an older result that names its own type', () => {
    expect(classifyError({ success: false, error: 'No.', errorType: 'permission_denied' }).errorType).toBe(
      'permission_denied',
    )
  })
})

test('what is not found is answered with how to find what is available', () => {
  const cause = Object.assign(new Error("ENOENT: no such file or directory, open '/srv/app/data/plan.txt'"), {
    code: 'ENOENT',
  })
  const { error } = classifyError(cause, { toolName: 'read_file' })
  expect(error).toBe(
    'Question: Which file did you mean? There is no such file. Reason given: "no such file or directory, open \'…\'". Please use a tool that lists or searches to find available files, then try again.',
  )
})

test.each([
  ['Tool execution failed: no such file', 'Which file did you mean?'],
  ['The message says: the page was not found', 'Which page did you mean?'],
])('what is missing stands beside the words that say so: %s', (text, question) => {
  expect(classifyError(text).error).toContain(question)
})

test('a key that cannot be decrypted is to be replaced', () => {
  expect(classifyError('The API key is corrupted', { toolName: 'web_search' }).error).toBe(
    'Question: The key for the service behind "Web search" appears to be corrupted. Please delete and re-add it in the integration settings.',
  )
})

describe('waiting', () => {
  const limited = (headers: Record<string, string>, body: unknown = 'Too Many Requests') =>
    classifyError(body, { httpStatus: 429, headers }).retryAfterMs

  test.each([
    ['seconds', { 'Retry-After': '7' }, 7000],
    ['a fraction', { 'retry-after': '0.5' }, 500],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
    [
      'a date, by the clock of the response',
      { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 10:00:12 GMT' },
      12000,
    ],
    [
      'a date in the past',
      { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' },
      0,
    ],
    ['a negative number', { 'retry-after': '-5' }, 0],
    [
      'seconds since 1970',
      {
        date: 'Sat, 21 Nov 2026 10:00:00 GMT',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1795255230',
      },
      30000,
    ],
    ['a duration', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m30s' }, 90000],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    [
      'a reset of a window that is not used up',
      { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '3600' },
      undefined,
    ],
  ])('%s', (_, headers, expected) => {
    expect(limited(headers)).toBe(expected)
  })

  test('a body says how long', () => {
    expect(limited({}, { retry_after: 2 })).toBe(2000)
    expect(limited({}, { error: { details: [{ retryDelay: '17.5s' }] } })).toBe(17500)
    expect(limited({}, 'Rate limit reached. Please try again in 1m2.5s')).toBe(62500)
    expect(limited({}, 'Too many requests, retry after 2 minutes')).toBe(120000)
  })

  test('a limit that resets after a day is a quota of the user', () => {
    expect(
      classifyError('Too Many Requests', { httpStatus: 429, headers: { 'retry-after': '100000' } }),
    ).toMatchObject({
      errorType: 'quota_exceeded',
      resolver: 'user',
    })
  })

  test('headers may be a Headers object, or those of a response inside the exception', () => {
    expect(
      classifyError('slow', { httpStatus: 429, headers: new Headers({ 'Retry-After': '3' }) }).retryAfterMs,
    ).toBe(3000)
    const cause = Object.assign(new Error('limited'), {
      response: { status: 429, headers: new Headers({ 'retry-after': '4' }) },
    })
    expect(classifyError(cause).retryAfterMs).toBe(4000)
  })
})

test('people read the words of the schema about a value that a provider refuses', () => {
  const unfit = 'Nobody is called that. Who is it?'
  const parameters: JsonSchema = { type: 'object', properties: { user: { type: 'string', unfit } } }
  const tool: ToolSpecification = { name: 'use', description: 'Use.', parameters, effect: 'read' }
  const facts = { tool, args: { user: 'Ada' }, thrown: true, effectBegan: false }
  const error = classifyError('user is invalid', { ...facts, httpStatus: 400 })
  expect(error).toMatchObject({ errorType: 'invalid_value', details: { parameter: 'user' } })
  expect(error.error).toMatch(/^Question: There seems to be an issue with "user"\./)
  const { asked } = error.details
  expect(asked && askedInEnglish(asked)).toMatchObject({ code: 'invalid_value', asked: unfit })
})

describe('a write', () => {
  const write = (cause: unknown, facts = {}) =>
    classifyError(cause, { effect: 'write', toolName: 'send_email', ...facts })
  const cause = (message: string, facts: object) => Object.assign(new Error(message), facts)

  test.each([
    ['timed out', new DOMException('timed out', 'TimeoutError'), {}],
    ['was aborted', new DOMException('aborted', 'AbortError'), {}],
    ['lost its connection', cause('read ECONNRESET', { code: 'ECONNRESET' }), {}],
    [
      'lost its connection on Deno',
      new TypeError('fetch failed', {
        cause: new Error(
          'error sending request from a for b: client error (SendRequest): connection closed before message completed',
        ),
      }),
      {},
    ],
    ['ended in a 500', { message: 'oops' }, { httpStatus: 500 }],
    ['ended in a 503 with Retry-After', 'busy', { httpStatus: 503, headers: { 'retry-after': '1' } }],
    ['ended in a 408', 'slow', { httpStatus: 408 }],
    ['threw something nobody knows', new Error('Something odd'), {}],
    ['got an answer that makes no sense', new Error('Invalid response from the mail gateway'), {}],
    ['hit a bug of ours', new TypeError("Cannot read properties of undefined (reading 'id')"), {}],
    [
      'answered other than its schema promises',
      new Error('MCP error -32602: Tool send has an output schema but no structured content was provided'),
      {},
    ],
    ['waited for an answer in vain', cause('Timeout', { code: 'ETIMEDOUT' }), {}],
  ])('that %s may have happened', (_, thrown, facts) => {
    expect(write(thrown, facts)).toEqual({
      ok: false,
      errorType: 'outcome_unknown',
      resolver: 'user',
      error:
        'Question: It may have been carried out: "Send email" was begun, but no confirmation arrived. Should it be done again?',
      details: { asked: { code: 'outcome_unknown', values: { how: 'begun', tool: 'Send email' } } },
    })
  })

  test.each([
    [
      'a refused connection',
      cause('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }),
      {},
      'unavailable',
    ],
    [
      'a host without a name',
      cause('getaddrinfo ENOTFOUND x.invalid', { code: 'ENOTFOUND' }),
      {},
      'not_found',
    ],
    [
      'a server without a certificate',
      cause('unable to verify the first certificate', {}),
      {},
      'execution_error',
    ],
    [
      'a connection that was never made',
      cause('Connect Timeout Error', { code: 'UND_ERR_CONNECT_TIMEOUT' }),
      {},
      'timeout',
    ],
    [
      'Deno, refused',
      new TypeError(
        'error sending request for url (http://x/): tcp connect error: Connection refused (os error 111)',
      ),
      {},
      'unavailable',
    ],
    [
      'Deno 2.9, a failed handshake',
      new TypeError('fetch failed', {
        cause: new Error(
          'error sending request for url (https://x/): client error (Connect): tls handshake eof',
        ),
      }),
      {},
      'unavailable',
    ],
    [
      'Deno 2.9, a blocked port',
      new TypeError('Fetch failed: Requests to port 1 are blocked'),
      {},
      'invalid_value',
    ],
    ['a 4xx', { message: 'bad' }, { httpStatus: 400 }, 'invalid_value'],
    ['a rate limit', 'Too Many Requests', { httpStatus: 429 }, 'rate_limit_exceeded'],
    [
      'a result that says that it failed',
      { success: false, error: 'It did not work' },
      {},
      'execution_error',
    ],
  ])('that met %s has not happened', (_, thrown, facts, errorType) => {
    expect(write(thrown, facts).errorType).toBe(errorType)
  })

  test('a read that failed in the same ways is no such question', () => {
    expect(classifyError(new DOMException('timed out', 'TimeoutError')).errorType).toBe('timeout')
    expect(classifyError({ message: 'oops' }, { httpStatus: 500 }).errorType).toBe('unavailable')
    expect(classifyError(new Error('Something odd')).errorType).toBe('execution_error')
  })
})

describe('a finished tool error is passed on as it is', () => {
  const finished = toolError('conflict', 'Question: Which one?', { details: { parameter: 'name' } })

  test.each([
    ['itself', finished],
    ['thrown', new ToolCallError(finished)],
    ['as a cause', new Error('failed', { cause: new ToolCallError(finished) })],
    ['as JSON', JSON.stringify(finished)],
  ])('%s', (_, cause) => {
    expect(classifyError(cause, { effect: 'write' })).toEqual(finished)
  })

  test('as the body of a response', () => {
    expect(classifyError(new Error('HTTP 500'), { httpStatus: 500, body: finished })).toEqual(finished)
  })
})

test('all problems of a validator are listed', () => {
  const schema = z.strictObject({ to: z.array(z.email()), count: z.int(), body: z.string() })
  const { error } = schema.safeParse({ to: ['x'], count: 'many', extra: 1 })
  expect(classifyError(error)).toMatchObject({
    resolver: 'model',
    details: {
      problems: [
        { errorType: 'invalid_value', parameter: 'to[0]' },
        { errorType: 'invalid_type', parameter: 'count', expected: 'number', actual: 'string' },
        { errorType: 'missing_parameter', parameter: 'body', expected: 'string' },
        { errorType: 'unknown_parameter', parameter: 'extra' },
      ],
    },
  })
})

test.each([
  [
    'a stack',
    'Error: Page not found in the wiki\n    at read (/srv/app/tool.js:3:9)',
    'Page not found in the wiki',
  ],
  ['a status line', 'HTTP/1.1 404 Not Found: The page does not exist', 'The page does not exist'],
  ['a status line alone', '404 Not Found', undefined],
  ['a path', "ENOENT: no such file, open '/srv/app/data/a.txt'", "no such file, open '…'"],
  [
    'the query of a URL',
    'Page not found: https://example.com/a?session=1',
    'Page not found: https://example.com/a',
  ],
  [
    'a class with its namespace',
    'java.lang.IllegalArgumentException: Bad sheet id\n\tat com.example.Api.get(Api.java:4)',
    'Bad sheet id',
  ],
  ['the name of a gRPC code', '5 NOT_FOUND: The page was not found', 'The page was not found'],
  ['the words of gRPC', 'rpc error: code = NotFound desc = The page was not found', 'The page was not found'],
  [
    'a goroutine',
    'panic: no such page here\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/app/x.go:8 +0x18',
    'panic: no such page here',
  ],
  ['a dialled address', 'dial tcp 10.0.0.1:443: connection was refused', undefined],
  ['what a client says of a status', '404 Client Error: Not Found for url: https://example.com/a', undefined],
  ['a response code', 'Response code 404 (Not Found)', undefined],
  [
    'a numbered error inside',
    'googleapi: Error 404: The page was not found',
    'googleapi: The page was not found',
  ],
  ['a numbered error', 'Error 404: page not found', 'page not found'],
  ['a status at the end', 'The page was not found (404)', 'The page was not found'],
  ['a status in brackets', 'APIError: [404]: The page was not found', 'The page was not found'],
  ['a status with an underscore', 'Page not found, status_code: 404', 'Page not found'],
  [
    'the inside of a connection',
    "HTTPSConnectionPool(host='10.0.0.5', port=443): Read timed out.",
    undefined,
  ],
  ['the address of a connection', 'Connect Timeout Error (attempted address: 10.0.0.5:443)', undefined],
  ['tags', '<b>Page</b> was not found', 'Page was not found'],
])('the reason given is without %s', (_, text, reason) => {
  const { error } = classifyError(text)
  expect(/Reason given: "(.*?)"\./.exec(error)?.[1]).toBe(reason)
})

test('a value that is no error at all still gives a tool error', () => {
  for (const cause of [undefined, null, 0, '', [], {}, Symbol('x'), () => 1, new Map()]) {
    expect(classifyError(cause)).toMatchObject({
      ok: false,
      errorType: 'execution_error',
      resolver: 'nobody',
    })
  }
})

test('a getter that throws hides nothing else', () => {
  const cause = {
    status: 404,
    get message(): string {
      throw new Error('no')
    },
  }
  expect(classifyError(cause, { httpStatus: 404 }).errorType).toBe('not_found')
})

test('a cause that contains itself ends', () => {
  const cause: Error & { cause?: unknown } = new Error('fetch failed')
  cause.cause = cause
  expect(classifyError(cause).errorType).toBe('unavailable')
})
