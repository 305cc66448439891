import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeTools } from '../../../supabase/functions/chat/turn/catalogue.ts'
import { describeServers } from '../../../supabase/functions/chat/turn/servers.ts'

/** The servers of a turn: read once for each version, and never in place of a tool of ours. */

const catalogue = {
  version: randomUUID(),
  providers: [],
  tools: [
    {
      name: 'tracker_find',
      specification: { name: 'tracker_find', description: '', parameters: {}, effect: 'read' },
      function: 'database-api',
      action: 'find',
      source: 'application',
      providers: [],
      approval: 'never',
      enabled: false,
    },
  ],
}

function database(tools: string[]) {
  const loaded: string[][] = []
  const row = { id: randomUUID(), version: randomUUID() }
  const rpc = async (name: string, args: unknown) => {
    if (name === 'load_catalogue') return catalogue
    loaded.push((args as { p_ids: string[] }).p_ids)
    const accepted = (tool: string) => ({
      name: `tracker__${tool}`,
      foreignName: tool,
      title: tool,
      description: '',
      inputSchema: { type: 'object' },
      annotations: {},
    })
    return [
      {
        ...row,
        name: 'tracker',
        trusted: false,
        private: false,
        tools: tools.map((tool) => ({ accepted: accepted(tool), hash: `hash of ${tool}` })),
      },
    ]
  }
  return { loaded, row, rpc: rpc as Parameters<typeof describeServers>[0] }
}
const turn = (tools: object = {}) => ({
  catalogue: catalogue.version,
  tools: { access: 'all' as const, approvers: [], permissions: [], ...tools },
  connections: [],
})

test('a server is read once for each of its versions, and its specifications stay the same', async () => {
  const { loaded, row, rpc } = database(['create'])
  const first = await describeServers(rpc, 'user', [{ ...row }])
  expect(await describeServers(rpc, 'user', [{ ...row }])).toEqual(first)
  expect(loaded).toEqual([[row.id]])
  const [one] = await describeTools(rpc, turn(), first)
  const [again] = await describeTools(rpc, turn(), await describeServers(rpc, 'user', [{ ...row }]))
  expect(again?.specification).toBe(one?.specification)
  expect(one).toMatchObject({ source: 'server', server: { id: row.id, definition: 'hash of create' } })
  row.version = randomUUID()
  await describeServers(rpc, 'user', [{ ...row }])
  expect(loaded).toHaveLength(2)
})

test('a turn without servers reads none', async () => {
  const { loaded, rpc } = database([])
  expect(await describeServers(rpc, 'user', [])).toEqual([])
  expect(loaded).toEqual([])
})

test('a tool that is called like one of ours is left out, also if ours is off', async () => {
  const { row, rpc } = database(['find', 'create'])
  const tools = await describeTools(rpc, turn(), await describeServers(rpc, 'user', [row]))
  expect(tools.map(({ specification }) => specification.name)).toEqual(['tracker__create'])
})

test('an agent has those that it may use, and asks as its settings say', async () => {
  const { row, rpc } = database(['create', 'change'])
  const servers = await describeServers(rpc, 'user', [row])
  const permissions = [{ names: ['tracker__create'], allowed: true, approval: 'never' as const }]
  const listed = await describeTools(rpc, turn({ access: 'listed', permissions }), servers)
  expect(listed.map(({ specification: { name, approval } }) => [name, approval])).toEqual([
    ['tracker__create', undefined],
  ])
  const granted = await describeTools(rpc, turn({ granted: ['web_search'] }), servers)
  expect(granted).toEqual([])
})
