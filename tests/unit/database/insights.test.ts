import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAs, numbered, question, refused } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { addServer } from '../../../support/mcp-server-row.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let ada: string
let sql: Sql

beforeAll(async () => {
  ada = await db.createUser()
  sql = connectAs(database.url, 'authenticated', ada)
}, 120_000)
afterAll(() => sql?.end())

const insights = async (days = 30, zone = 'UTC', as = sql) =>
  (await as`select askback.insights(${days}, ${zone}) as figures`)[0]?.figures

async function execute(
  session: string,
  attempt: number,
  status: string,
  {
    daysAgo = 0,
    ms = 100,
    error = '',
    tool = 'web_search',
  }: { daysAgo?: number; ms?: number; error?: string; tool?: string } = {},
) {
  // At one in the morning of a day, whenever this runs.
  const at = new Date().setUTCHours(1, 0, 0, 0) - daysAgo * 86_400_000
  const result = error ? { ok: false, errorType: error, error: 'x', details: {} } : { ok: true, data: null }
  await db.service`
    insert into tool_executions (
      id, user_id, session_id, tool_call_id, tool_name, effect, attempt, arguments, status, result, created_at, settled_at
    ) values (
      ${randomUUID()}, ${ada}, ${session}, ${randomUUID()}, ${tool}, 'read', ${attempt}, '{}', ${status},
      ${db.service.json(result)}, ${new Date(at - ms)}, ${status === 'running' ? null : new Date(at)}
    )`
}

test('without anything there are days of nothing', async () => {
  const { total, days, attempts, errors } = await insights(7)
  expect(total).toEqual({
    day: null,
    done: 0,
    notDone: 0,
    denied: 0,
    firstTry: 0,
    erred: 0,
    recovered: 0,
    medianMs: null,
    runs: 0,
    modelCalls: 0,
    tokens: 0,
    askedAgain: 0,
    good: 0,
    bad: 0,
  })
  expect(days).toHaveLength(7)
  expect(days.at(-1).day).toBe(new Date().toISOString().slice(0, 10))
  expect([attempts, errors]).toEqual([[], []])
})

test('counts a call with all its attempts once, by day and in total', async () => {
  await execute('right', 1, 'succeeded', { ms: 200 })
  await execute('mended', 1, 'rejected', { ms: 1000, error: 'missing_parameter' })
  await execute('mended', 2, 'succeeded', { ms: 400 })
  await execute('lost', 1, 'failed', { daysAgo: 2, error: 'unavailable' })
  await execute('open', 1, 'running')
  await execute('old', 1, 'succeeded', { daysAgo: 40 })
  const { total, days, attempts, errors } = await insights(30)
  expect(total).toMatchObject({ done: 2, notDone: 1, firstTry: 1, erred: 2, recovered: 1, medianMs: 600 })
  expect(days.at(-1)).toMatchObject({ done: 2, notDone: 0, medianMs: 600 })
  expect(days.at(-3)).toMatchObject({ done: 0, notDone: 1, medianMs: null })
  expect(attempts).toEqual([
    { attempt: 1, calls: 4, succeeded: 1 },
    { attempt: 2, calls: 1, succeeded: 1 },
  ])
  expect(errors).toEqual([
    { type: 'missing_parameter', tool: 'web_search', count: 1 },
    { type: 'unavailable', tool: 'web_search', count: 1 },
  ])
  expect((await insights(90)).total.done).toBe(3)
})

test('what the user denied is no error, and not among what was not done', async () => {
  const before = await insights()
  await execute('denied', 1, 'rejected', { error: 'approval_denied' })
  const { total, days, attempts, errors } = await insights()
  expect(total).toEqual({ ...before.total, denied: 1 })
  expect(days.at(-1)).toEqual({ ...before.days.at(-1), denied: 1 })
  expect([attempts, errors]).toEqual([before.attempts, before.errors])
})

test('a call that waits for its user counts once that is over', async () => {
  const chat = new DatabaseConversation(db, await db.createUser())
  const own = connectAs(database.url, 'authenticated', chat.user)
  await db.service`insert into operators (user_id) values (${ada}) on conflict do nothing`
  const projectCalls = async () =>
    (await db.call('project_insights', { id: randomUUID(), operatorId: ada }, 7)).calls
  const callsBefore = await projectCalls()
  const turn = await chat.postText('m1', 'Write to Ada.')
  const { invocationId } = await db.claim(turn.runId, { toolCallId: 'call-1' })
  await db.call('settle_invocation', chat.user, invocationId, 'failed', refused, 20)
  await db.finish(turn.runId, {
    status: 'needs_connection',
    entries: numbered([question({ kind: 'connection', toolCallId: 'call-1', intent: 1 })]),
  })
  expect((await insights(7, 'UTC', own)).total).toMatchObject({ done: 0, notDone: 0 })
  expect(await projectCalls()).toBe(callsBefore)
  const close = (as: string) =>
    db.service`update open_items set closed_at = now(), closed_as = ${as} where user_id = ${chat.user}`
  // Another call is counted in its place.
  await close('replaced')
  expect((await insights(7, 'UTC', own)).total).toMatchObject({ done: 0, notDone: 0 })
  await close('skip')
  expect((await insights(7, 'UTC', own)).total).toMatchObject({ done: 0, notDone: 1 })
  expect(await projectCalls()).toBe(callsBefore + 1)
  await own.end()
})

test('operators see the tools of the project’s servers by name, and not those of a user’s own', async () => {
  const operatorId = await db.createUser()
  await db.service`insert into operators (user_id) values (${operatorId})`
  const url = 'https://mcp.example.com/'
  const tools = [{ name: 'list', inputSchema: { type: 'object' } }]
  await addServer(database.sql, { name: 'shared', url, tools })
  await addServer(database.sql, { userId: ada, name: 'own', url, tools })
  for (const tool of ['shared__list', 'own__list', 'invented']) await execute(tool, 1, 'succeeded', { tool })
  const { tools: seen } = await db.call('project_insights', { id: randomUUID(), operatorId }, 1)
  expect(seen.map(({ tool }: { tool: string | null }) => tool)).toEqual(
    expect.arrayContaining(['shared__list', null]),
  )
  expect(JSON.stringify(seen)).not.toMatch(/own__list|invented/)
})

test('a call that waits after its first attempt was refused counts once that is over', async () => {
  const chat = new DatabaseConversation(db, await db.createUser())
  const own = connectAs(database.url, 'authenticated', chat.user)
  const turn = await chat.postText('m1', 'Write to Ada.')
  const { invocationId } = await db.claim(turn.runId, { toolCallId: 'call-1', intent: 1 })
  await db.call('settle_invocation', chat.user, invocationId, 'failed', refused, 20)
  await db.finish(turn.runId, {
    status: 'needs_approval',
    entries: numbered([question({ toolCallId: 'call-2', intent: 1 })]),
  })
  expect((await insights(7, 'UTC', own)).total).toMatchObject({ done: 0, notDone: 0 })
  await db.service`update open_items set closed_at = now(), closed_as = 'expired' where user_id = ${chat.user}`
  expect((await insights(7, 'UTC', own)).total).toMatchObject({ done: 0, notDone: 1 })
  await own.end()
})

test('counts model calls, tokens and ratings', async () => {
  const turn = await db.postText(ada, { conversationId: 'c1', text: 'Hello' })
  for (const sequence of [1, 2]) {
    await db.service`insert into llm_usage (user_id, run_id, sequence, provider, model, input_tokens, output_tokens)
      values (${ada}, ${turn.runId}, ${sequence}, 'openai', 'gpt-5', 100, 20)`
  }
  await db.service`insert into entries (user_id, conversation_id, message_id, run_id, sequence, entry)
    select user_id, conversation_id, message_id, id, 900, '{"type":"nudge","stall":"empty"}'
    from runs where id = ${turn.runId}`
  await db.finish(turn.runId)
  await db.call('rate_message', ada, 'c1', turn.messageId, 'good')
  const { total, days } = await insights()
  expect(total).toMatchObject({ runs: 1, modelCalls: 2, tokens: 240, askedAgain: 1, good: 1, bad: 0 })
  expect(days.at(-1)).toMatchObject({ runs: 1, modelCalls: 2, tokens: 240, askedAgain: 1, good: 1, bad: 0 })
})

test('a deleted conversation still counts, as it went', async () => {
  const chat = new DatabaseConversation(db, await db.createUser())
  const own = connectAs(database.url, 'authenticated', chat.user)
  await chat.exchangeWithMail('m1', 'Write to Ada.')
  const turn = await chat.postText('m2', 'Write to Bob.')
  const { invocationId } = await db.claim(turn.runId, { arguments: { to: ['bob@example.com'] } })
  await db.call('settle_invocation', chat.user, invocationId, 'failed', refused, 20)
  await db.finish(turn.runId)
  for (const sequence of [1, 2]) {
    await db.service`insert into llm_usage (user_id, run_id, sequence, provider, model)
      values (${chat.user}, ${turn.runId}, ${sequence}, 'openai', 'gpt-5')`
  }
  const before = await insights(30, 'UTC', own)
  expect(before.total).toMatchObject({ done: 1, erred: 1, runs: 1, modelCalls: 2 })
  expect(before.errors).toHaveLength(1)
  await db.call('delete_conversation', chat.user, chat.id)
  expect(await insights(30, 'UTC', own)).toEqual(before)
  await own.end()
})

test('a day is one of the user’s own time zone', async () => {
  const { days } = await insights(7, 'Pacific/Kiritimati')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(new Date())
  expect(days.at(-1).day).toBe(today)
})

test('nobody sees anything of others', async () => {
  const stranger = connectAs(database.url, 'authenticated', await db.createUser())
  expect((await insights(30, 'UTC', stranger)).total).toMatchObject({ done: 0, modelCalls: 0, good: 0 })
  await stranger.end()
  const anon = connectAs(database.url, 'anon')
  await expect(insights(30, 'UTC', anon)).rejects.toMatchObject({ code: '42501' })
  await anon.end()
})
