import { describe, expect, test } from 'vitest'
import { formatPath } from '../../../shared/engine/core/json-path.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import { placeNamedIn } from '../../../shared/engine/failures/named-parameter.ts'
import { outcomeUnknown } from '../../../shared/engine/failures/outcome-unknown.ts'
import { questionForPeople } from '../../../shared/engine/wording/question-for-people.ts'

/** The path of the place that a sentence is about. */
function nameIn(...args: Parameters<typeof placeNamedIn>) {
  const place = placeNamedIn(...args)
  return place && formatPath(place.path)
}

const thrown = (message: string, facts: object = {}) => Object.assign(new Error(message), facts)

describe('a status, a code or a JSON inside a message', () => {
  test.each<[string, unknown, number | undefined, string, string]>([
    [
      'of the openai package',
      thrown('429 You exceeded your current quota, please check your plan and billing details.', {
        status: 429,
        code: 'insufficient_quota',
      }),
      429,
      'quota_exceeded',
      'user',
    ],
    [
      'with words about addresses',
      thrown('429 too many addresses', { status: 429 }),
      429,
      'rate_limit_exceeded',
      'time',
    ],
    [
      'in brackets',
      thrown('create failed (503): {"message":"server busy"}'),
      undefined,
      'unavailable',
      'time',
    ],
    ['behind a verb', thrown('Dropbox answered 409: path/malformed_path/'), undefined, 'conflict', 'model'],
    [
      'before a dash',
      thrown('Failed to enable it: 422 - {"error":{"message":"no"}}'),
      undefined,
      'invalid_value',
      'model',
    ],
    [
      'before a body',
      thrown('529 {"type":"error","error":{"message":"…"}}'),
      undefined,
      'unavailable',
      'time',
    ],
    [
      'a JSON with words around it',
      thrown('API error: {"error":{"message":"Nope","code":"rate_limit_exceeded"}} (request id: r-1)'),
      undefined,
      'rate_limit_exceeded',
      'time',
    ],
    [
      'under a name that nobody foresaw',
      { result: null, error_chain: [{ 'error-text': 'Quota exceeded' }] },
      200,
      'quota_exceeded',
      'user',
    ],
    [
      'in the details of a field',
      { details: { email: [{ error: 'DuplicateValue' }] } },
      422,
      'conflict',
      'model',
    ],
  ])('%s', (_, cause, httpStatus, errorType, resolver) => {
    expect(classifyError(cause, { httpStatus })).toMatchObject({ errorType, resolver })
  })

  test.each(['Order 409: shipped', 'Flight 503 is late', 'Room 404 - second floor'])(
    '%s states no status',
    (text) => {
      expect(classifyError(text).errorType).toBe('execution_error')
    },
  )
})

test('a large result beside an error is not read to its end', () => {
  const rows = Array.from({ length: 50 }, (_, id) => ({ id, message: `row ${id}`, cells: [{ text: 'x' }] }))
  expect(classifyError({ error: 'Not found', rows })).toMatchObject({ errorType: 'not_found' })
})

describe('the parameter that a sentence means', () => {
  const parameters: JsonSchema = {
    type: 'object',
    properties: {
      to: { type: 'string', format: 'email', question: 'Who should I send this email to?' },
      from: { type: 'string', question: 'Which address should this email come from?' },
      search_query: { type: 'string', aliases: ['term'] },
      query: { type: 'string' },
      start: { type: 'string', format: 'date', title: 'first day' },
      guests: { type: 'integer' },
      address: { type: 'object', properties: { city: { type: 'string' } } },
      api_key: { type: 'string' },
    },
  }
  test.each([
    ['Who should I send this email to?', 'to'],
    ['There is an issue with the email address.', 'to'],
    ['"from" is not one of yours.', 'from'],
    ['Which address should this email come from?', 'from'],
    ['The search query is empty.', 'search_query'],
    ['Give me another term.', 'search_query'],
    ['What is the first day? Any date will do.', 'start'],
    ['Which city is it in?', 'address.city'],
    ['Which cities are they in?', 'address.city'],
    ['The guests and the city do not fit.', undefined],
    ['Is it on its way to us?', undefined],
    ['What is the "api_key"?', undefined],
  ])('%s', (sentence, parameter) => {
    expect(nameIn(sentence, { parameters, args: {} }, false)).toBe(parameter)
  })

  test('of two the one that was sent is wrong, the one that was not is missing', () => {
    const called = { parameters, args: { guests: 900 } }
    expect(nameIn('Check guests and city.', called, true)).toBe('guests')
    expect(nameIn('Check guests and city.', called, false)).toBe('address.city')
  })
})

describe('people read', () => {
  test('whose question it is, and no link of it', () => {
    const asked = (question: string) =>
      questionForPeople(
        toolError('missing_parameter', `Question: ${question}`, { details: { asker: 'Add task' } }),
      )
    expect(asked('Which list?')).toBe('Add task asks: Which list?')
    expect(asked('See [here](https://evil.example/a?b=c) or www.evil.example/x now')).toBe(
      'Add task asks: See [here] or (link left out) now',
    )
  })

  test('our own questions as they are', () => {
    const error = toolError('not_configured', 'Question: Please connect.')
    expect(questionForPeople(error)).toBe('Question: Please connect.')
  })

  test('no name of a tool, but what it is called', () => {
    for (const [type, httpStatus] of [
      ['timeout', 408],
      ['permission_denied', 403],
      ['unavailable', 503],
    ] as const) {
      const error = classifyError('', { toolName: 'add_task', httpStatus })
      expect(error.errorType).toBe(type)
      expect(error.error).toContain('"Add task"')
      expect(error.error).not.toMatch(/add_task|\d{3}/)
    }
  })
})

test('one sentence says that nobody knows', () => {
  expect(outcomeUnknown().error).toBe(
    'Question: It may have been carried out, but no confirmation arrived. Should it be done again?',
  )
})
