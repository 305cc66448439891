import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../shared/api/route.ts'
import { routes } from '../../shared/api/routes.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import type { ChatUser } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { type Equipped, equipUser, mail, request, requestsOf } from '../../support/equipped-user.ts'
import { replyLate } from '../../support/late-reply.ts'
import { callTool, say } from '../../support/model-server.ts'

// A token stays valid when its account is banned or deleted: each request asks whether the account may still act.

let chat: ChatStack
let sql: postgres.Sql
beforeAll(async () => {
  chat = await startChatStack({ ASKBACK_CLOCK_SECONDS: '0.2' })
  sql = postgres(chat.stack.databaseUrl, { max: 2, onnotice: () => {} })
})
afterAll(async () => {
  await sql?.end()
  await chat?.stop()
})

const mails = () => chat.stack.inbox.messages()

const ban = (user: ChatUser) =>
  sql`update auth.users set banned_until = now() + interval '100 years' where id = ${user.id}`
const lift = (user: ChatUser) => sql`update auth.users set banned_until = null where id = ${user.id}`
const softDelete = (user: ChatUser) => sql`update auth.users set deleted_at = now() where id = ${user.id}`
const remove = (user: ChatUser) => sql`delete from auth.users where id = ${user.id}`

/** Routes that are nobody's, or those of whoever has a link: tests/stack/item-links.test.ts asks what a ban does there. */
const ofNobody: readonly Route['caller'][] = ['anybody', 'clock', 'item-link']
const ofSomebody = routes.filter(({ caller }) => !ofNobody.includes(caller))

/** What the routes say to a user, and what is left of the user's data. */
async function tryAll(equipped: Equipped) {
  const requests = requestsOf(equipped)
  const answers: Record<string, string> = {}
  for (const { method, path } of ofSomebody) {
    const name = `${method} ${path}`
    const sample = requests[name]
    if (!sample) throw new Error(`${name} has no request in this test.`)
    const { status, code } = await request(
      chat.stack,
      equipped.user,
      method,
      sample.path ?? path,
      sample.body,
    )
    answers[name] = `${status} ${code}`
  }
  return answers
}

const all = (answer: string) =>
  Object.fromEntries(ofSomebody.map(({ method, path }) => [`${method} ${path}`, answer]))

const rowsOf = async (user: ChatUser) => {
  const tables = [
    'agents',
    'connections',
    'conversations',
    'entries',
    'open_items',
    'files',
    'permissions',
    'api_tokens',
    'mcp_grants',
    'mcp_servers',
    'mcp_tools',
    'runs',
  ]
  return await Promise.all(
    tables.map(async (table) => {
      const [row] =
        await sql`select md5(json_agg(t)::text) as sum from askback.${sql(table)} t where user_id = ${user.id}`
      return `${table} ${row?.sum}`
    }),
  )
}

describe('a user who was banned', () => {
  it('gets nothing from any route and changes nothing, and after that everything is as before', async () => {
    const equipped = await equipUser(chat)
    const { user, item } = equipped
    const before = await rowsOf(user)
    await ban(user)
    expect(await tryAll(equipped)).toEqual(all('403 account_disabled'))
    expect(await rowsOf(user)).toEqual(before)
    await lift(user)
    expect((await user.get('/conversations/c')).status).toBe(200)
    await chat.stack.inbox.clear()
    const approved = await user.post(decisionOn(item, 'approve'), { path: '/c/approval' })
    expect(approved.answer).toMatchObject({ status: 'completed' })
    expect(await mails()).toHaveLength(1)
  })

  it('uses no API token', async () => {
    const { user, apiToken } = await equipUser(chat)
    const models = () =>
      fetch(`${chat.stack.url}/functions/v1/chat/v1/models`, {
        headers: { authorization: `Bearer ${apiToken}` },
      })
    expect((await models()).status).toBe(200)
    await ban(user)
    const refused = await models()
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      403,
      'account_disabled',
    ])
    await lift(user)
    expect((await models()).status).toBe(200)
  })

  it('calls no function of a tool', async () => {
    const { user } = await equipUser(chat)
    await ban(user)
    await chat.stack.inbox.clear()
    const calls = {
      '/smtp-api': { action: 'send_email', params: mail },
      '/docs-api': { action: 'search', params: { query: 'lunch' } },
      '/web-search-api': { action: 'web_search', params: { query: 'lunch' } },
      '/smtp-api/test-connection': { provider: 'smtp', values: {} },
    }
    for (const [path, body] of Object.entries(calls)) {
      expect(await request(chat.stack, user, 'POST', path, body), path).toMatchObject({
        status: 403,
        code: 'account_disabled',
      })
    }
    expect(await mails()).toEqual([])
  })

  it('reads and writes nothing over the Data API', async () => {
    const { user } = await equipUser(chat)
    const data = async (path: string, init: RequestInit = {}) =>
      await fetch(`${chat.stack.url}/rest/v1/${path}`, {
        ...init,
        headers: {
          apikey: chat.stack.keys.publishableKey,
          authorization: `Bearer ${user.token}`,
          'accept-profile': 'askback',
          'content-profile': 'askback',
          'content-type': 'application/json',
          prefer: 'return=representation',
        },
      })
    const read = async (table: string) => ((await (await data(table)).json()) as unknown[]).length
    expect(await read('agents')).toBe(1)
    await ban(user)
    for (const table of [
      'agents',
      'conversations?select=id',
      'entries?select=run_id',
      'tools',
      'connections?select=id',
    ]) {
      expect(await read(table), table).toBe(0)
    }
    const body = JSON.stringify({ name: 'Mine', instructions: 'Be brief.' })
    expect((await data('agents', { method: 'POST', body })).status).toBe(403)
    await lift(user)
    expect(await read('agents')).toBe(1)
    expect((await data('agents', { method: 'POST', body })).status).toBe(201)
  })

  it('claims no write that a model asks for, and the run can be continued afterwards', async () => {
    const { user } = await equipUser(chat)
    await sql`update askback.agent_tool_permissions set approval = 'never' where agent_id in (select id from askback.agents where user_id = ${user.id})`
    await chat.stack.inbox.clear()
    const held = replyLate(chat.model, [callTool('smtp_send_email', mail), say('Sent.')])
    const asked = user.post({ id: 'd', message: 'Say hello to ada@example.com' })
    await held.arrived
    await ban(user)
    held.release()
    expect((await asked).error).toMatchObject({ code: 'account_disabled' })
    expect(await mails()).toEqual([])
    const [run] =
      await sql`select status from askback.runs where user_id = ${user.id} and conversation_id = 'd'`
    expect(run).toEqual({ status: 'interrupted' })
  })

  it('has a working run ended, to be continued afterwards', async () => {
    const { user } = await equipUser(chat)
    const held = replyLate(chat.model, [say('Never heard.')])
    const asked = user.post({ id: 'e', messageId: 'm', message: 'Think for a long time' })
    await held.arrived
    await ban(user)
    expect(await asked).toMatchObject({ status: 403, error: { code: 'account_disabled' } })
    held.release()
    await lift(user)
    chat.model.use([say('Here I am.')])
    const again = await user.post({ id: 'e', messageId: 'm', message: 'Think for a long time' })
    expect(again.answer).toMatchObject({ status: 'completed', text: 'Here I am.' })
  })

  it('has what waits for the clock left alone, and continued once the ban is lifted', async () => {
    const { user } = await equipUser(chat)
    await ban(user)
    const [run] = await sql`select id, turn_id, message_id from askback.runs where user_id = ${user.id}`
    await sql`
      insert into askback.open_items (user_id, conversation_id, id, message_id, run_id, turn_id, kind, intent, tool_call_id, tool_name, asked_at, resume_at)
      values (${user.id}, 'c', 'later', ${run?.message_id}, ${run?.id}, ${run?.turn_id}, 'wait', 7, 'call-later', 'web_search', now(), now())`
    const isDue = async () => {
      const [row] = await sql`select askback_private.due_runs(100) as due`
      return row?.due.some(({ itemId }: { itemId: string }) => itemId === 'later')
    }
    expect(await isDue()).toBe(false)
    await lift(user)
    await expect
      .poll(async () => (await sql`select 1 from askback.runs where user_id = ${user.id}`).length, {
        timeout: 20_000,
      })
      .toBe(2)
  })
})

it('a user whose account was deleted, but whose row is kept, gets nothing from any route', async () => {
  const equipped = await equipUser(chat)
  const before = await rowsOf(equipped.user)
  await softDelete(equipped.user)
  expect(await tryAll(equipped)).toEqual(all('401 unknown_user'))
  expect(await rowsOf(equipped.user)).toEqual(before)
})

it('a user whose account was deleted gets nothing from any route', async () => {
  const equipped = await equipUser(chat)
  await remove(equipped.user)
  const { 'GET /chat/files/:id': file, ...rest } = await tryAll(equipped)
  const { 'GET /chat/files/:id': _, ...expected } = all('401 unknown_user')
  expect(rest).toEqual(expected)
  // The bytes went with the account: nobody knows whose they were.
  expect(file).toBe('404 file_not_found')
})
