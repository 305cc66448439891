import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { readErrorResponse } from '../../../shared/engine/models/protocol/call-failure.ts'
import { readReply } from '../../../shared/engine/models/written-calls/read-reply.ts'
import { readTextToolCalls } from '../../../shared/engine/models/written-calls/text-tool-calls.ts'
import { search } from './fixtures.ts'

/** Quadratic work on texts as long as this takes minutes and runs into the test's timeout. */
const fill = (unit: string, length = 500_000) => unit.repeat(length / unit.length)
const call = '<tool_call>{"name": "search", "arguments": {}}</tool_call>'

test.each<[string, string]>([
  ['a name of a parameter', `<tool_call><function=search><parameter=${fill('a')}`],
  ['quotes in the name of a parameter', `<tool_call><function=search><parameter=${fill('a"')}`],
  ['parameters that never end', `<tool_call><function=search>${fill('<parameter=')}`],
  ['blanks behind a fence', `\`\`\`${fill(' ')}x`],
  ['fences', fill('``` \t')],
  ['blanks before a call', `a${fill(' ')}b\n${call}`],
  ['line breaks before a call', `${fill('\n')}b ${call}`],
  ['backticks before a call', `a${fill('`')}b\n${call}`],
  ['fenced words before a call', `${fill('```a ')}\n${call}`],
  ['words about a call', `${fill('for example ')}${call}`],
  ['marks behind a name', `<tool_call>a${fill('[ARGS]')}`],
  ['ids behind a name', `[TOOL_CALLS]a${fill('[CALL_ID]a')}`],
  ['tags behind a call', `${call}${fill('<a>')}x`],
  ['fences behind a call', `${call}${fill('```a')}!`],
  ['a long key', `{"${fill('a')}`],
  ['escapes in a key', `{"${fill('\\n')}`],
  ['apostrophes', `{"name": ${fill("'")}`],
  ['encoded arguments', `{"name": "search", "arguments": "${fill('\\"')}"}`],
])('half a megabyte of a model: %s', (_name, text) => {
  expect(readTextToolCalls(text, [search]).text.length).toBeLessThanOrEqual(text.length)
})

test.each<[string, string]>([
  ['marks of a dialect', fill('<ifm|')],
  ['numbered marks', fill('[unused11]')],
  ['closing tags in a value', `<invoke name="search">${fill('</invoke>x')}`],
  ['elements in elements', `<invoke name="search">${fill('<a>', 20_000)}${fill('</a>', 20_000)}</invoke>`],
  ['ends of a turn in code spans', fill('<|im_end|> a `', 50_000)],
  ['doubled signs', fill('\n{{')],
  ['answers', `<think>a</think>${fill('<answer>x')}`],
  ['names and keys', fill('search query: ')],
])('half a megabyte of a reply: %s', (_name, text) => {
  const about = { tools: [search], thinksFirst: false, isQuoted: () => false }
  expect(readReply(text, about).text.length).toBeLessThanOrEqual(text.length)
})

test.each([
  'a',
  'a ',
  ' ',
  '\n',
  '"',
  '{',
  '[',
  '<a',
  '(',
  '\\',
  '1.',
  'A',
  'a@',
  'http://',
  'Error: ',
  'key=',
  'only ',
  'retry after ',
  'try again in ',
  '"headers":{',
  '{"error":',
  '\nat ',
])('half a megabyte of an error of %j', (unit) => {
  const text = fill(unit)
  for (const body of [text, JSON.stringify({ error: { message: text, code: text } })]) {
    expect(readErrorResponse(400, new Headers(), body).message.length).toBeLessThan(300)
  }
})

test.each(['1', '1h', '1m', '0,', 'a', '-', '.', ';r=0'])(
  'a wait of as much %j as a header can hold',
  (unit) => {
    for (const name of ['retry-after', 'retry-after-ms', 'ratelimit', 'x-ratelimit-reset']) {
      const headers = new Headers({ [name]: fill(unit, 16_000), 'x-ratelimit-remaining': '0' })
      expect(readErrorResponse(503, headers, '').kind).toBeTypeOf('string')
    }
  },
)

test.each(['a', 'data: a\n', '\n', ':'])('half a megabyte of events in pieces: %j', (unit) => {
  let events = 0
  const parser = createParser({ onEvent: () => events++ })
  const text = `data: ${fill(unit)}\n\ndata: last\n\n`
  for (let at = 0; at < text.length; at += 4) parser.feed(text.slice(at, at + 4))
  expect(events).toBeGreaterThan(0)
})
