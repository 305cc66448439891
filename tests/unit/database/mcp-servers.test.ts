import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rotateSecrets } from '../../../cli/credentials/rotate-secrets.ts'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'
import { openSecret, sealSecret } from '../../../shared/server/credentials/sealed-secret.ts'
import { headersOwner } from '../../../shared/server/credentials/server-secrets.ts'
import { numbered, question } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()

const tool = (name: string, rest: object = {}) => ({
  foreignName: name,
  name: `linear__${name}`,
  accepted: { name: `linear__${name}`, description: 'Of the server.' },
  hash: `hash of ${name}`,
  ...rest,
})
const serverOf = (given: object = {}) => ({
  id: randomUUID(),
  scope: 'user',
  name: 'linear',
  url: 'https://mcp.linear.example/',
  status: 'ready',
  listed: true,
  tools: [tool('create'), tool('list')],
  ...given,
})
const add = async (user: string, given: object = {}) => {
  const server = serverOf(given)
  expect(await db.call('store_server', user, server)).toEqual({ kind: 'stored' })
  return server.id
}
const listed = async (user: string, id: string) => (await db.call('list_servers', user, id))[0]
const change = async (user: string, id: string, what: object) =>
  await db.call('change_server', user, id, (await listed(user, id)).version, what)
const offered = async (user: string, id: string) =>
  (await db.call('load_servers', user, [id]))[0]?.tools.map((one: { name: string }) => one.name)
const operator = async () => {
  const user = await db.createUser()
  await db.service`insert into operators (user_id) values (${user})`
  return user
}
const projectServer = () => ({
  scope: 'project',
  name: `team${randomUUID().slice(0, 8)}`,
  url: `https://${randomUUID()}.example/`,
  tools: [],
})

/** What somebody has allowed for a tool: a permission, and that it is never asked about. */
async function allow(user: string, toolName: string): Promise<() => Promise<unknown>> {
  const [agent] = await db.call('list_agents', user)
  const limit = { path: 'to', pattern: 'ada@example.com', max: 5, per: 'day' }
  await db.call('add_permission', user, { agentId: agent.id, toolName, ...limit })
  await db.service`
    insert into agent_tool_permissions (agent_id, tool_name, approval) values (${agent.id}, ${toolName}, 'never')`
  return async () => ({
    permissions: (await db.call('list_permissions', user)).map((one: { toolName: string }) => one.toolName),
    unasked: (
      await db.service`
        select tool_name from agent_tool_permissions where agent_id = ${agent.id} and approval = 'never'`
    ).map((one) => one.tool_name),
  })
}
const nothing = { permissions: [], unasked: [] }

describe('a server of a user', () => {
  test('is theirs alone: nobody else reads, opens, changes or removes it', async () => {
    const [ada, bob] = [await db.createUser(), await db.createUser()]
    const id = await add(ada, {
      headers: { field: 'headers', ciphertext: 'cipher', keyId: 'k1', version: 1 },
    })
    expect(await offered(ada, id)).toEqual(['linear__create', 'linear__list'])
    expect(await db.call('open_server', ada, id, 'linear__list')).toMatchObject({
      url: 'https://mcp.linear.example/',
      headers: { ciphertext: 'cipher' },
      tool: { hash: 'hash of list' },
    })
    expect(JSON.stringify(await db.call('list_servers', ada))).not.toContain('cipher')
    const { version } = await listed(ada, id)
    expect(await db.call('list_servers', bob)).toEqual([])
    expect(await db.call('load_servers', bob, [id])).toEqual([])
    expect(await db.call('open_server', bob, id, 'linear__list')).toBeNull()
    expect(await db.call('server_headers', bob, id)).toBeNull()
    expect(await db.call('change_server', bob, id, version, { trusted: true })).toMatchObject({
      code: 'server_not_found',
    })
    expect(await db.call('remove_server', bob, id)).toBeNull()
    expect(await listed(ada, id)).toMatchObject({ trusted: false, scope: 'user', mine: true })
  })

  test('keeps its headers when the key is rotated', async () => {
    const ada = await db.createUser()
    const id = randomUUID()
    const owner = headersOwner(id, 'https://mcp.linear.example/')
    const keyOf = (name: string, fill: number) => `${name}:${Buffer.alloc(32, fill).toString('base64')}`
    const secret = { field: 'headers', value: '{"x-api-key":"canary"}', version: 1 }
    await add(ada, { id, headers: await sealSecret(await readKeyring(keyOf('k1', 1)), owner, secret) })
    await rotateSecrets(database.sql, await readKeyring(`${keyOf('k2', 2)},${keyOf('k1', 1)}`), () => {})
    const sealed = await db.call('server_headers', ada, id)
    expect(await openSecret(await readKeyring(keyOf('k2', 2)), owner, sealed)).toBe(secret.value)
  })

  test('is one if two tabs add it at once, and has a name of its own', async () => {
    const ada = await db.createUser()
    const answers = await Promise.all([1, 2].map(() => db.call('store_server', ada, serverOf())))
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['exists', 'stored'])
    const other = serverOf({ url: 'https://other.example/' })
    expect(await db.call('store_server', ada, other)).toEqual({ kind: 'error', code: 'name_taken' })
    expect(await db.call('list_servers', ada)).toHaveLength(1)
    await add(await db.createUser())
  })

  test('is one of at most 20', async () => {
    const ada = await db.createUser()
    for (let number = 1; number <= 20; number++)
      await add(ada, { name: `s${number}`, url: `https://${number}.example/`, tools: [] })
    const more = serverOf({ name: 'more', url: 'https://more.example/', tools: [] })
    expect(await db.call('store_server', ada, more)).toMatchObject({ code: 'too_many_servers', limit: 20 })
  })

  test('offers what is accepted, on and not gone', async () => {
    const ada = await db.createUser()
    const tools = [
      tool('on'),
      tool('words', { change: 'words', proposed: {} }),
      tool('off', { change: 'off', proposed: {} }),
      tool('gone', { change: 'gone' }),
      tool('switched', { enabled: false }),
      { foreignName: 'new', name: 'linear__new', proposed: {}, change: 'new' },
    ]
    const id = await add(ada, { tools })
    expect(await offered(ada, id)).toEqual(['linear__on', 'linear__words'])
    expect(await db.call('open_server', ada, id, 'linear__off')).toMatchObject({ tool: null })
  })

  test('has another version after every change that a run must see, and after no other', async () => {
    const ada = await db.createUser()
    const id = await add(ada)
    const version = async () => (await listed(ada, id)).version
    const first = await version()
    const waiting = [tool('create', { change: 'words', proposed: {} }), tool('list')]
    await change(ada, id, { tools: waiting, status: 'ready', listed: true })
    expect(await version()).toBe(first)
    await change(ada, id, { trusted: true })
    const second = await version()
    expect(second).not.toBe(first)
    expect(await db.call('change_server', ada, id, first, { trusted: false })).toMatchObject({
      code: 'stale',
    })
    await change(ada, id, { tools: [tool('create')] })
    expect(await version()).not.toBe(second)
  })
})

describe('what was allowed for a tool of a server', () => {
  test('ends with its definition', async () => {
    const ada = await db.createUser()
    const id = await add(ada)
    const allowed = await allow(ada, 'linear__create')
    await change(ada, id, { tools: [tool('create'), tool('list', { hash: 'another' })] })
    expect(await allowed()).toEqual({ permissions: ['linear__create'], unasked: ['linear__create'] })
    await change(ada, id, { tools: [tool('create', { hash: 'another' }), tool('list')] })
    expect(await allowed()).toEqual(nothing)
  })

  test('ends with the tool, and with the server', async () => {
    const ada = await db.createUser()
    const id = await add(ada)
    const [first, second] = [await allow(ada, 'linear__create'), await allow(ada, 'linear__list')]
    await change(ada, id, { tools: [tool('list')] })
    expect(await first()).toEqual({ permissions: ['linear__list'], unasked: ['linear__list'] })
    expect(await db.call('remove_server', ada, id)).toEqual({
      url: 'https://mcp.linear.example/',
      signOut: true,
    })
    expect(await second()).toEqual(nothing)
  })

  test('stays as it is for everybody else', async () => {
    const [ada, bob] = [await db.createUser(), await db.createUser()]
    const id = await add(ada)
    await add(bob)
    const allowed = await allow(bob, 'linear__create')
    await db.call('remove_server', ada, id)
    expect(await allowed()).toEqual({ permissions: ['linear__create'], unasked: ['linear__create'] })
  })

  test('ends for everybody with a server of the project', async () => {
    const [admin, ada] = [await operator(), await db.createUser()]
    const server = projectServer()
    const name = `${server.name}__create`
    const id = await add(admin, { ...server, tools: [tool('create', { name })] })
    const allowed = await allow(ada, name)
    await db.call('remove_server', admin, id)
    expect(await allowed()).toEqual(nothing)
  })

  test('ends with its name, and what is forbidden goes along', async () => {
    const ada = await db.createUser()
    const id = await add(ada)
    const allowed = await allow(ada, 'linear__create')
    const [agent] = await db.call('list_agents', ada)
    await db.service`
      insert into agent_tool_permissions (agent_id, tool_name, allowed) values (${agent.id}, 'linear__list', false)`
    const renamed = (name: string) => tool(name, { name: `bugs__${name}`, hash: `new hash of ${name}` })
    expect(await change(ada, id, { name: 'bugs', tools: [renamed('create'), renamed('list')] })).toEqual({
      kind: 'stored',
    })
    expect(await offered(ada, id)).toEqual(['bugs__create', 'bugs__list'])
    expect(await allowed()).toEqual(nothing)
    const [forbidden] = await db.service`
      select tool_name from agent_tool_permissions where agent_id = ${agent.id} and not allowed`
    expect(forbidden?.tool_name).toBe('bugs__list')
  })
})

describe('a server of the project', () => {
  test('is for everybody, and changed by operators only, which is logged', async () => {
    const [admin, ada] = [await operator(), await db.createUser()]
    const server = projectServer()
    expect(await db.call('store_server', ada, serverOf(server))).toMatchObject({ code: 'not_operator' })
    const id = await add(admin, server)
    expect(await listed(ada, id)).toMatchObject({ scope: 'project', mine: false })
    expect(await listed(admin, id)).toMatchObject({ scope: 'project', mine: true })
    expect(await change(ada, id, { trusted: true })).toMatchObject({ code: 'server_not_found' })
    expect(await db.call('remove_server', ada, id)).toBeNull()
    expect(await change(admin, id, { trusted: true })).toEqual({ kind: 'stored' })
    const acts =
      await db.service`select action, subject from operator_log where operator_id = ${admin} order by created_at`
    expect(acts).toMatchObject([
      { action: 'add_server', subject: server.name },
      { action: 'change_server', subject: server.name },
    ])
  })

  test('and those of its users have different names', async () => {
    const [admin, ada] = [await operator(), await db.createUser()]
    const server = projectServer()
    const mine = await add(ada, { name: server.name, tools: [] })
    expect(await db.call('store_server', admin, serverOf(server))).toMatchObject({ code: 'name_taken' })
    await db.call('remove_server', ada, mine)
    await add(admin, server)
    expect(await db.call('store_server', ada, serverOf({ name: server.name }))).toMatchObject({
      code: 'name_taken',
    })
    const other = await add(ada, { name: 'other', tools: [] })
    expect(await change(ada, other, { name: server.name })).toMatchObject({ code: 'name_taken' })
    expect((await db.call('taken_names', ada)).servers).toEqual(
      expect.arrayContaining([server.name, 'other']),
    )
  })
})

describe('what waits for a tool of a server', () => {
  const askAbout = async (user: string, toolName: string, more: object = {}) => {
    const conversationId = `c-${randomUUID()}`
    const turn = await db.postText(user, { conversationId, messageId: 'm1', text: 'Create an issue' })
    await db.finish(turn.runId, {
      status: 'waiting',
      entries: numbered([question({ kind: 'approval', toolName, ...more })]),
    })
  }
  const open = async (user: string) =>
    (
      await db.service`
        select tool_name, closed_as from open_items where user_id = ${user} order by tool_name, asked_at`
    ).map(({ tool_name, closed_as }) => [tool_name, closed_as])

  test('is closed with the server, unless it may have been done', async () => {
    const [ada, bob] = [await db.createUser(), await db.createUser()]
    const id = await add(ada)
    await askAbout(ada, 'linear__create')
    await askAbout(ada, 'linear__list', { outcomeUnknown: true })
    await askAbout(ada, 'smtp_send_email')
    await add(bob)
    await askAbout(bob, 'linear__create')
    await db.call('remove_server', ada, id)
    expect(await open(ada)).toEqual([
      ['linear__create', 'gone'],
      ['linear__list', null],
      ['smtp_send_email', null],
    ])
    expect(await open(bob)).toEqual([['linear__create', null]])
  })

  test('goes on once the user has signed in there', async () => {
    const ada = await db.createUser()
    const id = await add(ada)
    await askAbout(ada, 'linear__create', { kind: 'connection' })
    expect(await db.call('items_waiting_for', ada, id)).toHaveLength(1)
    expect(await db.call('items_waiting_for', ada, randomUUID())).toEqual([])
  })
})

test('a run knows the servers that its agent can use, ready ones first', async () => {
  const ada = await db.createUser()
  const away = await add(ada, {
    name: 'away',
    url: 'https://away.example/',
    status: 'unreachable',
    tools: [],
  })
  const ready = await add(ada)
  const turn = await db.postText(ada, { conversationId: 'c1', messageId: 'm1', text: 'Hello' })
  const own = turn.servers.filter(({ id }: { id: string }) => id === away || id === ready)
  expect(own).toEqual([
    { id: ready, version: (await listed(ada, ready)).version },
    { id: away, version: (await listed(ada, away)).version },
  ])
})
