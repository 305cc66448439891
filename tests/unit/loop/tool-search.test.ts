import { expect, test } from 'vitest'
import { findTools } from '../../../shared/engine/tools/find-tools.ts'
import { toolsToFind } from '../../../shared/engine/tools/tool-search.ts'
import { mailTool, recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelServerRequest, say } from '../../../support/model-server.ts'
import { shippedTools } from '../../../support/shipped-tools.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

/** 500 tools of 600 characters each, which nobody asks for. */
const others = Array.from({ length: 500 }, (_, number) =>
  recordingTool({
    name: `crm_report_${number}`,
    description: `Makes report ${number} of the customer list. ${'It has columns and rows. '.repeat(20)}`,
    effect: 'read',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  }),
)
const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
const offered = ({ body }: ModelServerRequest) =>
  (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name)

test('definitions up to a share of the window are told at once', () => {
  const specifications = others.map(({ specification }) => specification)
  expect(toolsToFind(specifications.slice(0, 50), 128_000)).toEqual([])
  expect(toolsToFind(specifications, 1_000_000)).toEqual(specifications)
})

test('definitions up to a quarter of a small window are told at once', () => {
  const specifications = shippedTools().map(({ specification }) => specification)
  expect(toolsToFind(specifications, 32_768)).toEqual([])
  expect(toolsToFind(specifications, 16_384)).toEqual(specifications)
  expect(toolsToFind(specifications.slice(0, 1), 4096)).toEqual([])
})

test('up to 127 definitions are told at once, however short they are', () => {
  const short = Array.from({ length: 128 }, (_, number) => {
    const { specification } = recordingTool({
      name: `t${number}`,
      description: 'Reads.',
      effect: 'read',
      parameters: {},
    })
    return specification
  })
  expect(toolsToFind(short.slice(1), 128_000)).toEqual([])
  expect(toolsToFind(short, 128_000)).toEqual(short)
})

test('a search finds tools by the words of their names first, then by those of their descriptions', () => {
  const tools = [...others, mailTool({ description: 'Sends a message.' }), searchTool()].map(
    ({ specification }) => specification,
  )
  const find = (query: string) => findTools(query, tools).map(({ name }) => name)
  expect(find('send an email')[0]).toBe('send_email')
  expect(find('messages')).toEqual(['send_email'])
  expect(find('web search')[0]).toBe('web_search')
  expect(find('customers')).toHaveLength(8)
  expect(find('xylophone')).toEqual([])
})

plainAndStreamed('a model with more tools than fit its window', (stream) => {
  test('is told of the search alone, then of what it finds, also in the next turn', async () => {
    const send = mailTool({ description: 'Sends a message.', approval: 'never' })
    await using scenario = await startScenario({
      stream,
      tools: [...others, send],
      script: [
        callTool('search_tools', { query: 'send an email' }),
        callTool('send_email', mail),
        say('Sent.'),
        say('You are welcome.'),
      ],
    })
    const { transcript, toolsUsed } = await scenario.run()
    const [first, second, third] = scenario.requests.map(offered)
    expect(first).toEqual(['search_tools'])
    expect(second).toEqual(['send_email', 'search_tools'])
    expect(third).toEqual(second)
    expect(scenario.lastToolText(2)).toContain('Sends a message.')
    expect(send.runs).toEqual([mail])
    expect(toolsUsed.map(({ toolName, ok }) => [toolName, ok])).toEqual([
      ['search_tools', true],
      ['send_email', true],
    ])
    await scenario.run({ transcript, input: 'Thanks' })
    expect(scenario.requests.map(offered)[3]).toEqual(second)
  })

  test('is never told of more than a request may define, and keeps those that it found last', async () => {
    const words = (first: number) => Array.from({ length: 8 }, (_, index) => first + index)
    const searches = Array.from({ length: 20 }, (_, number) => words(100 + 8 * number))
    await using scenario = await startScenario({
      stream,
      tools: others,
      script: [
        callTools(searches.map((numbers) => ['search_tools', { query: numbers.join(' ') }])),
        say('That is a lot.'),
      ],
    })
    await scenario.run()
    const names = offered(scenario.requests[1] as ModelServerRequest)
    expect(names).toHaveLength(128)
    expect(names).toContain('search_tools')
    for (const number of searches.at(-1) ?? []) expect(names).toContain(`crm_report_${number}`)
    expect(names).not.toContain('crm_report_100')
  })

  test('that calls a tool it was not told of runs it, and a wrong name is corrected as always', async () => {
    const send = mailTool({ approval: 'never' })
    await using scenario = await startScenario({
      stream,
      tools: [...others, send],
      script: [callTool('send_mail', mail), callTool('send_email', mail), say('Sent.')],
    })
    await scenario.run()
    expect(scenario.lastToolText(2)).toContain('Did you mean send_email?')
    expect(offered(scenario.requests[1] as ModelServerRequest)).toEqual(['send_email', 'search_tools'])
    expect(send.runs).toEqual([mail])
  })

  test('has read nothing from outside when it has searched', async () => {
    const remove = recordingTool({
      name: 'delete_notes',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      approval: 'never',
      destructive: true,
    })
    await using scenario = await startScenario({
      stream,
      tools: [...others, remove],
      script: [
        callTool('search_tools', { query: 'delete notes' }),
        callTool('delete_notes', {}),
        say('Done.'),
      ],
    })
    expect((await scenario.run()).status).toBe('completed')
    expect(remove.runs).toHaveLength(1)
  })
})
