import { expect, test } from 'vitest'
import type { Connection, Provider } from '../../../client/api/connection.ts'
import { orderedGroups } from '../../../client/react/settings/connection-group.ts'
import { toolsThatStop } from '../../../client/react/settings/what-stops.ts'

const connection = (facts: Partial<Connection> = {}): Connection => ({
  id: crypto.randomUUID(),
  provider: 'any',
  label: '',
  account: null,
  status: 'connected',
  position: 0,
  values: {},
  lastUsedAt: null,
  lastError: null,
  ...facts,
})
const provider = (id: string, tools: string[], connections: Connection[], builtIn = false): Provider => ({
  id,
  name: id,
  description: '',
  service: '',
  tools,
  connection: {},
  oauth: false,
  available: true,
  builtIn,
  connections,
})

test('a tool stops only where nothing else makes it work', () => {
  const mine = connection()
  const serper = provider('serper', ['web_search'], [mine])
  const stops = (...others: Provider[]) => toolsThatStop([serper, ...others], serper, mine)
  expect(stops()).toEqual(['web_search'])
  expect(stops(provider('brave', ['web_search'], [connection({ status: 'disabled' })]))).toEqual([
    'web_search',
  ])
  expect(stops(provider('brave', ['web_search'], [connection()]))).toEqual([])
  expect(stops(provider('ours', ['web_search'], [], true))).toEqual([])
  expect(stops(provider('mail', ['send'], [connection()]))).toEqual(['web_search'])
})

test('an order is asked for where several providers do the same', () => {
  const search = ['web_search', 'news_search']
  const last = connection({ position: 2 })
  const first = connection({ position: 1 })
  const groups = orderedGroups([
    provider('serper', search, [last]),
    provider('brave', search, [first, connection({ status: 'disabled' })]),
    provider('gmail', ['send'], [connection(), connection()]),
  ])
  expect(groups.map((group) => group.map((one) => one.connection.id))).toEqual([[first.id, last.id]])
})
