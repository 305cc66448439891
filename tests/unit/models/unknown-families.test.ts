import { describe, expect, test } from 'vitest'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { judgeStatement } from '../../../shared/engine/models/written-calls/call-statement.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import { runSettings } from '../../../support/agent-scenario.ts'

/** What an agent makes of a model that first writes this text, streamed in pieces, and then "Done." */
async function run(
  text: string,
  { input = 'Look it up.', model = 'unknown', results = 'found', again = '' } = {},
) {
  const ran: unknown[] = []
  const requests: { messages: { role: string; content: unknown }[] }[] = []
  const search = defineTool({
    name: 'search',
    description: 'Searches.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    effect: 'read',
    execute: async (given) => {
      ran.push(given)
      return { ok: true, data: results }
    },
  })
  let shown = ''
  let seen = ''
  const answers = [text, ...(again === '' ? [] : [again]), 'Done.']
  const client = createModelClient({
    baseURL: 'https://models.example/v1',
    apiKey: 'sk-test-0123456789',
    model,
    fetch: async (_url, init) => {
      requests.push(JSON.parse(String(init?.body)))
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? ''
      const pieces = answer.match(/[\s\S]{1,5}/gu) ?? []
      const events = pieces.map((content) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] }))
      const end = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
      return new Response([...events, end].map((one) => `data: ${one}\n\n`).join(''), {
        headers: { 'content-type': 'text/event-stream' },
      })
    },
  })
  const response = await runAgent({
    ...runSettings({ tools: [search], model: client }),
    input,
    stream: true,
    onEvent: (event) => {
      if (event.type === 'text-delta') shown += event.delta
      if (event.type === 'text-delta') seen += event.delta
      if (event.type === 'restart') shown = ''
    },
  })
  const said = requests.at(-1)?.messages.filter(({ role }) => role === 'assistant') ?? []
  const history = said.map(({ content }) => content).join('\n')
  return { ran, shown, seen, history, asked: requests.length, response }
}

/** Forms that no row of the table has; `x` is what would be looked up. */
const forms: Record<string, string> = {
  'tokens around JSON': '<|begin_call|>{"name": "search", "arguments": {"query": "x"}}<|finish_call|>',
  'tokens around other JSON': '<|fn|>{"op": "search", "with": {"query": "x"}}<|/fn|>',
  'tokens between the parts': '<|tool|>search<|sep|>query<|is|>x<|tool_end|>',
  'wide bars': '<｜invoke▁begin｜>search<｜arg｜>query=x<｜invoke▁end｜>',
  'half tokens': '<|do_call>search(x)<do_call|>',
  brackets: '[CALL_TOOL]search: x[/CALL_TOOL]',
  'brackets around JSON': '[FUNCTION_CALL]{"fn": "search", "kw": {"query": "x"}}[/FUNCTION_CALL]',
  'tags with a namespace':
    '<acme:call_tool><acme:target>search</acme:target><acme:query>x</acme:query></acme:call_tool>',
  'a tag of the tool': '<search><query>x</query></search>',
  'a tag that names it': '<use_tool name="search" query="x"/>',
  'a tag with another attribute': '<do tool="search">{"query": "x"}</do>',
  'tags around YAML': '<tool_use>\nname: search\nargs:\n  query: x\n</tool_use>',
  'JSON under other keys': '{"plugin": "search", "payload": {"query": "x"}}',
  'JSON deep down': '{"tool_step": {"next": {"tool_to_use": "search", "with_args": {"query": "x"}}}}',
  'a list in a list': '[[{"function": "search", "parameters": {"query": "x"}}]]',
  'a fence': '```json\n{"use_tool": "search", "inputs": {"query": "x"}}\n```',
  'Python that is cut': '[search(query="x',
  'Python with a place': '[search("x")]',
  'a keyword': 'search(query: x)',
  'a mark after words': 'I will look.\n<|call_function|>search|x<|end_function|>',
  channels: '<|chan|>tool search<|msg|>{"query": "x"}<|stop|>',
  'a recipient': '<|to=search|>{"query": "x"}<|done|>',
  'DSML of another kind': '<｜DSML｜call to="search">{"query": "x"}</｜DSML｜call>',
  'doubled signs': '<<CALL search query="x">>',
  'tripled signs': '<<<search query=x>>>',
  'braces and bars': '{{search|query=x}}',
  'other doubled signs': '§§tool:search§§{"query":"x"}§§end§§',
  'percent signs': '%%FUNCTION search {"query": "x"}%%',
  'doubled brackets': '[[CALL:search]]{"query": "x"}[[/CALL]]',
  'a bracket in words': '[INVOKE search WITH {"query": "x"}]',
  'the tool in brackets': '[search]{"query": "x"}[/search]',
  'a bot command': '!call search {"query": "x"}',
  'code of a program': 'await tools.search({ query: "x" });',
  'bars of another language': '<xtool|call>search<xtool|arg>x</xtool|call>',
  'a tag for a line': '@tool search\nquery: x',
  'after words': 'I will look it up.\n\n@run search\n  query x',
  'within a line': 'I will look it up. @tool search query="x"',
  Lisp: '(search :query "x")',
  'nested lists': '(call "search" (query "x"))',
  'a fence for a call': '```tool_call\nname: search\nquery: x\n```',
  'a fence of its own': '```call\nsearch\nquery: x\n```',
  'rare brackets': '‹⟦tool⟧>search‹⟦args⟧>query=x‹⟦end⟧>',
  'lenticular brackets': '【search】{"query": "x"}【/search】',
  YAML: '---\ntool: search\ninput:\n  query: x\n---',
  'a section': '[tool.search]\nquery = "x"',
  'a command line': '$ search --query x',
  'an address': 'tool://search?query=x',
  'a heading': '### Tool call: search\n- query: x',
  'an instruction of XML': '<?tool search query="x"?>',
  'a comment': '<!-- tool: search {"query": "x"} -->',
  SQL: "CALL search(query := 'x');",
  'Chinese labels': '工具：search\n参数：{"query": "x"}',
  'an arrow': 'assistant -> search: {"query": "x"}',
  'private characters': '\uE200call\uE202search\uE202query=x\uE201',
  'an assignment': 'result = search("x")',
  'a declaration': 'const hits = await search({ query: "x" });',
  'an assignment of another language': '$hits := search(query: "x")',
  'an assignment after words': 'I will look it up.\n\nhits = search("x")',
  'an assignment with a type': 'let hits: Pages = search("x");',
  'an assignment with an arrow': 'hits <- search("x")',
  'an assignment without brackets': '$hits = search -query x',
  'JSON-RPC': '{"jsonrpc": "2.0", "method": "search", "params": {"query": "x"}, "id": 1}',
  'a request': 'POST /tools/search HTTP/1.1\nContent-Type: application/json\n\n{"query": "x"}',
  'a command of a shell': `curl -X POST https://tools.local/search -d '{"query": "x"}'`,
  'a request of a program':
    'await fetch("https://tools.local/search", { method: "POST", body: JSON.stringify({"query": "x"}) });',
  'a cut call': '<tool_call>\n{"name": "search", "arguments": {"query": "x',
}

const machine = /<[|｜\w]|[|｜]>|search|query|\[[A-Z]|\{"/

describe('a call in a form that nobody knows', () => {
  test.each(Object.entries(forms))(
    '%s: carried out or asked for again, and never an answer',
    async (_, text) => {
      const { ran, seen, history, asked, response } = await run(text)
      for (const words of [seen, history, response.text]) expect(words).not.toMatch(machine)
      expect(asked).toBeGreaterThan(1)
      expect(ran.length <= 1).toBe(true)
      expect(response).toMatchObject({ status: 'completed', text: 'Done.' })
    },
  )
})

test('a tool before its first value is named, not assigned to', () => {
  const tool = {
    name: 'get_page',
    description: '',
    parameters: { properties: { id: {} } },
    effect: 'read' as const,
  }
  expect(judgeStatement('get_page id=five', [tool], true)).toEqual({ verdict: 'call', isStrange: true })
})

describe('thoughts in a form that nobody knows', () => {
  test.each([
    '<|begin_of_reasoning|>SECRET<|end_of_reasoning|>Hello!',
    '<|START_REFLECTION|>SECRET<|END_REFLECTION|>Hello!',
    '<acme:thinking>SECRET</acme:thinking>\nHello!',
    '<inner_monologue>SECRET</inner_monologue>Hello!',
    '[REASONING]SECRET[/REASONING]Hello!',
    'SECRET\n</reasoning>\nHello!',
    'SECRET<|end_of_thought|>Hello!',
    '<｜think▁begin｜>SECRET<｜think▁end｜>Hello!',
    '<scratchpad>SECRET</scratchpad>\n\nHello!',
    '<think>a</think><thought>SECRET</thought>Hello!',
    'Hello!<think>SECRET</think>',
    '{{think}}SECRET{{/think}}\nHello!',
    '[thinking]SECRET[/thinking]\nHello!',
    '⟦reasoning⟧SECRET⟦/reasoning⟧\nHello!',
  ])('%j', async (text) => {
    const { shown, response, history } = await run(text)
    for (const words of [shown, response.text, history]) expect(words).not.toMatch(/SECRET/)
    expect(response.text).toBe('Hello!')
    expect(response.transcript.some((entry) => entry.type === 'thought' && /SECRET/.test(entry.text))).toBe(
      true,
    )
  })

  test('a call within thoughts is not carried out', async () => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>'
    for (const text of [`<think>I could ${call}</think>Hello!`, `I could ${call}\n</think>\nHello!`]) {
      const { ran, response } = await run(text)
      expect(ran).toEqual([])
      expect(response.text).toBe('Hello!')
    }
  })
})

describe('words about markup stay words', () => {
  test.each([
    'Qwen writes <|im_start|> before each message.',
    'Its thoughts stand between `<think>` and `</think>`.',
    'The tag </think> ends them.',
    'The result = search plus a word: that is all.',
    'hits = search for cats and dogs',
    'hits = the pages that search finds',
    'query = "x" means that the word is looked for.',
    'The line is `hits = search("cats")`.',
    'x = 5\ny = search\nz = search + 1',
    'See https://example.com/search?query=cats, or https://example.com/search for all of them.',
    'I sent {"query": "cats"} to /search, and it found nothing.',
    'The page /search answers with {"pages": 3}',
    'Use the <tool_call> tag, not [TOOL_CALLS] as Mistral does.',
    'In HTML, <b>bold</b> and <button onclick="go()">search</button> are elements.',
    '```html\n<form action="/search"><input name="query"></form>\n```\nThat is the form.',
    '```js\nconst results = await search({ query })\n```',
    'You can search (see the manual) or ask me.',
    'search: a tool that looks things up.\nIt takes a query.',
    '{"city": "Paris", "name": "search"}',
    '[search](https://example.com) is a link, [1] a note.',
    'Here is my thought process: first the price, then the date.',
    'The array is [1, 2, 3], the set {a, b}.',
    'I can:\n\n- search: looks things up; query: what to look for, in your own words\n- write',
    'search(query: string, limit?: number): Page[]',
    '@search is taken, @query is free.',
    'Run `$ search --query cats` in a terminal.',
    '> search the city\n> query the unit',
    'to: ada@example.com\nquery: When do we meet?',
    'Call me when the search is over. Query: which one?',
    '⟨x, y⟩ is an inner product, ⟦search⟧ the meaning of a word.',
    '{{thinker}} is a template.',
    '「search」は検索という意味です。query は検索語です。',
    'Инструмент search: поиск. Параметр query — что искать.',
  ])('%j', async (text) => {
    const { ran, response, asked } = await run(text)
    expect(ran).toEqual([])
    expect(response.text).toBe(text)
    expect(asked).toBe(1)
  })

  test.each([
    ['Give me an example of a call in Lisp', '(search :query "x")'],
    ['Wie sieht ein Aufruf aus? Ein Beispiel bitte', '@tool search\nquery: x'],
    ['工具怎么用？', '工具：search\n参数：query=x'],
    ['How would I call search_pages from Python?', '```python\nsearch(query="x")\n```'],
  ])('and so does what the user asked for: %j', async (input, text) => {
    const { response, asked } = await run(text, { input })
    expect(response.text).toBe(text)
    expect(asked).toBe(1)
  })

  test('after our own note that a call could not be read, another one is none either', async () => {
    const { seen, asked, response } = await run('@tool search\nquery: x', { again: '(search :query "x")' })
    expect(seen).not.toMatch(machine)
    expect(asked).toBe(3)
    expect(response.text).toBe('Done.')
  })

  test('what stands word for word in the message is a quotation', async () => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "everything"}}</tool_call>'
    const { ran, response } = await run(`It says:\n${call}`, { input: `What does this mean?\n${call}` })
    expect(ran).toEqual([])
    expect(response.text).toContain('search')
  })
})
