import { describe, expect, test } from 'vitest'
import { argsOf, errorOf, prepare, tool, webSearch } from './fixture.ts'

const open = tool('open_tool', { text: { type: 'string' } }, { additionalProperties: undefined })

const manyKeys = `{${Array.from({ length: 10_000 }, (_, index) => `"key${index}":${index}`).join(',')}}`

describe('hostile input is answered', () => {
  const texts: [string, string][] = [
    ['1 MB of [', '['.repeat(1_000_000)],
    ['nested objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['10,000 keys', manyKeys],
    ['__proto__', '{"query":"x","__proto__":{"polluted":true}}'],
    ['constructor', '{"query":"x","constructor":{"prototype":{"polluted":true}}}'],
    ['lone surrogates', '{"\\ud800":"\\udfff","query":"\\ud83d"}'],
    ['duplicate keys', '{"query":"a","query":"b"}'],
    ['NUL', '{"query":"\\u0000","\\u0000":1}'],
    ['an empty name', '{"":1}'],
  ]
  for (const [name, text] of texts) {
    test(`${name}, by an open and a closed schema`, () => {
      for (const specification of [open, webSearch]) {
        const prepared = prepare(specification, text)
        expect(typeof prepared.ok).toBe('boolean')
        if (!prepared.ok) expect(JSON.stringify(prepared.error).length).toBeLessThan(400_000)
      }
      expect('polluted' in {}).toBe(false)
    })
  }

  test('names of Object.prototype are undeclared', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(errorOf(prepare(webSearch, { query: 'x', [name]: 1 })).errorType).toBe('unknown_parameter')
    }
  })

  test('constructor is a name, a type and a unit like any other that nobody knows', () => {
    const odd = tool('odd', { constructor: { type: 'string' } }, { required: ['constructor'] })
    expect(errorOf(prepare(odd, {})).error).toContain('What constructor should I use?')
    const typed = tool('typed', { a: { type: 'constructor' } })
    expect(argsOf(prepare(typed, { a: 1 }))).toEqual({ a: 1 })
    const counted = tool('counted', { a: { type: 'number' } })
    expect(errorOf(prepare(counted, { a: '5 constructor' })).details.correction?.arguments).toEqual({ a: 5 })
  })

  test('a required parameter named constructor is missing when it is not sent', () => {
    const odd = tool('odd', { constructor: { type: 'string' } }, { required: ['constructor'] })
    expect(prepare(odd, {}).ok).toBe(false)
    expect(argsOf(prepare(odd, { constructor: 'x' }))).toEqual({ constructor: 'x' })
  })

  test('a schema whose names hold half a surrogate pair', () => {
    const odd = tool(
      'odd',
      { '\ud800': { type: 'string' }, text: { type: 'string' } },
      { required: ['text'] },
    )
    expect(argsOf(prepare(odd, { text: 'x' }))).toEqual({ text: 'x' })
    expect(prepare(odd, { text: 1 }).ok).toBe(false)
    expect(typeof prepare(odd, { '\ud800': 'x', text: 'x' }).ok).toBe('boolean')
  })

  test('a tool name of any length and kind', () => {
    for (const name of ['', 'x'.repeat(1_000_000), '\ud800', '__proto__', '.'.repeat(10_000)]) {
      expect(errorOf(prepare(webSearch, {}, { name })).errorType).toBe('tool_not_found')
    }
  })

  test('no tools at all', () => {
    const error = errorOf(prepare(webSearch, {}, { tools: [] }))
    expect(error.error).toMatch(/^Question: There is no tool "web_search"/)
  })
})
