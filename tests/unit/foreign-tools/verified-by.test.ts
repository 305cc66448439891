import { describe, expect, it } from 'vitest'
import { isInResult } from '../../../shared/integrations/mcp/find-in-result.ts'
import { searchFor } from '../../../shared/integrations/mcp/verified-by.ts'

const told = (text: string) => ({ content: [{ type: 'text', text }] })

describe('what is looked for after a call', () => {
  const by = { arguments: { query: '{title}', labels: '{labels}', state: 'open' }, found: '{title}' }

  it('holds the values of the call, a list as a list', () => {
    expect(searchFor(by, { title: 'Broken login', labels: ['bug'] })).toEqual({
      arguments: { query: 'Broken login', labels: ['bug'], state: 'open' },
      found: 'Broken login',
    })
    const inside = { arguments: { filter: { text: ['{title} #{number}'] } }, found: '{title} #{number}' }
    expect(searchFor(inside, { title: 'Broken login', number: 7 })).toEqual({
      arguments: { filter: { text: ['Broken login #7'] } },
      found: 'Broken login #7',
    })
  })

  it.each([
    ['lacks a value', { title: 'Broken login' }],
    ['has an empty one', { title: ' ', labels: ['bug'] }],
    ['has a list in a text', { title: ['Broken login'], labels: ['bug'] }],
    ['has a short one', { title: 'Bug', labels: ['bug'] }],
    ['has few digits', { title: '2026', labels: ['bug'] }],
  ])('is nothing if the call %s', (_, call) => {
    expect(searchFor(by, call)).toBeUndefined()
  })

  it('takes nothing from the prototype of the call', () => {
    expect(searchFor({ arguments: {}, found: '{constructor}' }, {})).toBeUndefined()
  })
})

describe('a text', () => {
  it.each([
    ['in words', told('1 issue: Broken  login (open)')],
    ['in JSON as text, where it is escaped', told('{"issues":[{"title":"Broken login"}]}')],
    ['in data', { content: [], structuredContent: { issues: [{ title: 'Broken login' }] } }],
    ['in a link', { content: [{ type: 'resource_link', uri: 'https://a.example', name: 'Broken login' }] }],
  ])('is found %s', (_, result) => {
    expect(isInResult(result, 'Broken login')).toBe(true)
  })

  it('with quotation marks is found in JSON as text', () => {
    expect(isInResult(told('[{"title":"Say \\"hello\\""}]'), 'Say "hello"')).toBe(true)
  })

  it.each([
    ['as part of a longer word', told('Broken logins')],
    ['in an empty list', { content: [], structuredContent: { issues: [] } }],
  ])('is not found %s', (_, result) => {
    expect(isInResult(result, 'Broken login')).toBe(false)
  })

  it('is neither there nor absent in a failure, or beside a file that is not read', () => {
    expect(isInResult({ ...told('Broken login'), isError: true }, 'Broken login')).toBeUndefined()
    const image = { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }
    expect(isInResult(image, 'Broken login')).toBeUndefined()
  })
})
