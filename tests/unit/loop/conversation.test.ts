import { expect, test } from 'vitest'
import type { ChatMessage, ModelClient } from '../../../shared/engine/models/protocol/model-client.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { healMessages } from '../../../shared/engine/transcript/heal-messages.ts'
import { mailTool, recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const call = (id: string, name = 'send_email') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: '{}' },
})
const assistant = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
})
const result = (id: string, content = '{"ok":true}'): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
})

function namesCalled(message: ChatMessage): string[] {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  return calls.flatMap((made) => (made.type === 'function' ? made.function.name : []))
}

test('a history with lost, doubled or orphaned tool messages is made whole', () => {
  const { turns } = healMessages([
    { role: 'user', content: 'Hi' },
    result('orphan'),
    assistant('a', 'b'),
    result('b', 'second'),
    result('b', 'doubled'),
    { role: 'user', content: 'And?' },
    assistant('a'),
    result('a', 'again'),
  ])
  expect(turns.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Hi'],
    ['assistant', null],
    ['tool', '{"ok":false,"error":"No result was recorded; whether it was carried out is not known."}'],
    ['tool', 'second'],
    ['assistant', '(interrupted)'],
    ['user', 'And?'],
    ['assistant', null],
    ['tool', 'again'],
  ])
})

test('an id that a provider used twice belongs to one call only', () => {
  const { turns } = healMessages([
    { role: 'user', content: 'Hi' },
    assistant('a', 'a'),
    result('a', 'first'),
    result('a', 'second'),
    assistant('a'),
    result('a', 'third'),
  ])
  const ids = turns.flatMap((turn) =>
    turn.role === 'assistant' ? (turn.tool_calls ?? []).map(({ id }) => id) : [],
  )
  expect(new Set(ids).size).toBe(3)
  const results = turns.flatMap((turn) => (turn.role === 'tool' ? [[turn.tool_call_id, turn.content]] : []))
  expect(results).toEqual([
    [ids[0], 'first'],
    [ids[1], 'second'],
    [ids[2], 'third'],
  ])
})

test('an assistant message with neither words nor calls is marked as none', () => {
  const { turns } = healMessages([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: ' ' },
    { role: 'assistant', content: null, tool_calls: [] },
    { role: 'assistant', content: 'Hello.' },
  ])
  expect(turns).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '(no answer)' },
    { role: 'assistant', content: '(no answer)' },
    { role: 'assistant', content: 'Hello.' },
  ])
})

plainAndStreamed('the conversation', (stream) => {
  test('a faulty history does not reach the provider as it is', async () => {
    await using scenario = await startScenario({ stream, tools: [mailTool()], script: [say('Hello.')] })
    const response = await scenario.run({ messages: [{ role: 'user', content: 'Hi' }, assistant('a')] })
    expect(response.status).toBe('completed')
  })

  test('broken arguments and names are kept out of the history, their readable part stays', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [
        callTool('send email!', '{"to": "ada@example.com", "subject": "Mee'),
        say('I will stop here.'),
      ],
    })
    const response = await scenario.run()
    const [message] = response.messages
    const written = message?.role === 'assistant' ? message.tool_calls?.[0] : undefined
    expect(written?.type === 'function' && written.function.name).toBe('send_email')
    expect(written?.type === 'function' && JSON.parse(written.function.arguments)).toEqual({
      to: 'ada@example.com',
    })
  })

  test('the history names each tool that was called as it is offered, however it is spelled', async () => {
    const tools = ['docs.search', 'docs_search', '検索', '翻訳', 'web_search'].map((name) =>
      searchTool({ name }),
    )
    const sent = ['docs_search_2', 'docs_search', '__', '___2', 'Web-Search'].map(
      (name) => [name, { query: name }] as const,
    )
    await using scenario = await startScenario({ stream, tools, script: [callTools(sent), say('Done.')] })
    const response = await scenario.run()
    expect(response.toolsUsed.map(({ ok, toolName }) => ok && toolName)).toEqual(
      tools.map(({ specification }) => specification.name),
    )
    const { messages, tools: offered = [] } = scenario.requests[1]?.body ?? { messages: [] }
    expect(messages.flatMap(namesCalled)).toEqual(
      offered.map((tool) => tool.type === 'function' && tool.function.name),
    )
  })

  test('a message that speaks and calls keeps its words', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: [callTool('web_search', { query: 'a' }, {}), say('Found.')].map((reply, index) =>
        index === 0 ? { ...reply, text: 'Let me look.' } : reply,
      ),
    })
    const response = await scenario.run()
    expect(response.messages.map(({ content }) => content)).toEqual([
      'Let me look.',
      '{"results":["About a"]}',
      'Found.',
    ])
  })

  test('a call written as text is a repair, and is said to be one', async () => {
    const text = '<tool_call>{"name": "web_search", "arguments": {"query": "a"}}</tool_call>'
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: [say(text), say('Found.')],
    })
    const response = await scenario.run()
    expect(response.toolsUsed[0]?.repairs).toEqual([{ path: '', rule: 'written-as-text' }])
  })

  test('what a provider wants back beside a call goes back to it', async () => {
    const search = searchTool()
    const asked: ChatMessage[][] = []
    const about = { finishReason: 'stop', hasChoice: true, provider: 'p', model: 'm' }
    const usage = { inputTokens: 1, outputTokens: 1 }
    const extraContent = { google: { thought_signature: 'c2ln' } }
    const model: ModelClient = {
      model: 'm',
      models: ['m'],
      complete: async ({ messages }) => {
        asked.push(messages)
        const toolCalls = [{ name: 'web_search', rawArguments: '{"query":"a"}', extraContent }]
        return asked.length === 1
          ? { ...about, usage, text: '', toolCalls }
          : { ...about, usage, text: 'Found.', toolCalls: [] }
      },
    }
    await using scenario = await startScenario({ stream, tools: [search], script: [] })
    await scenario.run({ model })
    const written = asked[1]?.find(({ role }) => role === 'assistant')
    expect(written).toMatchObject({ tool_calls: [{ extra_content: extraContent }] })
  })

  test('our ids are the same in events, tools used, ledger and messages', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: [
        callTools([
          ['web_search', { query: 'a' }],
          ['web_search', { query: 'b' }],
        ]),
        say('Found.'),
      ],
    })
    const response = await scenario.run()
    const used = response.toolsUsed.map(({ toolCallId }) => toolCallId)
    expect(used.every((id) => /^[0-9a-zA-Z]{9}$/.test(id))).toBe(true)
    const [message] = response.messages
    expect(message?.role === 'assistant' && message.tool_calls?.map(({ id }) => id)).toEqual(used)
    expect(scenario.ledger.rows.map(({ invocation }) => invocation.toolCallId)).toEqual(used)
    const ids = (type: string) =>
      scenario.events.flatMap((event) =>
        event.type === type && 'toolCallId' in event ? [event.toolCallId] : [],
      )
    expect(ids('call')).toEqual(used)
    if (stream) expect(ids('input-start')).toEqual(used)
  })

  test('events come in the order of what happens', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: [callTool('web_search', { query: 'a' }), say('Found it.')],
    })
    await scenario.run()
    const types = scenario.events.map(({ type }) => type)
    expect(types.filter((type) => !type.startsWith('input-') && type !== 'text-delta')).toEqual([
      'user-message',
      'run-start',
      'step-start',
      'call',
      'step-end',
      'result',
      'step-start',
      'model-text',
      'step-end',
      'run-end',
    ])
    const text = scenario.events
      .flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
      .join('')
    expect(text).toBe(stream ? 'Found it.' : '')
  })
})

plainAndStreamed('a request', (stream) => {
  test('begins with the whole one before it, also in later turns, an hour later and in another time zone', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool(), mailTool()],
      script: [callTool('web_search', { query: 'a' }), say('Found.'), say('Fine.'), say('Good bye.')],
    })
    const wrote = async (input: string, timezone: string, transcript: Entry[]) => {
      const context = { user: { name: 'Ada', timezone } }
      const response = await scenario.run({ input, context, transcript })
      scenario.clock.advance(3_600_000)
      return [...transcript, ...response.transcript]
    }
    let transcript = await wrote('Look for it.', 'Europe/Berlin', [])
    transcript = await wrote('Thank you.', 'Europe/Berlin', transcript)
    await wrote('I am in Tokyo.', 'Asia/Tokyo', transcript)
    const requests = scenario.requests.map(({ body }) => body.messages)
    expect(requests).toHaveLength(4)
    for (const [index, before] of requests.slice(0, -1).entries())
      expect(requests[index + 1]?.slice(0, before.length)).toEqual(before)
    const told = requests.at(-1)?.flatMap(({ role, content }) => (role === 'user' ? [content] : []))
    expect(told).toEqual([
      '(Not from the user: it is 2026-11-21T10:00Z, for the user Saturday, 2026-11-21 11:00, time zone Europe/Berlin.)\n\nLook for it.',
      '(Not from the user: it is 2026-11-21T11:00Z, for the user Saturday, 2026-11-21 12:00, time zone Europe/Berlin.)\n\nThank you.',
      '(Not from the user: it is 2026-11-21T12:00Z, for the user Saturday, 2026-11-21 21:00, time zone Asia/Tokyo.)\n\nI am in Tokyo.',
    ])
  })

  test('tells the time to the model alone: no other program reads it, and it is nobody’s word', async () => {
    const book = recordingTool({
      name: 'book_room',
      approval: 'never',
      parameters: {
        type: 'object',
        properties: { day: { type: 'string', source: 'conversation' } },
        required: ['day'],
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [book],
      script: [say('When?'), callTool('book_room', { day: '2026-11-21' })],
    })
    const first = await scenario.run({ input: 'Book a room.' })
    expect(JSON.stringify(first.messages)).not.toContain('it is 2026')
    const second = await scenario.run({ input: 'You know.', transcript: first.transcript })
    expect(second.status).toBe('needs_input')
    expect(book.runs).toEqual([])
  })
})
