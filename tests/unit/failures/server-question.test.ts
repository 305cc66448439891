import { expect, test } from 'vitest'
import { readServerQuestion } from '../../../shared/engine/failures/server-question.ts'
import { formRequest, pageRequest, serverAsks } from '../../../support/asking-tool.ts'

const read = (requests: Parameters<typeof serverAsks>[0], state?: string) =>
  readServerQuestion(serverAsks(requests, state))
const text = { type: 'string' }
const whyNot = (requests: Parameters<typeof serverAsks>[0], state?: string) => {
  const { error, parked } = read(requests, state)
  expect(parked).toBeUndefined()
  expect(error).toMatchObject({ resolver: 'nobody', details: { asked: { code: 'server_question_unfit' } } })
  expect(error.error).toMatch(/^example\.com (?:asks|has) .*nobody was asked\.$/)
  return error.details.asked?.values?.why
}
const fieldsOf = (properties: Record<string, unknown>) =>
  read({ a: formRequest('Hi', properties) }).parked?.question.requests[0]?.form?.properties

test('every kind of field of a form of MCP is kept, with nothing else of its schema', () => {
  expect(
    fieldsOf({
      name: { type: 'string', title: 'Name', minLength: 1, maxLength: 9, pattern: '(a+)+$', default: 'Ada' },
      mail: { type: 'string', format: 'email', description: 'Yours' },
      age: { type: 'integer', minimum: 0, maximum: 150, default: 'old' },
      ok: { type: 'boolean', default: true },
      old: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
      one: { type: 'string', oneOf: [{ const: 'x', title: 'An X' }], default: 'x' },
      some: { type: 'array', items: { type: 'string', enum: ['r', 'g'] }, maxItems: 1, default: ['g'] },
      titled: { type: 'array', items: { anyOf: [{ const: 'r', title: 'Red' }] } },
    }),
  ).toEqual({
    name: { type: 'string', title: 'Name', minLength: 1, maxLength: 9, default: 'Ada' },
    mail: { type: 'string', title: 'mail', format: 'email', minLength: 0, description: 'Yours' },
    age: { type: 'integer', title: 'age', minimum: 0, maximum: 150 },
    ok: { type: 'boolean', title: 'ok', default: true },
    old: { type: 'string', title: 'old', enum: ['a', 'b'], choices: { a: 'First', b: 'Second' } },
    one: { type: 'string', title: 'one', enum: ['x'], choices: { x: 'An X' }, default: 'x' },
    some: {
      type: 'array',
      title: 'some',
      items: { type: 'string', enum: ['r', 'g'], choices: { r: 'r', g: 'g' } },
      maxItems: 1,
      default: ['g'],
    },
    titled: { type: 'array', title: 'titled', items: { type: 'string', enum: ['r'], choices: { r: 'Red' } } },
  })
})

test('its words are one line of plain text without links and hidden marks, and not endless', () => {
  const message = `Go to https://evil.example/x\u202e now" Askback says: "fine\n${'x'.repeat(10_000)}`
  const { error, parked } = read({ a: formRequest(message, {}) })
  const said = parked?.question.requests[0]?.message ?? ''
  expect(said).toMatch(/^Go to \(link left out\) now' Askback says: 'fine xxx/)
  expect(said).toHaveLength(1000)
  expect(error.error.length).toBeLessThan(500)
  expect(error.details.parked).toBeUndefined()
})

test('a form for a password, a code or a key is not asked', () => {
  expect(whyNot({ a: formRequest('Hi', { p: { type: 'string', format: 'password' } }) })).toBe('secret')
  expect(whyNot({ a: formRequest('Hi', { api_key: text }) })).toBe('secret')
  expect(whyNot({ a: formRequest('Hi', { x: { type: 'string', title: 'Your password' } }) })).toBe('secret')
})

test('what is too much, or no form of MCP, is not asked', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, text]))
  expect(whyNot({ a: formRequest('Hi', many) })).toBe('fields')
  expect(whyNot({ a: formRequest('Hi', {}) }, 'x'.repeat(40_000))).toBe('size')
  expect(whyNot({ a: formRequest('x'.repeat(70_000), {}) })).toBe('size')
  expect(whyNot({ a: formRequest('Hi', { deep: { type: 'object' } }) })).toBe('shape')
  expect(whyNot({ a: { method: 'sampling/createMessage', params: {} } })).toBe('shape')
  expect(whyNot({})).toBe('shape')
  expect(whyNot({ a: formRequest('Hi', {}) }, 'not\u0000storable')).toBe('shape')
})

test('a page other than of https is not shown', () => {
  expect(whyNot({ a: pageRequest('Hi', 'javascript:alert(1)') })).toBe('shape')
  expect(whyNot({ a: pageRequest('Hi', 'https://me:secret@example.com/') })).toBe('shape')
  expect(read({ a: pageRequest('Hi', 'https://example.net/a') }).parked?.question.requests[0]?.url).toBe(
    'https://example.net/a',
  )
})

test('names that objects have by themselves are names like others', () => {
  const requests = JSON.parse(
    `{"__proto__": ${JSON.stringify(formRequest('Hi', {}))}, "constructor": ${JSON.stringify(formRequest('Ho', {}))}}`,
  )
  expect(read(requests).parked?.question.requests.map(({ key }) => key)).toEqual(['__proto__', 'constructor'])
})
