import { describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import { checkProvenance } from '../../../shared/engine/provenance/check-provenance.ts'

const text = { type: 'string' }
const tool = (name: string, more: Partial<ToolSpecification> = {}): ToolSpecification => ({
  name,
  description: name,
  effect: 'read',
  parameters: { type: 'object', properties: { query: text } },
  ...more,
})
const read = tool('read_page', {
  parameters: {
    type: 'object',
    properties: { urls: { type: 'array', items: { type: 'string', format: 'uri' }, source: 'seen' } },
  },
})
const search = tool('web_search')
const mails = tool('read_mails', { private: true })
const write = tool('append_text', { private: true, effect: 'write' })
const tools = [read, search, mails, write]

const user = (content: string): ChatMessage => ({ role: 'user', content })
let calls = 0
/** A call and what came back. */
const called = (name: string, args: object, output: unknown): ChatMessage[] => {
  const id = `call_${++calls}`
  const call = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: JSON.stringify(output) },
  ]
}
const mail = (body: string) => called('read_mails', {}, { messages: [{ body }] })
const judge = (messages: ChatMessage[], ...urls: string[]) =>
  checkProvenance({ tool: read, args: { urls }, messages, tools, turnStart: 0 })

const composed = 'https://eve.example/?q=4711'
const found = (...urls: string[]) =>
  called('web_search', { query: 'museum' }, { results: urls.map((url) => ({ title: 'One', url })) })

describe("a place on the web (source: 'seen')", () => {
  test.each<[string, ChatMessage[], string]>([
    ['named by the user', [user('Read https://a.example/b.')], 'https://a.example/b'],
    [
      'named by the user, after a mail was read',
      [user('Read https://a.example/b.'), ...mail('hi')],
      'https://a.example/b',
    ],
    ['named by the user without a scheme', [user('Read a.example/b'), ...mail('hi')], 'https://a.example/b'],
    ['called without a scheme', [user('Read www.example.com.'), ...mail('hi')], 'www.example.com'],
    ['called without a scheme, with one by the user', [user('Read https://a.example/b')], 'a.example/b'],
    [
      'named before a sentence without a space',
      [user('Post to www.example.com.They sent it.')],
      'www.example.com',
    ],
    ['a start page, by the other scheme', [user('Read www.example.com.')], 'http://www.example.com/'],
    ['a search result, without a scheme', [user('Look.'), ...found('https://a.example/')], 'a.example'],
    ['found by a search', [user('Look.'), ...found('https://a.example/')], 'https://a.example/'],
    [
      'found by a search whose answer is JSON in a text',
      [user('Look.'), ...called('web_search', {}, '{"hits":["https://a.example/x"]}')],
      'https://a.example/x',
    ],
  ])('%s is opened', (_, messages, url) => {
    expect(judge(messages, url)).toEqual({ verdict: 'run' })
  })

  test.each([
    'www.example.com/?code=4711',
    'www.example.com/4711',
    'www.example.com#4711',
    'http://www.example.com/4711',
    'https://mia:4711@www.example.com/',
    'www.example.com:4711',
    '4711.www.example.com',
    'example.com',
  ])('%s is not what www.example.com names', (url) => {
    expect(judge([user('Read www.example.com.'), ...mail('hi')], url).verdict).toBe('approve')
  })

  const page = (text: string) => called('read_page', { urls: ['https://a.example/'] }, { pages: [{ text }] })
  test.each<[string, ChatMessage[], string]>([
    ['made up', [user('Look it up.')], composed],
    ['made up after a search', [user('Look.'), ...found('https://eve.example/')], composed],
    ['on a page', [user('Read https://a.example/'), ...page(`See ${composed}`)], composed],
    [
      'on a page, whole as a value',
      [
        user('Read a.example'),
        ...called('read_page', { urls: ['https://a.example/'] }, { links: [composed] }),
      ],
      composed,
    ],
    [
      'in a snippet',
      [user('Look.'), ...called('web_search', {}, { snippet: `See ${composed} now` })],
      composed,
    ],
    ['quoted in the message', [user(`<source>${composed}</source> What is it?`)], composed],
    [
      'found by a search, where the message quotes something',
      [user('<source>Code 4711</source> Look.'), ...found('https://a.example/')],
      'https://a.example/',
    ],
    ['in a mail', [user('Open the link.'), ...mail(`See ${composed}.`)], composed],
    [
      'found by a search before a mail was read',
      [user('Go on.'), ...found('https://a.example/'), ...mail('hi')],
      'https://a.example/',
    ],
    [
      'found by a search after a mail was read',
      [user('Go on.'), ...mail('hi'), ...found('https://a.example/')],
      'https://a.example/',
    ],
    ['a part of one that the user named', [user('See https://eve.example/?q=4711&r=1')], composed],
    ['longer than one that the user named', [user('See https://eve.example/')], composed],
    ['with a fragment of its own', [user('Read https://eve.example/')], 'https://eve.example/#4711'],
    ['with a host of its own', [user('Read https://eve.example/')], 'https://4711.eve.example/'],
    ['with its case changed', [user('Read https://eve.example/abc')], 'https://eve.example/aBc'],
    ['that is encoded in another way', [user('Read https://eve.example/abc')], 'https://eve.example/%61bc'],
    [
      'that was searched for first',
      [user('Go on.'), ...called('web_search', { query: composed }, { results: [{ url: composed }] })],
      composed,
    ],
    [
      'that the model has written into a document',
      [user('Go on.'), ...called('append_text', { text: composed }, {}), ...mail(composed)],
      composed,
    ],
    [
      'found by a search, after a tool that the agent does not have any more',
      [
        user('Go on.'),
        ...called('read_letters', {}, { letter: 'Code 4711' }),
        ...found('https://a.example/'),
      ],
      'https://a.example/',
    ],
  ])('%s needs an approval', (_, messages, url) => {
    expect(judge(messages, url)).toEqual({
      verdict: 'approve',
      values: [{ path: 'urls[0]', value: url, isPlace: true }],
    })
  })

  test('only the address that was made up is asked about', () => {
    const messages = [user('Read https://a.example/'), ...mail('hi')]
    expect(judge(messages, 'https://a.example/', composed)).toEqual({
      verdict: 'approve',
      values: [{ path: 'urls[1]', value: composed, isPlace: true }],
    })
  })

  test('one that was approved is known, and one that a write was approved for is no recipient', () => {
    const messages = [user('Go on.'), ...mail('hi')]
    const confirmed = [composed]
    const args = { urls: [composed] }
    expect(checkProvenance({ tool: read, args, messages, tools, turnStart: 0, confirmed })).toEqual({
      verdict: 'run',
    })
    const hook = tool('call_hook', {
      effect: 'write',
      parameters: { type: 'object', properties: { url: { ...text, source: 'seen' } } },
    })
    const send = tool('send', {
      effect: 'write',
      parameters: { type: 'object', properties: { to: { ...text, source: 'conversation' } } },
    })
    const history = [user('Go on.'), ...called('call_hook', { url: composed }, {})]
    const question = {
      tool: send,
      args: { to: composed },
      messages: history,
      tools: [hook, send],
      turnStart: 0,
    }
    expect(checkProvenance(question).verdict).toBe('ask')
  })
})
