import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../shared/api/route.ts'
import { routes } from '../../shared/api/routes.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { checkAnswer } from '../support/api-answers.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp } from '../support/chat-user.ts'
import { decisionOn } from '../support/decision.ts'
import { holdReply } from '../support/hold-reply.ts'
import { callTool, say } from '../support/model-server.ts'

// A token outlives what may be done with it: each request asks whether its account may still act.

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

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const call = callTool('smtp_send_email', mail)
const mails = () => chat.stack.inbox.messages()

const ban = (user: ChatUser) =>
  sql`update auth.users set banned_until = now() + interval '100 years' where id = ${user.id}`
const lift = (user: ChatUser) => sql`update auth.users set banned_until = null where id = ${user.id}`
const softDelete = (user: ChatUser) => sql`update auth.users set deleted_at = now() where id = ${user.id}`
const remove = (user: ChatUser) => sql`delete from auth.users where id = ${user.id}`

/** A user with something of everything: an approval that waits in `c`, a file, a connection, an API token. */
async function equippedUser() {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'always')
  await connectSmtp(chat.stack, user.id)
  await sql`insert into askback.operators (user_id) values (${user.id})`
  chat.model.use([call, ...Array(9).fill(say('Sent.'))])
  const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com' })
  const [item] = (answer.pending ?? []) as PendingItem[]
  const made = await request(user, 'POST', '/integration-settings/tokens', { name: 'Mine' })
  const stored = await fetch(`${functions()}/chat/files?name=a.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'text/plain' },
    body: 'Some words.',
  })
  const { file } = (await stored.json()) as { file: { url: string } }
  const [connection] = await sql`select id from askback.connections where user_id = ${user.id}`
  const [agent] = await sql`select id from askback.agents where user_id = ${user.id}`
  const [run] = await sql`select id from askback.runs where user_id = ${user.id}`
  return {
    user,
    item: item as PendingItem,
    fileUrl: file.url,
    apiToken: made.json.token.value as string,
    ids: {
      connection: connection?.id as string,
      agent: agent?.id as string,
      run: run?.id as string,
      token: made.json.token.id as string,
    },
  }
}
type Equipped = Awaited<ReturnType<typeof equippedUser>>

const functions = () => `${chat.stack.url}/functions/v1`

async function request(user: { token: string }, method: string, path: string, body?: unknown) {
  const response = await fetch(`${functions()}${path}`, {
    method,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json')
    ? JSON.parse(text)
    : undefined
  checkAnswer({ method, path }, { status: response.status, json })
  return {
    status: response.status,
    json,
    code: (response.headers.get('x-askback-error') ?? json?.error?.code) as string | undefined,
  }
}

/** A valid request to each route: without its account, each of them would do or tell something. */
function requestsOf({ item, ids, fileUrl }: Equipped): Record<string, { path?: string; body?: unknown }> {
  const reason = 'A reason.'
  const skipped = { itemId: item.itemId }
  return {
    'POST /chat': { body: { id: randomUUID(), message: 'Hello' } },
    'GET /chat/:id/stream': { path: '/chat/c/stream' },
    'POST /chat/:id/stop': { path: '/chat/c/stop' },
    'GET /chat/models': {},
    'GET /chat/tools': {},
    'POST /chat/files': { path: '/chat/files?name=b.txt', body: 'Other words.' },
    'GET /chat/files/:id': {
      path: new URL(fileUrl).pathname.replace('/functions/v1', '') + new URL(fileUrl).search,
    },
    'GET /chat/open': {},
    'POST /chat/:id/answer': { path: '/chat/c/answer', body: { ...skipped, values: {} } },
    'POST /chat/:id/approval': { path: '/chat/c/approval', body: decisionOn(item, 'approve') },
    'POST /chat/:id/skip': { path: '/chat/c/skip', body: skipped },
    'POST /chat/:id/resume': { path: '/chat/c/resume', body: {} },
    'GET /chat/permissions': {},
    'POST /chat/permissions': {
      body: { agentId: ids.agent, toolName: 'smtp_send_email', pattern: 'ada@example.com' },
    },
    'DELETE /chat/permissions/:id': { path: `/chat/permissions/${randomUUID()}` },
    'GET /chat/conversations': {},
    'GET /chat/conversations/:id': { path: '/chat/conversations/c' },
    'PATCH /chat/conversations/:id': { path: '/chat/conversations/c', body: { title: 'Other' } },
    'PUT /chat/conversations/:id/feedback': {
      path: '/chat/conversations/c/feedback',
      body: { messageId: item.messageId, rating: 'good' },
    },
    'DELETE /chat/conversations/:id': { path: '/chat/conversations/c' },
    'GET /integration-settings': {},
    'POST /integration-settings/connections': {
      path: '/integration-settings/connections?test=false',
      body: { provider: 'serper', label: 'Search', values: { apiKey: 'a'.repeat(40) } },
    },
    'PATCH /integration-settings/connections/:id': {
      path: `/integration-settings/connections/${ids.connection}?test=false`,
      body: { label: 'Other' },
    },
    'DELETE /integration-settings/connections/:id': {
      path: `/integration-settings/connections/${ids.connection}`,
    },
    'POST /integration-settings/connections/:id/test': {
      path: `/integration-settings/connections/${ids.connection}/test`,
    },
    'POST /integration-settings/oauth/start': { body: { provider: 'gmail' } },
    'POST /integration-settings/oauth/complete': { body: { code: 'a'.repeat(43) } },
    'GET /integration-settings/tokens': {},
    'POST /integration-settings/tokens': { body: { name: 'Another' } },
    'DELETE /integration-settings/tokens/:id': { path: `/integration-settings/tokens/${ids.token}` },
    'DELETE /integration-settings/account': { body: { email: 'nobody@example.com' } },
    'GET /chat/operator': {},
    'GET /chat/operator/runs': { path: `/chat/operator/runs?find=${ids.run}` },
    'GET /chat/operator/runs/:id': { path: `/chat/operator/runs/${ids.run}` },
    'POST /chat/operator/runs/:id/stop': { path: `/chat/operator/runs/${ids.run}/stop`, body: { reason } },
    'GET /chat/operator/stuck': {},
    'GET /chat/operator/insights': {},
    'GET /chat/operator/tools': {},
    'PATCH /chat/operator/tools/:name': {
      path: '/chat/operator/tools/web_search',
      body: { enabled: true, reason },
    },
    'GET /chat/operator/limits': {},
    'PUT /chat/operator/limits': {
      body: { scope: 'project', measure: 'model_calls', per: 'day', value: 1_000_000, reason },
    },
    'GET /chat/operator/functions': {},
    'PUT /chat/operator/functions/:name': { path: '/chat/operator/functions/none', body: {} },
    'DELETE /chat/operator/functions/:name': { path: '/chat/operator/functions/none' },
  }
}

/** Routes that are nobody's. */
const ofNobody: readonly Route['caller'][] = ['anybody', 'clock']
const ofSomebody = routes.filter(({ caller }) => !ofNobody.includes(caller))

/** What the routes say to a user, and what is left of the user's data. */
async function tryAll(equipped: Equipped) {
  const requests = requestsOf(equipped)
  const answers: Record<string, string> = {}
  for (const { method, path } of ofSomebody) {
    const name = `${method} ${path}`
    const sample = requests[name]
    if (!sample) throw new Error(`${name} has no request in this test.`)
    const { status, code } = await request(equipped.user, method, sample.path ?? path, sample.body)
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
    const equipped = await equippedUser()
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
    const { user, apiToken } = await equippedUser()
    const models = () =>
      fetch(`${functions()}/chat/v1/models`, { headers: { authorization: `Bearer ${apiToken}` } })
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
    const { user } = await equippedUser()
    await ban(user)
    await chat.stack.inbox.clear()
    const calls = {
      '/smtp-api': { action: 'send_email', params: mail },
      '/docs-api': { action: 'search', params: { query: 'lunch' } },
      '/web-search-api': { action: 'web_search', params: { query: 'lunch' } },
      '/smtp-api/test-connection': { provider: 'smtp', values: {} },
    }
    for (const [path, body] of Object.entries(calls)) {
      expect(await request(user, 'POST', path, body), path).toMatchObject({
        status: 403,
        code: 'account_disabled',
      })
    }
    expect(await mails()).toEqual([])
  })

  it('reads and writes nothing over the Data API', async () => {
    const { user } = await equippedUser()
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
    const { user } = await equippedUser()
    await sql`update askback.agent_tool_permissions set approval = 'never' where agent_id in (select id from askback.agents where user_id = ${user.id})`
    await chat.stack.inbox.clear()
    const held = holdReply(chat.model, [callTool('smtp_send_email', mail), say('Sent.')])
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

  it('has what waits for the clock left alone, and continued once the ban is lifted', async () => {
    const { user } = await equippedUser()
    await ban(user)
    const [run] = await sql`select id, turn_id, message_id from askback.runs where user_id = ${user.id}`
    await sql`
      insert into askback.open_items (user_id, conversation_id, id, message_id, run_id, turn_id, kind, intent, tool_call_id, tool_name, asked_at, resume_at)
      values (${user.id}, 'c', 'later', ${run?.message_id}, ${run?.id}, ${run?.turn_id}, 'wait', 7, 'call-later', 'web_search', now(), now())`
    const isDue = async () => {
      const [row] = await sql`select askback.due_runs(100) as due`
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
  const equipped = await equippedUser()
  const before = await rowsOf(equipped.user)
  await softDelete(equipped.user)
  expect(await tryAll(equipped)).toEqual(all('401 unknown_user'))
  expect(await rowsOf(equipped.user)).toEqual(before)
})

it('a user whose account was deleted gets nothing from any route', async () => {
  const equipped = await equippedUser()
  await remove(equipped.user)
  const { 'GET /chat/files/:id': file, ...rest } = await tryAll(equipped)
  const { 'GET /chat/files/:id': _, ...expected } = all('401 unknown_user')
  expect(rest).toEqual(expected)
  // The bytes went with the account: nobody knows whose they were.
  expect(file).toBe('404 file_not_found')
})
