import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Answer, write } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let user: string

beforeEach(async () => {
  user = await db.createUser({ name: 'Ada Lovelace' })
})

const secret = (version = 1, ciphertext = `cipher-${version}`) => ({
  field: 'password',
  ciphertext,
  keyId: 'k1',
  version,
})
const store = (connection: Record<string, unknown> = {}, owner = user): Promise<Answer> =>
  db.call('store_connection', owner, {
    id: randomUUID(),
    provider: 'smtp',
    account: 'ada@example.com',
    metadata: { host: 'mail.example.com', port: 465 },
    secrets: [secret()],
    ...connection,
  })
const loadAll = (owner = user, providers = ['smtp'], ...rest: unknown[]): Promise<Answer[]> =>
  db.call('load_connections', owner, providers, ...rest) as Promise<never>
const load = async (...args: Parameters<typeof loadAll>): Promise<Answer> =>
  (await loadAll(...args))[0] ?? null
/** As the settings show them. */
const list = async (): Promise<Answer[]> =>
  (await db.call('integration_settings', user, 'smtp'))[0].connections

describe('storing', () => {
  test('a connection comes back with its secrets, to its user alone', async () => {
    const { stored, connectionId } = await store()
    expect(stored).toBe(true)
    expect(await load()).toEqual({
      id: connectionId,
      provider: 'smtp',
      label: 'ada@example.com',
      account: 'ada@example.com',
      status: 'connected',
      scopes: null,
      pinned: false,
      metadata: { host: 'mail.example.com', port: 465 },
      secrets: [secret()],
    })
    const stranger = await db.createUser()
    expect(await load(stranger)).toBeNull()
    expect(await load(stranger, ['smtp'], null, null, connectionId)).toBeNull()
  })

  test('a change keeps what it does not name and replaces the secrets it does', async () => {
    const { connectionId } = await store({ secrets: [secret(), { ...secret(), field: 'token' }] })
    expect(
      await store({ id: connectionId, metadata: { host: 'b' }, account: undefined, secrets: [secret(2)] }),
    ).toEqual({ stored: true, connectionId })
    expect(await load()).toMatchObject({
      account: 'ada@example.com',
      metadata: { host: 'b' },
      secrets: [secret(2), { ...secret(), field: 'token' }],
    })
  })

  test('of two who refresh a token at the same time one wins, the other is told to load again', async () => {
    const { connectionId } = await store()
    const both = await Promise.all([
      store({ id: connectionId, secrets: [secret(2, 'a')] }),
      store({ id: connectionId, secrets: [secret(2, 'b')] }),
    ])
    expect(both.map((answer) => answer.code ?? 'stored').sort()).toEqual(['stale', 'stored'])
    expect((await load()).secrets).toMatchObject([{ version: 2 }])
    expect(
      await store({ id: connectionId, secrets: [secret(1, 'old')], metadata: { host: 'evil' } }),
    ).toMatchObject({ code: 'stale' })
    expect((await load()).metadata).toEqual({ host: 'mail.example.com', port: 465 })
  })

  test('another user’s id, another provider under the same id and unknown providers are refused', async () => {
    const { connectionId } = await store()
    const stranger = await db.createUser()
    expect(await store({ id: connectionId, secrets: [secret(9)] }, stranger)).toMatchObject({
      stored: false,
      code: 'not_found',
    })
    expect(
      await store({ id: connectionId, provider: 'gmail', label: 'other', secrets: [secret(9)] }),
    ).toMatchObject({ code: 'not_found' })
    expect(await store({ provider: 'pigeon' })).toMatchObject({ stored: false, code: 'unknown_provider' })
    expect((await load()).secrets).toEqual([secret()])
  })

  test('a label that is taken is refused, and nothing of it is stored', async () => {
    await store({ label: 'Work' })
    const { connectionId } = await store({ label: 'Home' })
    expect(await store({ label: 'Work' })).toMatchObject({ stored: false, code: 'label_taken' })
    expect(await store({ id: connectionId, label: 'Work', secrets: [secret(2)] })).toMatchObject({
      code: 'label_taken',
    })
    expect(await list()).toHaveLength(2)
    expect((await load(user, ['smtp'], null, null, connectionId)).secrets).toEqual([secret()])
  })

  test('a list has no secrets; a deleted connection is gone with them', async () => {
    const { connectionId } = await store()
    expect(JSON.stringify(await list())).not.toContain('cipher')
    const stranger = await db.createUser()
    expect(await db.call('remove_connection', stranger, connectionId)).toBeNull()
    expect(await db.call('remove_connection', user, connectionId)).toMatchObject({ deleted: connectionId })
    expect(
      await db.service`select 1 from connection_secrets where connection_id = ${connectionId}`,
    ).toHaveLength(0)
  })
})

describe('choosing', () => {
  test('the order of the providers, then what works, then the oldest', async () => {
    await store({ provider: 'brave', label: 'b' })
    const first = await store({ provider: 'serper', label: '1' })
    await store({ provider: 'serper', label: '2' })
    expect((await load(user, ['serper', 'brave'])).id).toBe(first.connectionId)
    await db.call('mark_connection', user, first.connectionId, 'failed', 'The key was refused.')
    expect((await load(user, ['serper', 'brave'])).label).toBe('2')
    expect((await load(user, ['brave', 'serper'])).label).toBe('b')
    expect((await load(user, ['serper'], null, null, first.connectionId)).status).toBe('failed')
  })

  test('a broken one is better than none, and a new password mends it', async () => {
    const { connectionId } = await store()
    await db.call('mark_connection', user, connectionId, 'failed', 'Sign-in refused.')
    expect(await load()).toMatchObject({ id: connectionId, status: 'failed' })
    expect(await list()).toMatchObject([{ lastError: 'Sign-in refused.' }])
    await store({ id: connectionId, status: 'connected', secrets: [secret(2)] })
    expect(await list()).toMatchObject([{ status: 'connected', lastError: null }])
  })

  test('the one that is pinned for the agent’s tool', async () => {
    await store({ label: 'Work' })
    const home = await store({ label: 'Home' })
    const { agent } = await db.postText(user, { text: 'Hello' })
    await db.service`insert into agent_tool_permissions (agent_id, tool_name, connection_id) values (${agent.id}, 'smtp_send_email', ${home.connectionId})`
    expect((await load(user, ['smtp'], agent.id, 'smtp_send_email')).label).toBe('Home')
    expect((await load(user, ['smtp'], agent.id, 'smtp_test_connection')).label).toBe('Work')
    const begun = await db.call('begin_effect', user, {
      deliveryId: randomUUID(),
      toolName: 'smtp_send_email',
      argumentHash: String(write().argumentHash),
      providers: ['smtp'],
      agentId: agent.id,
    })
    expect(begun).toMatchObject({
      proceed: true,
      delivery: {
        connections: [
          { label: 'Home', pinned: true, secrets: [secret()] },
          { label: 'Work', pinned: false },
        ],
      },
    })
  })

  test('a pin on another user’s connection is worth nothing', async () => {
    const stranger = await db.createUser()
    const theirs = await store({ label: 'Theirs' }, stranger)
    const { agent } = await db.postText(user, { text: 'Hello' })
    await db.service`insert into agent_tool_permissions (agent_id, tool_name, connection_id) values (${agent.id}, 'smtp_send_email', ${theirs.connectionId})`
    expect(await load(user, ['smtp'], agent.id, 'smtp_send_email')).toBeNull()
  })

  test('the model learns the accounts that work', async () => {
    const { connectionId } = await store()
    await store({ provider: 'gmail', account: 'lovelace@gmail.example', secrets: [] })
    const { user: facts } = await db.postText(user, { text: 'Hello' })
    expect(facts).toMatchObject({
      name: 'Ada Lovelace',
      accounts: ['ada@example.com', 'lovelace@gmail.example'],
    })
    await db.call('mark_connection', user, connectionId, 'failed')
    expect((await db.postText(user, { text: 'Hello' })).user.accounts).toEqual(['lovelace@gmail.example'])
  })
})
