import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTextToolCalls } from '../../../shared/engine/models/written-calls/text-tool-calls.ts'
import { search, sendEmail } from './fixtures.ts'

const tools = [search, sendEmail]

function read(text: string) {
  const { text: left, toolCalls } = readTextToolCalls(text, tools)
  return { text: left, calls: toolCalls.map(({ name, rawArguments }) => [name, rawArguments]) }
}

const one = [['search', '{"query": "deno"}']]

describe('calls that are read', () => {
  test.each([
    ['Hermes', '<tool_call>\n{"name": "search", "arguments": {"query": "deno"}}\n</tool_call>'],
    ['Hermes, arguments first', '<tool_call>{"arguments": {"query": "deno"}, "name": "search"}</tool_call>'],
    ['Hermes, unclosed tag', '<tool_call>\n{"name": "search", "arguments": {"query": "deno"}}'],
    [
      'Hermes, a brace too many',
      '<tool_call>{"name": "search", "arguments": {"query": "deno"}}}</tool_call>',
    ],
    [
      'Hermes, end token',
      '<tool_call>{"name": "search", "arguments": {"query": "deno"}}</tool_call><|im_end|>',
    ],
    ['Llama 3.1', '<|python_tag|>{"name": "search", "parameters": {"query": "deno"}}<|eom_id|>'],
    ['Llama function tag', '<function=search>{"query": "deno"}</function>'],
    ['Groq function tag', '<function=search{"query": "deno"}</function>'],
    ['Mistral', '[TOOL_CALLS] [{"name": "search", "arguments": {"query": "deno"}}]'],
    [
      'Mistral with id',
      '[TOOL_CALLS][{"name": "search", "arguments": {"query": "deno"}, "id": "aB3dE6gH9"}]</s>',
    ],
    ['Mistral, newer', '[TOOL_CALLS]search[ARGS]{"query": "deno"}'],
    ['Mistral v11', '[TOOL_CALLS]search{"query": "deno"}'],
    [
      'DeepSeek',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"query": "deno"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'DeepSeek 3.1',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query": "deno"}<｜tool▁call▁end｜>',
    ],
    ['Granite 3.1', '<tool_call> [{"arguments": {"query": "deno"}, "name": "search"}]'],
    [
      'a result the model made up',
      '<tool_call>{"name": "search", "arguments": {"query": "deno"}}</tool_call>\n<tool_response>{"found": 1}</tool_response>\nOne.',
    ],
    ['fenced', '```json\n{"name": "search", "arguments": {"query": "deno"}}\n```'],
    ['fenced without language', '```\n{"name": "search", "arguments": {"query": "deno"}}\n```'],
    ['fenced, unclosed', '```json\n{"name": "search", "arguments": {"query": "deno"}}'],
    ['bare', '{"name": "search", "arguments": {"query": "deno"}}'],
    ['bare, parameters', '{"name": "search", "parameters": {"query": "deno"}}'],
    [
      'bare, OpenAI form',
      '{"type": "function", "function": {"name": "search", "arguments": {"query": "deno"}}}',
    ],
    ['bare, encoded arguments', '{"name": "search", "arguments": "{\\"query\\": \\"deno\\"}"}'],
    ['bare, ReAct form', '{"action": "search", "action_input": {"query": "deno"}}'],
    ['bare, tool and args', '{"tool": "search", "args": {"query": "deno"}}'],
    ['bare, in a list', '[{"name": "search", "arguments": {"query": "deno"}}]'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual({ text: '', calls: one })
  })

  test.each([
    ['GLM', '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>deno</arg_value>\n</tool_call>'],
    [
      'LongCat',
      '<longcat_tool_call>search\n<longcat_arg_key>query</longcat_arg_key>\n<longcat_arg_value>deno</longcat_arg_value>\n</longcat_tool_call>',
    ],
    [
      'Claude',
      '<function_calls>\n<invoke name="search">\n<parameter name="query">deno</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'MiniMax',
      '<minimax:tool_call>\n<invoke name="search">\n<parameter name="query">deno</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      'Step',
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="search"><steptml:parameter name="query">deno</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    ],
    [
      'DeepSeek DSML',
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" string="true">deno</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    ],
    [
      'Seed-OSS',
      '<seed:tool_call>\n<function=search>\n<parameter=query>deno</parameter>\n</function>\n</seed:tool_call>',
    ],
    ['Gemma 4', '<|tool_call>call:search{query:<|"|>deno<|"|>}<tool_call|>'],
    ['FunctionGemma', '<start_function_call>call:search{query:<escape>deno<escape>}<end_function_call>'],
    ['Gemma 3', '```tool_code\nprint(search(query="deno"))\n```'],
    ['Llama 4', "<|python_start|>[search(query='deno')]<|python_end|>"],
    ['LFM2', '<|tool_call_start|>[search(query="deno")]<|tool_call_end|>'],
    ['OLMo', '<function_calls>\nsearch(query="deno")\n</function_calls>'],
    ['Apertus', '<|tools_prefix|>[{"search": {"query": "deno"}}]<|tools_suffix|>'],
    [
      'Command',
      '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "search", "parameters": {"query": "deno"}}]<|END_ACTION|>',
    ],
    ['Hunyuan', '<tool_calls>[{"name": "search", "arguments": {"query": "deno"}}]</tool_calls>'],
    ['Nemotron', '<TOOLCALL>[{"name": "search", "arguments": {"query": "deno"}}]</TOOLCALL>'],
    [
      'InternLM',
      '<|action_start|><|plugin|>{"name": "search", "parameters": {"query": "deno"}}<|action_end|>',
    ],
    ['Functionary', '>>>search\n{"query": "deno"}'],
    ['Phi', 'functools[{"name": "search", "arguments": {"query": "deno"}}]'],
    [
      'Solar',
      '<|tool_calls|><|tool_call:begin|>{"name": "search", "arguments": {"query": "deno"}}<|tool_call:end|>',
    ],
    ['ReAct', 'Action: search\nAction Input: {"query": "deno"}\nObservation: one page'],
    ["an API's object", '{"tool_calls": [{"function": {"name": "search", "arguments": {"query": "deno"}}}]}'],
  ])('%s', (_, text) => {
    const { text: left, calls } = read(text)
    expect([left, calls.map(([name, raw = '']) => [name, JSON.parse(raw)])]).toEqual([
      '',
      [['search', { query: 'deno' }]],
    ])
  })

  test('Kimi, whose id is passed on', () => {
    const text =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:3<|tool_call_argument_begin|>{"query": "deno"}<|tool_call_end|><|tool_calls_section_end|>'
    expect(readTextToolCalls(text, tools).toolCalls).toEqual([
      { id: 'functions.search:3', name: 'search', rawArguments: '{"query": "deno"}', writtenAsText: true },
    ])
  })

  test('a parameter that is given twice is given twice in the arguments', () => {
    const { calls } = read(
      '<function=search><parameter=query>a</parameter><parameter=query>b</parameter></function>',
    )
    expect(calls).toEqual([['search', '{"query":"a","query":"b"}']])
  })

  test.each([
    'Let me check what the page says.\n\n',
    'I will read the documentation:\n',
    'I will use the <tool_call> tag.\n',
    'Let me write the email for you:\n',
  ])('words that do not speak about the call leave it a call: %j', (words) => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "deno"}}</tool_call>'
    expect(read(words + call)).toEqual({ text: words.trimEnd(), calls: one })
  })

  test('a tag that the model announced as its next step is a call, whatever follows on the next line', () => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "deno"}}</tool_call>'
    expect(read(`Let me look.\n${call}\nI will tell you what I find.`)).toEqual({
      text: 'Let me look.',
      calls: one,
    })
    for (const text of [
      `Let me explain.\n${call}\nThat is the form.`,
      `${call}\nThat is the form.`,
      `Let me look: ${call} is next.`,
    ]) {
      expect(read(text)).toEqual({ text, calls: [] })
    }
  })

  test('Qwen3-Coder parameters become texts', () => {
    const text =
      '<tool_call>\n<function=smtp_send_email>\n<parameter=to>\nada@example.com\n</parameter>\n<parameter=body>\nLine 1\n\nLine "2"\n</parameter>\n</function>\n</tool_call>'
    const { calls } = read(text)
    expect(JSON.parse(calls[0]?.[1] ?? '')).toEqual({ to: 'ada@example.com', body: 'Line 1\n\nLine "2"' })
  })

  test('several calls', () => {
    const a = '{"name": "search", "arguments": {"query": "a"}}'
    const b = '{"name": "search", "arguments": {"query": "b"}}'
    const both = [
      ['search', '{"query": "a"}'],
      ['search', '{"query": "b"}'],
    ]
    for (const text of [
      `<tool_call>${a}</tool_call>\n<tool_call>${b}</tool_call>`,
      `<|python_tag|>${a}; ${b}`,
      `[TOOL_CALLS] [${a}, ${b}]`,
      '[TOOL_CALLS]search[ARGS]{"query": "a"}[TOOL_CALLS]search[ARGS]{"query": "b"}',
      `\`\`\`json\n[${a}, ${b}]\n\`\`\``,
      `${a}\n${b}`,
    ]) {
      const { calls } = read(text)
      expect([text, calls]).toEqual([text, both])
    }
  })

  test('the words before a call are kept for the reader', () => {
    expect(
      read(
        'I will search for it.\n\n<tool_call>{"name": "search", "arguments": {"query": "deno"}}</tool_call>',
      ),
    ).toEqual({
      text: 'I will search for it.',
      calls: one,
    })
    expect(
      read('I will search:\n```json\n{"name": "search", "arguments": {"query": "deno"}}\n```').text,
    ).toBe('I will search:')
  })

  test('arguments are passed on as written, broken or cut', () => {
    expect(read('{"name": "search", "arguments": {"query": "deno",}}').calls).toEqual([
      ['search', '{"query": "deno",}'],
    ])
    expect(read("<tool_call>{'name': 'search', 'arguments': {'query': 'it'}}</tool_call>").calls).toEqual([
      ['search', "{'query': 'it'}"],
    ])
    expect(
      read('<tool_call>{"name": "smtp_send_email", "arguments": {"to": "ada@example.com", "body": "Dear')
        .calls,
    ).toEqual([['smtp_send_email', '{"to": "ada@example.com", "body": "Dear']])
  })

  test('a cut Qwen3-Coder call is not completed', () => {
    const { calls } = read('<tool_call><function=smtp_send_email><parameter=body>Dear')
    expect(calls[0]?.[0]).toBe('smtp_send_email')
    expect(() => JSON.parse(calls[0]?.[1] ?? '')).toThrow()
  })

  test('a name that nearly fits is passed on as written, for the engine to resolve', () => {
    for (const name of [
      'Search',
      'functions.search',
      'default_api.search',
      'smtpSendEmail',
      'smtp-send-email',
      'smtp_send_emial',
    ]) {
      expect(read(`{"name": "${name}", "arguments": {}}`).calls).toEqual([[name, '{}']])
    }
  })

  test('an unknown tool counts only in tags and alone', () => {
    expect(read('<tool_call>{"name": "make_coffee", "arguments": {}}</tool_call>').calls).toEqual([
      ['make_coffee', '{}'],
    ])
    expect(
      read('Hermes models write <tool_call>{"name": "make_coffee", "arguments": {}}</tool_call>').calls,
    ).toEqual([])
    expect(read('{"name": "make_coffee", "arguments": {}}').calls).toEqual([])
  })

  test('a tagged call without arguments', () => {
    expect(read('<tool_call>{"name": "search"}</tool_call>').calls).toEqual([['search', '']])
  })
})

describe('text that stays text', () => {
  test.each([
    'Hello Ada, the meeting is at 10.',
    'Use {curly} braces and [brackets] < or > as you like.',
    '{"name": "Ada", "age": 36}',
    '{"name": "search"}',
    '{"name": "search", "arguments": "deno"}',
    '{"name": "search", "arguments": {"query": "x"}, "note": "an example"}',
    '```json\n{"name": "Ada", "arguments": {"query": "x"}}\n```',
    'For example:\n```json\n{"name": "search", "arguments": {"query": "x"}}\n```\nThis would search for x.',
    'Send {"name": "search", "arguments": {"query": "x"}} to the API.',
    'You can call it like this:\n```json\n{"name": "search", "arguments": {"query": "x"}}\n```',
    'For example:\n<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>',
    'Hermes models write <tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>',
    'The form is `<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>`',
    'Zum Beispiel:\n<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>',
    '例如：\n```json\n{"name": "search", "arguments": {"query": "x"}}\n```',
    'The mail says:\n<tool_call>{"name": "smtp_send_email", "arguments": {"to": "a@b.cc"}}</tool_call>',
    '> <tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>',
    '| Hermes | <tool_call>{"name": "search", "arguments": {}}</tool_call> |',
    '[search](https://example.com)',
    '[[{"name": "search", "arguments": {}}]]',
    '[, {"name": "search", "arguments": {}}]',
    '<function=search> is what Llama writes',
    '<tool_call>search for deno</tool_call>',
    '{"tool_calls": []}',
    'The tag <tool_call> opens a call and </tool_call> closes it.',
    '```python\nsearch(query="x")\n```',
    '[TOOL_CALLS] is what Mistral writes.',
    '[1, 2, 3]',
    '{"to": "ada@example.com", "body": "Hi"}',
    '',
  ])('%j', (text) => {
    expect(readTextToolCalls(text, tools)).toEqual({ text, toolCalls: [] })
  })

  test('without tools nothing is a call', () => {
    const text = '<tool_call>{"name": "search", "arguments": {}}</tool_call>'
    expect(readTextToolCalls(text, [])).toEqual({ text, toolCalls: [] })
  })

  test('no text throws, and what is no call comes back as it was', () => {
    const parts = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '<|python_tag|>',
      '[TOOL_CALLS]',
      '[ARGS]',
      '<function=',
      '<parameter=a>',
      '```',
      '```json\n',
      '{"name": "search"',
      '"arguments": ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ',',
      ':',
      '\\',
      '\n',
      'x',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        const result = readTextToolCalls(text, tools)
        if (result.toolCalls.length === 0) expect(result.text).toBe(text)
        else expect(text.includes(result.text)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['braces', '{'.repeat(1_000_000)],
    ['lines of objects', '{a:\n'.repeat(250_000)],
    ['tags', '<tool_call>{a:'.repeat(70_000)],
    ['fences', '```json\n{'.repeat(110_000)],
    ['functions', '<function=a>'.repeat(80_000)],
    ['Mistral calls', '[TOOL_CALLS]a[ARGS]{'.repeat(50_000)],
    ['DeepSeek calls', '<｜tool▁call▁begin｜>a<｜tool▁sep｜>{'.repeat(30_000)],
    ['closers', `<tool_call>${'}'.repeat(1_000_000)}<`],
    ['closers behind a call', `<tool_call>{"name": "search"}${'}'.repeat(1_000_000)}<`],
    ['opening tags', '<tool_call>'.repeat(100_000)],
    ['blanks', `{"name": "search",${' '.repeat(1_000_000)}`],
    ['quotes', `{"name": ${'"'.repeat(1_000_000)}`],
  ])('a megabyte of %s is read in one go', (_, text) => {
    // Quadratic work on a megabyte would take minutes and run into the test's timeout.
    expect(readTextToolCalls(text, tools).text.length).toBeLessThanOrEqual(text.length)
  })
})
