import { describe, expect, test } from 'vitest'
import { readArguments } from '../../../shared/engine/reading/read-arguments.ts'

/** Value and repair rules of a text that is read, or the reason why not. */
function read(raw: string, finishReason?: string): unknown {
  const reading = readArguments(raw, { finishReason })
  return reading.ok ? [reading.value, ...reading.repairs.map(({ rule }) => rule)] : reading.reason
}

describe('a text with one reading is read', () => {
  test.each([
    ['valid JSON, unchanged', '{"a":{"b":[1,null,"x"]}}', [{ a: { b: [1, null, 'x'] } }]],
    ['a code fence', '```json\n{"a":1}\n```', [{ a: 1 }, 'code_fence']],
    ['a code fence that is not closed', '```json\n{"a":1}', [{ a: 1 }, 'code_fence']],
    ['a byte order mark', '\ufeff{"a":1}', [{ a: 1 }, 'byte_order_mark']],
    ['a zero-width space in front', '\u200b{"a":1}', [{ a: 1 }, 'byte_order_mark']],
    ['a line comment', '{"a":1 // one\n}', [{ a: 1 }, 'comment']],
    ['a block comment', '{/* b? */"a":1}', [{ a: 1 }, 'comment']],
    ['a comment in the way of Python', '{"a":1, # one\n"b":2}', [{ a: 1, b: 2 }, 'comment']],
    ['a trailing comma', '{"a":[1,2,],}', [{ a: [1, 2] }, 'trailing_comma']],
    ['a comma behind the object', '{"a":1},', [{ a: 1 }, 'trailing_comma']],
    ['a name with an escaped line break', '{"a:,\\nb":1,}', [{ 'a:,\nb': 1 }, 'trailing_comma']],
    ['a doubled comma', '{"a":1,,"b":2}', [{ a: 1, b: 2 }, 'doubled_comma']],
    ['single quotes', `{'a':'it"s'}`, [{ a: 'it"s' }, 'single_quotes']],
    ['bare names', '{a:1, reply-to:"x"}', [{ a: 1, 'reply-to': 'x' }, 'unquoted_key']],
    ["Python's literals", '{"a":True,"b":[False,None]}', [{ a: true, b: [false, null] }, 'python_literal']],
    ['raw line breaks in a text', '{"a":"x\n\ty"}', [{ a: 'x\n\ty' }, 'raw_line_break']],
    ['an escaped quote that needs no escape', `{"a":"it\\'s"}`, [{ a: "it's" }, 'bad_escape']],
    ['a backslash before a letter without meaning', '{"a":"\\d+\\w"}', [{ a: '\\d+\\w' }, 'bad_escape']],
    ['extra closers', '{"a":{"b":1}}}]', [{ a: { b: 1 } }, 'extra_closer']],
    ['a line break behind a letter and a colon', '{"a":"A:\\nyes",}', [{ a: 'A:\nyes' }, 'trailing_comma']],
    ['JSON in a JSON string', '"{\\"a\\":1}"', [{ a: 1 }, 'double_encoding']],
    [
      'JSON in a JSON string in a code fence',
      '```json\n"{\\"a\\":1}"\n```',
      [{ a: 1 }, 'code_fence', 'double_encoding'],
    ],
    [
      'an apostrophe escaped in a JSON string',
      `"{\\"a\\":\\"it\\'s\\"}"`,
      [{ a: "it's" }, 'bad_escape', 'double_encoding'],
    ],
    ['JSON in two JSON strings', JSON.stringify(JSON.stringify('{"a":1}')), [{ a: 1 }, 'double_encoding']],
    ['prose in front', 'Action Input: {"a":1}', [{ a: 1 }, 'surrounding_prose']],
    ['prose behind', '{"a":1}\nLet me know if you need more!', [{ a: 1 }, 'surrounding_prose']],
    ['a special token behind', '{"a":1}<|eot_id|>', [{ a: 1 }, 'surrounding_prose']],
    ['another special token behind', '{"a":1}<end_of_turn>', [{ a: 1 }, 'surrounding_prose']],
    ['an end token behind an object without members', '{}<|eot_id|>', [{}, 'surrounding_prose']],
    ['an announced object without members', 'Action Input: {}', [{}, 'surrounding_prose']],
    ['prose on the lines around an object without members', 'Here:\n{}\nDone.', [{}, 'surrounding_prose']],
    ['ReAct', 'Thought: look\nAction: search\nAction Input: {"a":1}', [{ a: 1 }, 'surrounding_prose']],
    ['ReAct with a quoted name', 'Action: "search"\nAction Input: {"a":1}', [{ a: 1 }, 'surrounding_prose']],
    ['a remark behind', '{"a":1}\nNote: five of them', [{ a: 1 }, 'surrounding_prose']],
    ['a tag around all arguments', '<arguments>{"a":1}</arguments>', [{ a: 1 }, 'surrounding_prose']],
    ['thoughts in other tags', '[THINK]{a} or {b}?[/THINK]\n{"a":1}', [{ a: 1 }, 'comment']],
    ['thoughts with braces', '<think>{a} or {b}?</think>{"a":1}', [{ a: 1 }, 'comment']],
    ['comments in front, however many', `${'# note\n'.repeat(900)}{"a":1}`, [{ a: 1 }, 'comment']],
    ['a comment behind the object', '{} // nothing', [{}, 'comment']],
    [
      'a comment on its own line where an item belongs',
      '{"a":[//one\n{"b":1},\n//two ]\n{"b":2}]}',
      [{ a: [{ b: 1 }, { b: 2 }] }, 'comment'],
    ],
    ['blanks that JSON has not', '{"a":\u00a0\u180e1\u2003}', [{ a: 1 }, 'odd_blank']],
    ['such blanks around it', '\u00a0{"a":1}', [{ a: 1 }, 'odd_blank']],
    ['a name repeated with the same value', '{"a":1,"a":1}', [{ a: 1 }, 'repeated_key']],
    [
      'several of these at once',
      "Sure:\n```\n{'a':True, b:[1,],}\n```",
      [
        { a: true, b: [1] },
        'code_fence',
        'surrounding_prose',
        'single_quotes',
        'python_literal',
        'unquoted_key',
        'trailing_comma',
      ],
    ],
  ])('%s', (_, raw, expected) => {
    expect(read(raw)).toEqual(expected)
  })
})

describe('a text with several readings is refused', () => {
  test.each([
    ['a missing comma', '{"a":1 "b":2}', 'unreadable'],
    ['a missing colon', '{"a" "b"}', 'unreadable'],
    ['unescaped quotes', '{"a":"say "hi" now"}', 'unreadable'],
    ['a lost quote', '{"a":"x, "b":"y"}', 'unreadable'],
    ['a stray quote', '{"a":""x"}', 'unreadable'],
    ['encoded JSON that lost its quotes', '{\\"a\\": \\"b\\"}', 'unreadable'],
    ['a value without quotes', '{"a":hello}', 'unreadable'],
    ['typographic quotes', '{“a”:1}', 'unreadable'],
    ['NaN', '{"a":NaN}', 'unreadable'],
    ['an ellipsis', '{...}', 'unreadable'],
    ['a leading zero', '{a:0789}', 'unreadable'],
    ['a leading comma', '{,"a":1}', 'unreadable'],
    ['a mismatched closer', '{"a":[1}', 'unreadable'],
    ['a missing value', '{"a":,"b":2}', 'unreadable'],
    [
      'a backslash that is no escape inside or outside a JSON string',
      '"{\\"a\\":\\"hub\\sHub\\"}"',
      'unreadable',
    ],
    ['a path whose escapes are all real', '{"a":"\\d","b":"C:\\temp\\new"}', 'unreadable'],
    ['a path with real and false escapes', '{"a":"C:\\Users\\new"}', 'unreadable'],
    ['an escaped sign that needs no escape', '{"a":"\\$5"}', 'unreadable'],
    ['a colour without quotes', '{"a":[#ff0000\n]}', 'unreadable'],
    ['an address without quotes', '{"a":[//example.com\n]}', 'unreadable'],
    ['a comment that swallows a member', '{"a":1, // one "b":2,\n"c":3}', 'unreadable'],
    ['two different objects', '{"a":1}{"a":2}', 'ambiguous'],
    ['the same object twice', '{"a":1}{"a":1}', 'ambiguous'],
    ['members behind the object', '{"a":1}, "b":2}', 'ambiguous'],
    ['a name with two values', '{"a":1,"a":2}', 'ambiguous'],
    ['a name with two values, one spelled with an escape', '{"a":1,"\\u0061":2}', 'ambiguous'],
    ['members in front of the object', '"a":{"b":1}}', 'unreadable'],
    ['a lost opening brace', 'city: {"b":1}}', 'unreadable'],
    ['one keyword argument', 'filter={"b":1}', 'unreadable'],
    ['one tagged parameter', '<parameter=to>{"b":1}</parameter>', 'unreadable'],
    ['an object in a list', '[{"a":1}]', 'not_an_object'],
    ['a whole tool call', '<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>', 'unreadable'],
    ['a list in front of the object', '["x"]\n{"a":1}', 'unreadable'],
    ['an empty list behind the object', '{"a":1}[]', 'ambiguous'],
    ['a value in front of the object', 'true, {"a":1}', 'unreadable'],
    ['a value behind the object', '{"a":1} null', 'ambiguous'],
    ['several arguments of a function', 'f("x", {"a":1})', 'unreadable'],
    ['an option of a command line', 'send --data {"a":1} --limit 5', 'unreadable'],
    ['a line with a member in front', 'to: ada@example.com\nfilter: {"a":1}', 'unreadable'],
    ['an option behind', '{"a":1}\n--limit 5', 'ambiguous'],
    ['an item of a list with a member in front', '- to: ada\n- filter: {"a":1}', 'unreadable'],
    ['an emphasised member in front', '**to:** ada\n**filter:** {"a":1}', 'unreadable'],
    ['thoughts that do not end', '<think>Maybe {"a":1}', 'unreadable'],
    ['thoughts in brackets that do not end', '[THINK]Maybe {"a":1}', 'unreadable'],
    ['thoughts whose beginning is not there', 'Maybe {"a":1}</think>', 'ambiguous'],
    ['a line with a value behind', '{"a":1}\nLimit: 5', 'ambiguous'],
    ['a line with a member behind', '{"a":1}\nlimit: 5', 'ambiguous'],
    ['a tag named like a parameter', '<filter>{"a":1}</filter>', 'unreadable'],
    ['braces in a sentence', 'I would call archive {} now', 'unreadable'],
    ['braces in code', '```c\nint main() {\n}\n```', 'unreadable'],
    ['a comment that is one value', '{"a":[1,\n# 2,\n3]}', 'unreadable'],
    ['a comment that is one text', '{"a":["x",\n// "y"\n]}', 'unreadable'],
    ['a comment with one quote', '{"a":""// see x"\n}', 'unreadable'],
    ['a name that holds a second beginning', '{"aHere it is:\n{b":1}', 'unreadable'],
    ['two names in one pair of quotes', '{"a: 1,\nb": 2}', 'unreadable'],
    ["another language's escape of a code point", '{"a":"\\U0001F600"}', 'unreadable'],
    ['prose', 'I would call the tool now.', 'not_an_object'],
    ['a number', '5', 'not_an_object'],
    ['blanks', ' \n ', 'blank'],
    ['a blank JSON string', '""', 'blank'],
    ['null', 'null', 'blank'],
  ])('%s', (_, raw, reason) => {
    expect(read(raw)).toBe(reason)
  })
})

describe('a cut text is never completed', () => {
  test.each([
    [
      'inside a text',
      '{"to":"a@b.c","n":2,"body":"Dear',
      { value: { to: 'a@b.c', n: 2 }, cut: ['body'], unclosed: [[]] },
    ],
    ['before the last closer', '{"genre":"Pop"', { value: {}, cut: ['genre'], unclosed: [[]] }],
    ['behind a comma', '{"genre":"Pop",', { value: { genre: 'Pop' }, unclosed: [[]] }],
    ['inside a name', '{"a":1,"ge', { value: { a: 1 }, unclosed: [[]] }],
    ['behind a name', '{"a":1,"b":', { value: { a: 1 }, cut: ['b'], unclosed: [[]] }],
    ['inside a number', '{"a":1,"b":12', { value: { a: 1 }, cut: ['b'], unclosed: [[]] }],
    ['inside a literal', '{"a":tru', { value: {}, cut: ['a'], unclosed: [[]] }],
    ['inside an escape', '{"a":"x\\u00', { value: {}, cut: ['a'], unclosed: [[]] }],
    [
      'inside a nested object',
      '{"a":{"b":1,"c":"x',
      { value: { a: { b: 1 } }, cut: ['a', 'c'], unclosed: [[], ['a']] },
    ],
    ['between nested members', '{"a":{"b":1,', { value: { a: { b: 1 } }, unclosed: [[], ['a']] }],
    ['inside a list', '{"a":1,"b":[1,2', { value: { a: 1 }, cut: ['b'], unclosed: [[]] }],
    ['inside an object of a list', '{"b":[{"c":1},{"d":2,', { value: {}, cut: ['b'], unclosed: [[]] }],
    ['at once', '{', { value: {}, unclosed: [[]] }],
    ['inside a fence', '```json\n{"a":1,"b":"', { value: { a: 1 }, cut: ['b'], unclosed: [[]] }],
    [
      'by a comment that hides the rest',
      '{"a":{"b":"x" // c }, "d":1}',
      { value: { a: {} }, cut: ['a', 'b'], unclosed: [[], ['a']] },
    ],
    ['inside a JSON string', '"{\\"a\\":1}', { value: {}, unclosed: [[]] }],
  ])('%s', (_, raw, partial) => {
    expect(readArguments(raw)).toEqual({ ok: false, reason: 'cut', message: expect.any(String), partial })
  })

  test('the message names the value that was cut', () => {
    expect(readArguments('{"subject":"See you')).toMatchObject({ message: 'the text ends inside "subject"' })
  })

  test('whatever cannot be read after the finish reason "length" was cut', () => {
    const reading = readArguments('{"a":1 "b":2}', { finishReason: 'length' })
    expect(reading).toMatchObject({ reason: 'cut', partial: { value: {}, unclosed: [[]] } })
  })

  test('a complete object is read whatever the finish reason is', () => {
    expect(read('{"a":1}', 'length')).toEqual([{ a: 1 }])
  })
})

describe('a text with more than one reading is refused, and nothing is guessed', () => {
  test.each([
    ['a missing comma', '{"id":"sl8" "created":"2023-04-01"}'],
    ['unescaped quotes', '{"a":"Los "Angeles"", "b":1}'],
    ['attributes of a tag', '{"html":"<a href="x">"y"</a>"}'],
    ['an apostrophe', `{'a':'it's fine'}`],
    ['typographic quotes', '{“a”: ‘b’}'],
    ['a name that lost a quote', '{"a:"x",b":1}'],
    ['words without quotes', '{status: in progress}'],
    ['keyword arguments', "file_name='a.txt', n=2"],
    ['a function call', 'read(path="a.txt", all=True)'],
    ['a list of one object', '[{"a":1}]'],
    ['encoded JSON that lost its quotes', '{\\"a\\": \\"b\\"}'],
    ['the same object twice', '{"a":1}\n{"a":1}'],
    ['a whole tool call', '<tool_call>\n{"name":"f","arguments":{"a":1}}\n</tool_call>'],
    ['lost outer braces', '"a":1,"b":2'],
    ['two different objects', '{"a":1}{"a":2}'],
    ['a name with two values', '{"a":1,"a":2}'],
    ['NaN', '{"a":NaN}'],
    ['a lost quote that swallows a member', '{"a":"x, "b":"y"}'],
    ['two texts and an operator', `{"a":'hello' + 'world'}`],
    ['a stray quote', '{"a":""value"}'],
    ['doubled quotes', '{"a":""""}'],
    ['a quote too many behind a number', '{"a":"#W762", ", "b":"y"}'],
    ['a closing quote written twice behind a number', '{"a":"992473211""}'],
    ['a missing value', '{"a":,"b":2}'],
    ['two objects in a list', '[{"a":1},{"a":2}]'],
    ['a cut text', '{"a":"say "hi" to'],
    ['a forbidden name', "{'__proto__': x}"],
    ['nothing, in capitals', '{"a": NULL}'],
    ['an object that was printed', '{"a": [object Object]}'],
    ['a text that begins again behind its end', '{"a":"The dog.","the dog.","b":1}'],
    ['a comma inside the quotes that it belongs behind', '{"a":"Queen," "b":1}'],
    ['an expression', '{"a": new Date()}'],
    ['a template', '{"a": `to \u0024{name}`}'],
    ['a query string', 'a=x&b=5'],
  ])('%s', (_, raw) => {
    expect(readArguments(raw).ok).toBe(false)
  })
})

describe('hostile texts', () => {
  test.each([
    ['__proto__', '{"a":1,"__proto__":{"x":7}}'],
    ['__proto__ spelled with escapes', '{"_\\u005fproto__":{"x":7}}'],
    ['__proto__ in a text that needs repairs', "{'a':{__proto__:{'x':7}},}"],
    ['constructor.prototype', '{"a":{"constructor":{"prototype":{"x":7}}}}'],
    ['constructor.prototype in a text that needs repairs', '{"constructor":{"prototype":{"x":7}},}'],
  ])('%s is refused and pollutes nothing', (_, raw) => {
    expect(read(raw)).toBe('forbidden_key')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('names that only look dangerous are arguments like others', () => {
    const raw = '{"constructor":{"bar":1},"proto":1,"then":2,"hasOwnProperty":3,"b":"__proto__"}'
    expect(read(raw)).toEqual([JSON.parse(raw)])
  })

  test.each([
    ['a million brackets', '['.repeat(1e6)],
    ['a million braces', '{'.repeat(1e6)],
    ['deep lists', `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
    ['deep objects that are cut', '{"a":'.repeat(3000)],
    ['a hundred thousand members', `{${Array.from({ length: 1e5 }, (_, i) => `"k${i}":1`).join()}}`],
    ['a million commas', `{"a":1${','.repeat(1e6)}}`],
    ['more text than any attachment', `{"a":"${'x'.repeat(17e6)}"}`],
  ])('%s: too large', (_, raw) => {
    expect(read(raw)).toBe('too_large')
  })

  test.each([
    ['blanks inside', `{"a": x${' '.repeat(1e6)}}`],
    ['quotes', `{"a":${'"'.repeat(1e6)}`],
    ['quotes and blanks', `{"a":"x${'" '.repeat(9000)}}`],
    ['backslashes', `{"a":"${'\\'.repeat(1e6)}`],
    ['fences', `${'`'.repeat(1e6)}{"a":1}`],
    ['brackets in front', `${'['.repeat(3900)}{"a":1}`],
    ['prose in front', `${'hello '.repeat(2e5)}{"a":1}`],
    ['assignments', 'a='.repeat(9000)],
  ])('a million %s are refused without a throw', (_, raw) => {
    expect(readArguments(raw).ok).toBe(false)
  })

  test.each([
    ['a whole number that a double would change', '{"a":12345678901234567890}', '12345678901234567890'],
    ['a number beyond all numbers', '{a:1e999}', '1e999'],
    ['a million digits', `{a:${'1'.repeat(1e6)}}`, '1'.repeat(1e6)],
  ])('%s is the text of its digits', (_, raw, text) => {
    const reading = readArguments(raw)
    expect(reading.ok && reading.value.a === text).toBe(true)
  })

  test('ten thousand members, a long text and lone surrogates are read unchanged', () => {
    for (const value of [
      Object.fromEntries(Array.from({ length: 1e4 }, (_, i) => [`k${i}`, i])),
      { body: 'é\u202e,:{}[]"\\\n'.repeat(1e5) },
      { a: '\ud800' },
    ]) {
      expect(readArguments(JSON.stringify(value))).toEqual({ ok: true, value, repairs: [] })
    }
  })

  test('as many values and levels as are allowed are read, also with as many commas', () => {
    const zeros = Array.from({ length: 19_999 }, () => 0)
    const long = 'x'.repeat(1e5)
    expect(read(`{"a":"${long}","b":[0,,${zeros.slice(2)},]}`)).toEqual([
      { a: long, b: zeros.slice(1) },
      'doubled_comma',
      'trailing_comma',
    ])
    const levels = (count: number) => `{"a":"${long}","b":${'['.repeat(count)}${']'.repeat(count)}}`
    expect(read(levels(63))).toEqual([JSON.parse(levels(63))])
    expect(read(levels(64))).toBe('too_large')
  })
})
