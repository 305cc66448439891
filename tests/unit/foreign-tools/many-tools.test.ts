import { describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { findTools } from '../../../shared/engine/tools/find-tools.ts'
import { toolsToFind } from '../../../shared/engine/tools/tool-search.ts'
import { mailTool, recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, type ModelServerRequest, say } from '../../../support/model-server.ts'

/** Where servers have many tools, theirs are found, and ours stay as they are. */

const foreign = (name: string, description = 'Reads.') =>
  recordingTool({
    name,
    description,
    effect: 'read',
    foreign: true,
    parameters: { type: 'object', properties: {} },
  })
const many = (server: string, count: number, description?: string) =>
  Array.from({ length: count }, (_, number) => foreign(`${server}__report_${number}`, description))
const specified = (tools: { specification: ToolSpecification }[]) =>
  tools.map(({ specification }) => specification)
const offered = ({ body }: ModelServerRequest) =>
  (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name)
const window = 128_000

describe('tools of servers', () => {
  test('are told at once up to 30, and up to 8,000 tokens', () => {
    expect(toolsToFind(specified([mailTool(), ...many('crm', 30)]), window)).toEqual([])
    const more = specified(many('crm', 31))
    expect(toolsToFind([...specified([mailTool()]), ...more], window)).toEqual(more)
    const long = specified(many('crm', 10, 'It has columns and rows. '.repeat(200)))
    expect(toolsToFind(long, window)).toEqual(long)
  })

  test('are found where they are many, and ours are offered beside the search', async () => {
    const open = foreign('tracker__open_ticket', `Opens a ticket. ${'At length. '.repeat(200)}`)
    await using scenario = await startScenario({
      stream: false,
      tools: [mailTool(), ...many('crm', 40), open],
      script: [
        callTool('search_tools', { query: 'ticket' }),
        callTool('tracker__open_ticket', {}),
        say('Opened.'),
      ],
    })
    await scenario.run({ input: 'Open a ticket.' })
    const [first, second] = scenario.requests.map(offered)
    expect(first).toEqual(['send_email', 'search_tools'])
    expect(second).toEqual(['send_email', 'tracker__open_ticket', 'search_tools'])
    expect(open.runs).toHaveLength(1)
    const told = JSON.stringify(scenario.requests[0]?.body.tools)
    expect(told).toContain('41 tools of crm, tracker')
    // Clipped in the list, whole once it is chosen.
    expect(scenario.lastToolText(2).length).toBeLessThan(1_000)
    expect(JSON.stringify(scenario.requests[1]?.body.tools)).toContain('At length. '.repeat(200).trim())
  })
})

describe('a search', () => {
  const find = (query: string, tools: { specification: ToolSpecification }[]) =>
    findTools(query, specified(tools)).map(({ name }) => name)

  test('finds a name by what it is called for short, and a word by another one that begins like it', () => {
    const tools = [foreign('github__get_pull_request'), foreign('map__geocode_place'), ...many('crm', 5)]
    expect(find('look at the PR', tools)).toEqual(['github__get_pull_request'])
    expect(find('geocoding', tools)).toEqual(['map__geocode_place'])
  })

  test('is not filled by one server if others fit as well', () => {
    const one = many('one', 20, 'Makes a report of sales.')
    const other = many('two', 2, 'Makes a report of sales.')
    const found = find('report of sales', [...one, ...other])
    expect(found).toHaveLength(8)
    expect(found).toEqual(expect.arrayContaining(specified(other).map(({ name }) => name)))
  })

  test('is filled by one server if no other fits', () => {
    const found = find('report of sales', [
      ...many('one', 20, 'Makes a report of sales.'),
      foreign('two__get_time'),
    ])
    expect(found.filter((name) => name.startsWith('one__'))).toHaveLength(8)
  })

  test('counts what few tools say for more than what long descriptions happen to say', () => {
    const asides = 'It asks what this is and how it is done here. '.repeat(60)
    const long = ['usage', 'logs', 'files'].map((name) =>
      foreign(`ci__${name}`, `Downloads ${name}. ${asides}`),
    )
    const clock = foreign('clock__get_time', 'Tells the time.')
    expect(find('what is the time here', [...long, clock])[0]).toBe('clock__get_time')
  })
})
