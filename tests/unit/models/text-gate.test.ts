import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReply } from '../../../shared/engine/models/written-calls/read-reply.ts'
import { openTextGate } from '../../../shared/engine/models/written-calls/text-gate.ts'
import { search, sendEmail } from './fixtures.ts'

const tools = [search, sendEmail]

/** Sends a text through a gate in pieces; what was visible before the end, what at the end, and what was taken back. */
function pass(pieces: string[], offered = tools, thinksFirst = false) {
  let shown = ''
  let takenBack = ''
  const gate = openTextGate({
    tools: offered,
    thinksFirst,
    show: (delta) => {
      shown += delta
    },
    restart: () => {
      takenBack += shown
      shown = ''
    },
  })
  for (const piece of pieces) gate.add(piece)
  const before = shown
  const about = { tools: offered, thinksFirst, isQuoted: () => false }
  const final = readReply(pieces.join(''), about).text
  gate.finish(final)
  return { before, after: shown, final, takenBack }
}

describe('what a reader sees at once', () => {
  test.each([
    'Hello Ada. The meeting is at 10 < 11 o’clock [see note], costs {little}.',
    '```python\nprint({"a": 1})\n```\nThat is all.',
    '{"city": "London", "name": "search"}',
    '{"name": "Ada", "age": 36}',
    'Here:\n```json\n{"name": "Ada"}\n```\nDone.',
    '[1, 2, 3]',
    'A `code` span and ``two``.',
    'if (a <b) {',
    '[see(query="x")]',
    'Searching is easy.\nsearch for it, <b>Ada</b>',
    '<p>Hello</p>',
  ])('%j', (text) => {
    expect(pass([...text]).before).toBe(text)
  })
})

describe('what waits', () => {
  test.each([
    ['Let me look. <tool_call>{"name": "search", "arguments": {}}</tool_call>', 'Let me look. '],
    ['Let me look.\n{"name": "search", "arguments": {}}', 'Let me look.\n'],
    ['```json\n{"name": "search", "arguments": {}}\n```', ''],
    ['```json\r\n{"name": "search", "arguments": {}}\r\n```', ''],
    ['Look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{}', 'Look.'],
    ['[TOOL_CALLS] [{"name": "search", "arguments": {}}]', ''],
    ['<|python_tag|>{"name": "search", "parameters": {}}', ''],
    ['```\n{"name": "search", "arguments": {}}\n```', ''],
    ['{"function": {"name": "search", "arguments": {}}}', ''],
    ['<think>Hm', ''],
    ['[search(query="x")]', ''],
    ['search\n{"query": "x"}', ''],
    ['functools[{"name": "search"', ''],
    ['<|call|>', ''],
    ['Hi. <|im_end|>', 'Hi. '],
    ['Look.<｜DSML｜tool_calls>', 'Look.'],
    [' to=functions.search<|channel|>', ''],
    ['<minimax:tool_call>', ''],
    ['<use_tool name="search">', ''],
    ['<search>', ''],
    ['[THINK]Hm', ''],
    ['<seed:think>Hm', ''],
    ['Here is my thought process: Hm', ''],
  ])('%j', (text, visible) => {
    for (const pieces of [[...text], [text]]) expect(pass(pieces).before).toBe(visible)
  })

  test('text after thinking is shown without its blank lines', () => {
    expect(pass(['<thi', 'nk>Hm.</th', 'ink>\n\n', 'Hello', ' Ada']).before).toBe('Hello Ada')
  })

  test('everything of a model that thinks first, until it has thought', () => {
    const pieces = ['Hm, ', 'a greeting.\n</th', 'ink>\n', '\nHello', ' Ada']
    expect(pass(pieces, tools, true)).toMatchObject({ before: 'Hello Ada', takenBack: '' })
    expect(pass(pieces.slice(0, 1), tools, true)).toMatchObject({ before: '', after: 'Hm, ' })
    expect(pass(pieces, tools, false)).toMatchObject({ after: 'Hello Ada' })
  })

  test('without tools only thinking waits', () => {
    expect(pass(['{"name": "search", "arguments": {}}'], []).before).toBe(
      '{"name": "search", "arguments": {}}',
    )
  })
})

describe('a long text is gated in one pass', () => {
  test.each(['[', '<a', '<|', '{', 'a', ' '])('1 MB of %j', (unit) => {
    // Work that grows with what came before takes minutes here and runs into the test's timeout.
    const text = unit.repeat(1_000_000 / unit.length)
    const { after, final } = pass(text.match(/[\s\S]{1,4}/g) ?? [])
    expect(after === final).toBe(true)
  })

  test.each([
    '`',
    '\n',
    '[ ',
    '{"',
    '``` ',
    '```json\n',
    '\n{"name"',
    '\n{"name": "a',
    '<parameter=a>',
    '<think>',
    '<think',
    '<|python_ta',
  ])('200 KB of %j', (unit) => {
    const text = unit.repeat(200_000 / unit.length)
    const { after, final } = pass(text.match(/[\s\S]{1,4}/g) ?? [])
    expect(after === final).toBe(true)
  })

  test('what begins like a call and goes on with blanks waits to the end', () => {
    const text = `{"name":${' '.repeat(200_000)}"Ada"}`
    expect(pass(text.match(/[\s\S]{1,4}/g) ?? [])).toEqual({
      before: '',
      after: text,
      final: text,
      takenBack: '',
    })
  })
})

test('however a text is cut, the reader gets the text of the reply and never a part of a call', () => {
  const parts = fc.constantFrom(
    'Hello ',
    '\n',
    '```json\n',
    '```',
    '{"name": "search", "arguments": {"query": "x"}}',
    '{"name": "Ada"}',
    '{',
    '<tool_call>',
    '</tool_call>',
    '<',
    '[',
    '[TOOL_CALLS]',
    '<think>',
    '</think>',
    ' and ',
    '<|python_tag|>',
    '```python\n',
    '<function=search>',
    '{"type": "function", "function": {"name": "search", "arguments": {}}}',
    ']',
    'For example:',
    '\r',
    '\u2028',
    ' \t',
    "{'name': 'search', 'arguments': {}}",
    '{"name": "sear\\u0063h", "arguments": {}}',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.infiniteStream(fc.nat(6)), (chosen, dice) => {
      const text = chosen.join('')
      const pieces: string[] = []
      for (let start = 0; start < text.length; ) {
        const size = 1 + (dice.next().value ?? 0)
        pieces.push(text.slice(start, start + size))
        start += size
      }
      const { after, final } = pass(pieces)
      expect(after.trimEnd()).toBe(final.trimEnd())
    }),
    { numRuns: 3000 },
  )
})
