import { beforeEach, describe, expect, test } from 'vitest'
import type { ApiToken } from '../../../shared/api/api-token.ts'
import { hashApiToken } from '../../../shared/server/authentication/api-token.ts'
import { createDatabaseRpc } from '../../../support/database-rpc.ts'
import { createSettingsApp, type SettingsApp } from '../../../support/settings-app.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
const rpc = createDatabaseRpc(db)
let app: SettingsApp
let ada: string

beforeEach(async () => {
  app = createSettingsApp(rpc, {})
  ada = await db.createUser()
})

const make = async (body: unknown = { name: 'Open WebUI' }, user = ada) =>
  await app.call(user, 'POST', '/tokens', body)
const use = async (value: string, scope = 'chat') =>
  await db.call('use_api_token', await hashApiToken(value), scope)
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

describe('a token', () => {
  test('is shown once, when it is made', async () => {
    const { status, json } = await make()
    expect(status).toBe(201)
    const { value, ...shown } = json.token
    expect(value).toMatch(/^askb_[\w-]{43}$/)
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'Open WebUI',
      scope: 'chat',
      prefix: value.slice(0, 12),
      agents: null,
      expiresAt: null,
      lastUsedAt: null,
      used: 0,
      createdAt: expect.any(String),
    })
    const list = await app.call(ada, 'GET', '/tokens')
    expect(list.json).toEqual({ tokens: [shown] })
    expect(await db.service`select * from api_tokens where strpos(api_tokens::text, ${value}) > 0`).toEqual(
      [],
    )
  })

  test('belongs to its user, who sees when and how often it was used', async () => {
    const { value } = (await make()).json.token
    expect(await use(value)).toEqual({
      ...{ kind: 'valid', id: expect.any(String), userId: ada },
      ...{ name: 'Open WebUI', agents: null },
    })
    await use(value)
    const { json } = await app.call(ada, 'GET', '/tokens')
    expect(json.tokens[0].used).toBe(2)
    expect(Date.parse(json.tokens[0].lastUsedAt)).toBeGreaterThan(0)
  })

  test('is of no use once it was revoked, by its owner alone', async () => {
    const { id, value } = (await make()).json.token
    const stranger = await db.createUser()
    expect((await app.call(stranger, 'DELETE', `/tokens/${id}`)).status).toBe(404)
    expect((await use(value)).kind).toBe('valid')
    expect((await app.call(ada, 'DELETE', `/tokens/${id}`)).json).toEqual({ deleted: id })
    expect(await use(value)).toEqual({ kind: 'revoked' })
    expect((await app.call(ada, 'GET', '/tokens')).json).toEqual({ tokens: [] })
    expect((await app.call(ada, 'DELETE', `/tokens/${id}`)).status).toBe(200)
    expect((await app.call(ada, 'DELETE', '/tokens/none')).json.error.code).toBe('token_not_found')
  })

  test('ends when it was to end', async () => {
    const { value } = (await make({ name: 'Short', expiresAt: tomorrow() })).json.token
    expect((await use(value)).kind).toBe('valid')
    await db.service`update api_tokens set expires_at = now() where user_id = ${ada}`
    expect(await use(value)).toEqual({ kind: 'expired' })
    expect(await use(`${value}x`)).toEqual({ kind: 'unknown' })
  })

  test('opens what it was made for and nothing else, and only such a use is counted', async () => {
    const chat = (await make()).json.token
    const mcp = (await make({ name: 'Claude Code', scope: 'mcp' })).json.token
    expect([chat.scope, mcp.scope]).toEqual(['chat', 'mcp'])
    expect(await use(chat.value, 'mcp')).toEqual({ kind: 'other_scope', scope: 'chat' })
    expect(await use(mcp.value, 'chat')).toEqual({ kind: 'other_scope', scope: 'mcp' })
    expect(await use(mcp.value, 'mcp')).toMatchObject({ kind: 'valid', userId: ada })
    const { tokens } = (await app.call(ada, 'GET', '/tokens')).json
    expect(tokens.map(({ name, used }: ApiToken) => [name, used])).toEqual([
      ['Claude Code', 1],
      ['Open WebUI', 0],
    ])
  })

  test('names agents of its owner only', async () => {
    const [agent] =
      await db.service`insert into agents (user_id, name, instructions) values (${ada}, 'A', 'B') returning id`
    const { token } = (await make({ name: 'One', agents: [agent?.id] })).json
    expect(token.agents).toEqual([agent?.id])
    expect((await use(token.value)).agents).toEqual([agent?.id])
    const stranger = await db.createUser()
    const refused = await make({ name: 'One', agents: [agent?.id] }, stranger)
    expect([refused.status, refused.json.error.code]).toEqual([404, 'agent_not_found'])
  })
})

test.each([
  [{}, '"name'],
  [{ name: '  ' }, '"name'],
  [{ name: 'A', scope: 'all' }, '"scope'],
  [{ name: 'A', agents: [] }, '"agents'],
  [{ name: 'A', agents: ['one'] }, '"agents'],
  [{ name: 'A', expiresAt: 'soon' }, '"expiresAt'],
  [{ name: 'A', expiresAt: '2020-01-01T00:00:00Z' }, 'in the past'],
])('%j is refused with what to send', async (body, words) => {
  const { status, json } = await make(body)
  expect([status, json.error.code]).toEqual([400, 'bad_request'])
  expect(json.error.message).toContain(words)
})
