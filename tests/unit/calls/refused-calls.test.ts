import { describe, expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'
import { formatToolError } from '../../../shared/engine/wording/format-tool-error.ts'
import { errorOf, prepare, problemsOf, sendEmail, tool, webSearch } from './fixture.ts'

const feedback = (error: ReturnType<typeof errorOf>, specification = webSearch) =>
  formatToolError(error, { attempt: 1, maxAttempts: 3, tool: specification })

describe('the cases of the protocol', () => {
  test('{} for a search is a missing parameter with the required ones and a valid example', () => {
    const error = errorOf(prepare(webSearch, {}))
    expect(error.errorType).toBe('missing_parameter')
    expect(error.error).toBe('Question: What should I search for? Please provide the search query.')
    expect(error.details.requiredParameters).toEqual(['query'])
    expect(validate(webSearch.parameters, error.details.example)).toEqual([])
  })

  for (const blank of ['', '   ', '\n']) {
    test(`${JSON.stringify(blank)} for a required text is an invalid value`, () => {
      const error = errorOf(prepare(webSearch, { query: blank }))
      expect([error.errorType, error.details.parameter]).toEqual(['invalid_value', 'query'])
      expect(error.details.constraint).toBe('must not be blank')
    })
  }

  test('a blank text is fine where the schema says minLength 0', () => {
    const note = tool('add_note', { text: { type: 'string', minLength: 0 } }, { required: ['text'] })
    expect(prepare(note, { text: '' }).ok).toBe(true)
  })

  test('123 for a text must be a string, got number', () => {
    const error = errorOf(prepare(webSearch, { query: 123 }))
    expect(error.errorType).toBe('invalid_type')
    expect(error.details.constraint).toBe('must be a string, got number')
    expect(feedback(error)).toContain('must be a string, got number')
  })

  test('a number where text is wanted: Parameter "count": expected string, received number', () => {
    const posts = tool('recent_posts', { count: { type: 'string' } }, { required: ['count'] })
    const error = errorOf(prepare(posts, { count: 5 }))
    expect([error.details.expected, error.details.actual]).toEqual(['string', 'number'])
    expect(feedback(error, posts)).toContain('Parameter "count": expected string, received number')
    expect(error.error).toMatch(/^Question: /)
  })

  test('{"query": invalid json} is malformed arguments', () => {
    const error = errorOf(prepare(webSearch, '{"query": invalid json}'))
    expect(error.errorType).toBe('malformed_arguments')
    expect(error.error).toMatch(/^Question: .*web_search/)
  })

  test('an unknown tool is answered with the tools there are', () => {
    const tools = ['readPageContent', 'getActiveTab', 'clickElement'].map((name) => tool(name, {}))
    const error = errorOf(prepareToolCall({ name: 'analyzeDom', rawArguments: '{}', tools }))
    expect(error.errorType).toBe('tool_not_found')
    expect(error.details.allowed).toEqual(
      expect.arrayContaining(['readPageContent', 'getActiveTab', 'clickElement']),
    )
    expect(error.error).toContain('readPageContent')
    expect(error.details.correction).toBeUndefined()
  })

  test('{name: 42} is rejected, 1.5 is no integer, what is missing inside an object is found', () => {
    const person = tool(
      'add_person',
      {
        name: { type: 'string' },
        age: { type: 'integer' },
        address: {
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
          required: ['street', 'city'],
        },
      },
      { required: ['name'] },
    )
    const prepared = prepare(person, { name: 42, age: 1.5, address: { street: 'High Street 1' } })
    expect(problemsOf(prepared)).toEqual([
      'missing_parameter address.city',
      'invalid_type name',
      'invalid_type age',
    ])
    const age = errorOf(prepared).details.problems?.[2]
    expect([age?.expected, age?.actual]).toEqual(['integer', 'number'])
  })

  test('missing recipient, subject and body are asked for in the words of the schema, all at once', () => {
    const error = errorOf(prepare(sendEmail, {}))
    expect(error.error).toBe(
      'Question: Who should I send this email to? Please provide the recipient email address. Also needed: subject, body.',
    )
    expect(error.details.problems?.map((problem) => problem.parameter)).toEqual(['to', 'subject', 'body'])
  })

  test('a wrong address is an issue with the email address format', () => {
    const error = errorOf(prepare(sendEmail, { to: ['bob@'], subject: 'Hi', body: 'Hello' }))
    expect([error.errorType, error.details.parameter]).toEqual(['invalid_value', 'to[0]'])
    expect(error.error).toMatch(
      /^Question: There seems to be an issue with the email address format\. Please check that /,
    )
  })
})

describe('problems', () => {
  test('all of them, with paths, also those that could be repaired', () => {
    const prepared = prepare(sendEmail, { To: ['a@example.com'], body: 5, importance: 'huge', footer: 'x' })
    expect(problemsOf(prepared)).toEqual([
      'missing_parameter subject',
      'unknown_parameter footer',
      'invalid_type body',
      'invalid_value importance',
      'missing_parameter to',
      'unknown_parameter To',
    ])
  })

  test('what was repaired, or is probably there under another name, is not asked for', () => {
    const error = errorOf(prepare(sendEmail, { To: ['a@example.com'], subjekt: 'Hi' }))
    expect(error.error).toBe(
      'Question: There is no parameter "subjekt". Did you mean "subject"? Also needed: body.',
    )
  })

  test('a text with broken JSON and a wrong value names both', () => {
    expect(problemsOf(prepare(webSearch, '{"query": "x", "count": 99,}'))).toEqual([
      'malformed_arguments',
      'invalid_value count',
    ])
  })

  test('a wrong name of the tool is one of the problems of a wrong call', () => {
    const prepared = prepare(webSearch, {}, { name: 'WebSearch' })
    expect(problemsOf(prepared)).toEqual(['tool_not_found', 'missing_parameter query'])
    expect(errorOf(prepared).errorType).toBe('missing_parameter')
    expect(prepared.tool?.name).toBe('web_search')
  })

  test('secrets and long texts that were sent are not repeated', () => {
    const connect = tool('connect', { api_key: { type: 'integer' }, text: { type: 'integer' } })
    const error = errorOf(prepare(connect, { api_key: 'hunter2hunter2', text: 'x'.repeat(5000) }))
    const { correction: _sentBack, ...rest } = error.details
    expect(JSON.stringify([error.error, rest])).not.toContain('hunter2')
    expect(JSON.stringify([error.error, rest]).length).toBeLessThan(2000)
    expect(error.details.value).toBe('***')
  })

  test('an undeclared name in an open schema is fine unless it is close to a missing one', () => {
    const open = tool(
      'open_tool',
      { city: { type: 'string' } },
      { required: ['city'], additionalProperties: undefined },
    )
    expect(prepare(open, { city: 'Rome', unit: 'C' }).ok).toBe(true)
    expect(problemsOf(prepare(open, { cty: 'Rome' }))).toEqual([
      'unknown_parameter cty',
      'missing_parameter city',
    ])
    expect(problemsOf(prepare(open, { foo: 'Rome' }))).toEqual(['missing_parameter city'])
  })

  test('the branch of anyOf that comes closest says what is wrong', () => {
    const pay = tool(
      'pay',
      {
        method: {
          anyOf: [
            {
              type: 'object',
              properties: { kind: { const: 'card' }, number: { type: 'string' } },
              required: ['kind', 'number'],
            },
            {
              type: 'object',
              properties: { kind: { const: 'iban' }, iban: { type: 'string' } },
              required: ['kind', 'iban'],
            },
          ],
        },
      },
      { required: ['method'] },
    )
    expect(problemsOf(prepare(pay, { method: { kind: 'iban' } }))).toEqual(['missing_parameter method.iban'])
    expect(problemsOf(prepare(pay, { method: 3 }))).toEqual(['invalid_type method'])
  })

  const comment = (place: string): JsonSchema => ({
    type: 'object',
    properties: { path: { type: 'string' }, [place]: { type: 'integer' } },
    required: ['path', place],
    additionalProperties: false,
  })
  const review = tool('review', { comment: { anyOf: [comment('position'), comment('line')] } })

  test('it is the one with the name that a wrong name resembles', () => {
    const prepared = prepare(review, { comment: { path: 'a', line_number: 4 } })
    expect(problemsOf(prepared)).toEqual([
      'unknown_parameter comment.line_number',
      'missing_parameter comment.line',
    ])
    expect(errorOf(prepared).details.suggestion).toBe('line')
  })

  const condition: JsonSchema = {
    type: 'object',
    properties: {
      field: { type: 'string' },
      op: { type: 'string', enum: ['equals', 'contains'] },
      value: { type: 'string' },
    },
    required: ['field', 'op', 'value'],
    additionalProperties: false,
  }
  const all = (name: string): JsonSchema => ({
    type: 'object',
    properties: { [name]: { type: 'array', items: { $ref: '#/$defs/filter' } } },
    required: [name],
    additionalProperties: false,
  })
  const query = tool(
    'query',
    { filter: { $ref: '#/$defs/filter' } },
    { $defs: { filter: { anyOf: [all('and'), all('or'), condition] } } },
  )

  test('a wrong value deep inside does not make it another branch', () => {
    const prepared = prepare(query, { filter: { and: [{ field: 'a', op: 'near', value: 'x' }] } })
    expect(problemsOf(prepared)).toEqual(['invalid_value filter.and[0].op'])
    expect(errorOf(prepared).details.correction?.open).toEqual(['filter.and[0].op'])
  })

  test('nor does a slot where one of several values belongs', () => {
    const prepared = prepare(query, { filter: { field: 'a', operator: 'equals', value: 'x' } })
    expect(errorOf(prepared).details.correction?.open).toEqual(['filter.op'])
  })

  test('a discriminator in another spelling tells the branch', () => {
    const part = (kind: string, member: string): JsonSchema => ({
      type: 'object',
      properties: { kind: { enum: [kind] }, [member]: { type: 'string' } },
      required: ['kind', member],
      additionalProperties: false,
    })
    const draw = tool('draw', { part: { oneOf: [part('text', 'text'), part('image', 'url')] } })
    const { details } = errorOf(prepare(draw, { part: { kind: 'Image', urls: 'x' } }))
    expect(details.suggestion).toBe('url')
    expect(details.correction?.arguments).toEqual({ part: { kind: 'image', url: 'x' } })
  })
})

test('a close tool name lists what was repaired in its arguments too', () => {
  const prepared = prepare(webSearch, '{"Query": "x", "count": "5",}', { name: 'web_serch' })
  expect(problemsOf(prepared)).toEqual([
    'tool_not_found',
    'malformed_arguments',
    'missing_parameter query',
    'unknown_parameter Query',
    'invalid_type count',
  ])
  expect(errorOf(prepared).details.correction?.arguments).toEqual({ query: 'x', count: 5 })
})

describe('the closest name is suggested', () => {
  const tools = ['send_message', 'delete_message', 'list_messages', 'create_user'].map((name) =>
    tool(name, {}),
  )
  const suggestionFor = (name: string) =>
    errorOf(prepareToolCall({ name, rawArguments: '{}', tools })).details.suggestion

  test('for a slip and an added word', () => {
    expect(suggestionFor('send_mesage')).toBe('send_message')
    expect(suggestionFor('send_message_tool')).toBe('send_message')
  })

  test('never the opposite', () => {
    expect(suggestionFor('delete_user')).not.toBe('create_user')
  })

  test('for a name without its namespace, with a version', () => {
    const tools = ['math_gcd', 'QueryBuilderTests_termQuery'].map((name) => tool(name, {}))
    const correctionFor = (name: string) =>
      errorOf(prepareToolCall({ name, rawArguments: '{}', tools })).details.correction?.name
    expect(correctionFor('gcd')).toBe('math_gcd')
    expect(correctionFor('termQuery')).toBe('QueryBuilderTests_termQuery')
    expect(correctionFor('math_gcd_v2')).toBe('math_gcd')
  })

  test.each([
    ['moderately active', ['sedentary', 'moderately active'], 'moderate activity'],
    ['automatic', ['automatic', 'manual'], 'auto'],
    ['mrkdwn', ['plain_text', 'mrkdwn'], 'markdown'],
    ['five_years', ['six_months', 'five_years'], '5 years'],
    ['Business', ['Economy', 'Business'], 'business fare'],
  ])('%s of %j for %j', (expected, allowed, said) => {
    const choose = tool('choose', { choice: { type: 'string', enum: allowed } }, { required: ['choice'] })
    const { details } = errorOf(prepare(choose, { choice: said }))
    expect(details.suggestion).toBe(expected)
  })

  test.each([
    [['six_months', 'ten_months'], '12 months'],
    [['tiny', 'mini'], 'little'],
    [['es-ES', 'es-MX'], 'Spanish'],
  ])('none of %j for %j', (allowed, said) => {
    const choose = tool('choose', { choice: { type: 'string', enum: allowed } }, { required: ['choice'] })
    const { details } = errorOf(prepare(choose, { choice: said }))
    expect(details.suggestion).toBeUndefined()
  })

  test('among the values of an enumeration', () => {
    const error = errorOf(
      prepare(sendEmail, { to: ['a@example.com'], subject: 's', body: 'b', importance: 'normal priority' }),
    )
    expect(error.details.suggestion).toBe('normal')
    expect(error.details.correction?.open).toEqual(['importance'])
  })
})
