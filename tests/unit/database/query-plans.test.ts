import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { beforeAll, expect, test } from 'vitest'
import { storeConversations, storedConversation } from '../../../lab/bench/flatness/stored.ts'
import { valuePattern } from '../../../shared/engine/provenance/value-pattern.ts'
import { schemaVersion } from '../../../shared/server/version.ts'
import {
  callEntries,
  connectAs,
  numbered,
  question,
  userEntry,
  userMessage,
  write,
} from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let user: string

/**
 * 5,000 users with 2 conversations of 4 turns each: 40,000 runs and invocations, 80,000 messages, 120,000 entries; each
 * run has asked something, of each conversation one thing is still open and one write may have happened.
 */
beforeAll(async () => {
  user = await db.createUser()
  await database.sql.unsafe(`
    set session_replication_role = replica;
    insert into auth.users (id, email) select gen_random_uuid(), n || '@example.com' from generate_series(1, 5000) n;
    insert into askback.agents (user_id, name, instructions) select id, 'Agent', 'Be brief.' from auth.users;
    insert into askback.conversations (user_id, id, agent_id)
    select a.user_id, 'c' || n, a.id from askback.agents a, generate_series(1, 2) n;
    insert into askback.runs (id, user_id, conversation_id, turn_id, message_id, root_run_id, status, request_hash, started_at, lease_expires_at, agent_id)
    select run.id, c.user_id, c.id, run.id, run.id::text, run.id, 'completed', 'hash', now() - interval '1 day' + n * interval '1 minute', now(), c.agent_id
    from askback.conversations c, generate_series(1, 4) n, lateral (select gen_random_uuid() as id where c.id is not null and n > 0) run;
    insert into askback.messages (user_id, conversation_id, id, turn_id, role, written_at)
    select user_id, conversation_id, case role when 'user' then role || turn_id else message_id end, turn_id, role, now()
    from askback.runs, unnest(array['user', 'assistant']) role order by started_at, role desc;
    insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
    select r.user_id, r.conversation_id, m.id, r.id, m.sequence, m.entry::json
    from askback.runs r, lateral (values
      ('user' || r.turn_id, -1, '{"type":"user-message","content":"Hello"}'),
      (r.message_id, 0, '{"type":"call","toolCallId":"call"}'),
      (r.message_id, 1, '{"type":"run-end","status":"completed"}')
    ) m (id, sequence, entry);
    insert into askback.tool_executions (id, user_id, conversation_id, turn_id, run_id, session_id, tool_call_id, tool_name, effect, arguments, argument_hash, people, led_by, idempotency_key, status)
    select gen_random_uuid(), user_id, conversation_id, turn_id, id, id || '/1', 'call', 'smtp_send_email', 'write', '{}', 'hash', array['ada@example.com'], 'user' || turn_id, id::text, 'succeeded'
    from askback.runs;
    insert into askback.open_items (user_id, conversation_id, id, message_id, run_id, turn_id, agent_id, kind, intent, tool_call_id, tool_name, asked_at, expires_at, closed_at, closed_as)
    select user_id, conversation_id, 'item' || id, message_id, id, turn_id, agent_id, 'approval', number, 'call' || number, 'smtp_send_email', started_at, now() + interval '7 days',
      case when number > 1 then now() end, case when number > 1 then 'approve' end
    from (select *, row_number() over (partition by user_id, conversation_id order by started_at desc) as number from askback.runs) r;
    update askback.tool_executions set status = 'unknown', tool_call_id = 'lost' where run_id in (select run_id from askback.open_items where closed_at is null);
    insert into askback.llm_usage (user_id, run_id, sequence, provider, model) select user_id, id, 1, 'openai', 'gpt-5' from askback.runs;
    insert into askback.usage (user_id, agent_id, hour, model_calls, tokens, cost_usd)
    select user_id, id, date_trunc('hour', now()) - n * interval '1 hour', 1, 1, 0 from askback.agents, generate_series(0, 9) n;
    insert into askback.connections (user_id, provider, account) select id, 'smtp', email from auth.users;
    set session_replication_role = origin;
    analyze;
  `)
}, 120_000)

const to = { name: 'to', schema: { format: 'email' } }
const amount = { name: 'amount', schema: { type: 'number' } } as const

const large = [
  'conversations',
  'runs',
  'messages',
  'entries',
  'open_items',
  'tool_executions',
  'agents',
  'connections',
  'llm_usage',
  'usage',
]

/** How often each large table was read from end to end, as far as this connection and ended ones know. */
async function countScans(sql: Sql): Promise<Record<string, number>> {
  await sql`select pg_stat_force_next_flush()`
  const rows = await sql`
    select relname, seq_scan::int from pg_stat_user_tables where schemaname = 'askback' and relname in ${sql(large)}`
  return Object.fromEntries(rows.map((row) => [row.relname, row.seq_scan]))
}

test('an owner who reads the own rows reads no large table from end to end', async () => {
  const [someone] = await db.service`select user_id from tool_executions limit 1`
  const owner = connectAs(database.url, 'authenticated', String(someone?.user_id))
  const before = await countScans(owner)
  const own = large.filter((table) => table !== 'usage')
  for (const table of [...own, 'tool_execution_errors', 'tool_execution_sessions']) {
    await owner`select count(*) from ${owner(table)}`
  }
  await owner`select id, open_count from conversations where open_count > 0`
  await owner`select * from messages where conversation_id = 'c1' order by position`
  expect(await countScans(owner)).toEqual(before)
  await owner.end()
})

test('a whole turn reads no large table from end to end', async () => {
  // One connection, so that what it has counted is flushed by itself.
  const [{ pid }] = (await db.service`select pg_backend_pid() as pid`) as [{ pid: number }]
  const before = await countScans(db.service)
  const post = (text: string, facts = {}) =>
    db.postUi(user, { conversationId: 'c1', messages: [userMessage(text, text)], ...facts })
  const turn = await post('one')
  const invocation = write()
  const claim = await db.claim(turn.runId, invocation, numbered(callEntries('call')))
  await db.call('find_same_write', turn.runId, write({ toolCallId: 'other', itemAskedAt: new Date() }))
  const meaning = { sourced: 'ada', named: '', people: ['ada@example.com'], answers: '', repeats: false }
  const other = write({ toolCallId: 'another', arguments: { to: ['ada@example.com'] }, meaning })
  const again = await db.call('find_same_write', turn.runId, other)
  expect(again).toMatchObject({ otherWords: { typed: [{}] } })
  await db.call('write_outcomes', turn.runId, ['call'])
  await db.call('begin_effect', user, {
    deliveryId: randomUUID(),
    idempotencyKey: claim.idempotencyKey,
    toolName: invocation.toolName,
    argumentHash: invocation.argumentHash,
    providers: ['smtp'],
  })
  await db.call('settle_invocation', user, invocation.id, 'succeeded', { ok: true }, 1)
  await db.call('heartbeat_run', turn.runId, 15)
  await db.finish(turn.runId, {
    status: 'needs_input',
    entries: numbered([question({ kind: 'input' })], 3),
  })
  const resumed = await db.call('begin_resume', user, 'c1', {
    runId: randomUUID(),
    type: 'input',
    toolCallId: 'call-1',
  })
  await db.finish(resumed.runId)
  const edit = await post('one', { messageId: 'one' })
  await db.call('stop_run', user, 'c1')
  await db.finish(edit.runId, { status: 'stopped' })
  await db.call('get_run', user, edit.runId)
  await db.call('get_conversation', user, 'c1')
  await db.call('list_items', user)
  await db.call('list_conversations', user)
  await db.call('search_conversations', user, 'one')
  await db.call('askback_private.due_runs', 20)
  expect(await db.service`select pg_backend_pid() as pid`).toEqual([{ pid }])
  expect(await countScans(db.service)).toEqual(before)
})

test('a request of an OpenAI client reads no large table from end to end, named or not', async () => {
  const [{ pid }] = (await db.service`select pg_backend_pid() as pid`) as [{ pid: number }]
  const agentId = await db.call('askback_private.choose_agent', user, null, null)
  const before = await countScans(db.service)
  for (const chat of [
    {},
    { conversationId: 'openai-1' },
    { conversationId: 'openai-1', message: 'client-1' },
  ]) {
    const request = {
      key: 'key',
      agentId,
      words: 'Hello',
      answers: [{ text: 'Hi.', words: 'Hello' }],
      ...chat,
    }
    const begin = () =>
      db.call('begin_completion', user, {
        ...request,
        runId: randomUUID(),
        messages: [{ entry: userEntry('Hello') }],
      })
    const { reply } = await begin()
    const claim = await db.claim(reply.runId, { toolCallId: randomUUID(), arguments: { to: [randomUUID()] } })
    await db.call('settle_invocation', user, claim.invocationId, 'succeeded', { ok: true }, 1)
    await db.finish(reply.runId)
    await db.call('note_told', user, reply.runId, 'Done.')
    await db.call('note_heard', user, 'openai-1', ['item'])
    expect((await begin()).reply).toMatchObject({ kind: 'return', run: { runId: reply.runId } })
  }
  expect(await db.service`select pg_backend_pid() as pid`).toEqual([{ pid }])
  expect(await countScans(db.service)).toEqual(before)
})

test('a turn reads no more of a conversation of 10,000 messages than of one of 100', async () => {
  const readOf = async (messages: number) => {
    const owner = await db.createUser()
    await db.call('askback_private.choose_agent', owner, null, null)
    await database.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await storeConversations(sql, [owner], { count: 1, messages })
    })
    await database.sql`vacuum analyze`
    const read = async () => {
      const request = {
        version: schemaVersion,
        form: 'ui',
        runId: randomUUID(),
        conversationId: storedConversation(0),
        messages: [userMessage(randomUUID(), 'Hello')],
      }
      const [explained] = await db.service.unsafe(
        `explain (analyze, buffers, format json) select askback.begin_turn('${owner}', '${JSON.stringify(request)}')`,
      )
      const plan = explained?.['QUERY PLAN'][0].Plan
      expect(await db.statusOf(request.runId)).toBe('running')
      return Number(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
    }
    // The first one loads the catalogue and plans; so does one after statistics that the server has just renewed by itself.
    await read()
    return Math.min(await read(), await read(), await read())
  }
  const few = await readOf(100)
  expect(await readOf(10_000)).toBeLessThan(1.5 * few)
}, 60_000)

test('a value is looked for only in what was typed, without reading what models and tools have said', async () => {
  const owner = await db.createUser()
  await db.call('askback_private.choose_agent', owner, null, null)
  await database.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await storeConversations(sql, [owner], { count: 1, messages: 10_000 })
  })
  await database.sql`vacuum analyze`
  const messages = [userMessage('m', 'Who is it?')]
  const { runId } = await db.postUi(owner, { conversationId: storedConversation(0), messages })
  const before = await countScans(db.service)
  expect(await db.call('find_value', runId, valuePattern({ value: 'ada@example.org', ...to }))).toEqual([])
  expect(await db.call('find_value', runId, valuePattern({ value: 4999, ...amount }))).toHaveLength(1)
  expect(await countScans(db.service)).toEqual(before)
}, 120_000)

test('what waits in fifty conversations is looked for once, not in each', async () => {
  const [busy] = await db.service`select user_id from open_items limit 1`
  const owner = String(busy?.user_id)
  await database.sql.unsafe(`
    insert into askback.conversations (user_id, id, updated_at)
    select '${owner}', 'more' || n, now() + n * interval '1 minute' from generate_series(1, 50) n;
    insert into askback.messages (user_id, conversation_id, id, turn_id, role)
    select '${owner}', 'more' || n, 'm', gen_random_uuid(), 'assistant' from generate_series(1, 50) n;
    insert into askback.open_items (user_id, conversation_id, id, message_id, run_id, turn_id, kind, intent, tool_call_id, tool_name, asked_at)
    select '${owner}', 'more' || n, 'item', 'm', (select id from askback.runs where user_id = '${owner}' limit 1), gen_random_uuid(), 'input', 1, 'call', 'smtp_send_email', now()
    from generate_series(1, 50) n;
  `)
  const countLooks = async () => {
    await db.service`select pg_stat_force_next_flush()`
    const [row] =
      await db.service`select idx_scan::int from pg_stat_user_tables where schemaname = 'askback' and relname = 'open_items'`
    return Number(row?.idx_scan)
  }
  const before = await countLooks()
  const { conversations: listed } = await db.call('list_conversations', owner)
  expect(listed).toHaveLength(50)
  expect(listed[0].open).toMatchObject({ count: 1, kinds: ['input'] })
  expect((await countLooks()) - before).toBeLessThan(5)
})

test('a search in 10,000 messages reads only what has the words, and pages of them only their messages', async () => {
  const owner = await db.createUser()
  await database.sql.unsafe(`
    insert into askback.conversations (user_id, id, title, updated_at)
    select '${owner}', 'c' || n, 'Talk ' || n, now() - n * interval '1 minute' from generate_series(1, 100) n;
    insert into askback.runs (id, user_id, conversation_id, turn_id, message_id, root_run_id, status, request_hash, lease_expires_at)
    select id, '${owner}', 'c' || c, id, id::text, id, 'completed', 'hash', now()
    from generate_series(1, 100) c, generate_series(1, 100) n, lateral (select gen_random_uuid() as id where c + n > 0) run;
    insert into askback.messages (user_id, conversation_id, id, turn_id, role, written_at)
    select user_id, conversation_id, message_id, turn_id, 'assistant', now() from askback.runs where user_id = '${owner}';
    insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
    select user_id, conversation_id, message_id, id, 0, json_build_object('type', 'model-text', 'text',
      'Said often, beside w' || (row_number() over ()) || ' and ' || repeat('other words ', 40))
    from askback.runs where user_id = '${owner}';
    analyze askback.conversations, askback.runs, askback.messages, askback.entries;
  `)
  const [{ pid }] = (await db.service`select pg_backend_pid() as pid`) as [{ pid: number }]
  const before = await countScans(db.service)
  const rare = await db.call('search_conversations', owner, 'w9999')
  expect(rare.conversations).toHaveLength(1)
  expect((await db.call('search_conversations', owner, 'often', 20)).conversations).toHaveLength(20)
  const page = await db.call('get_conversation', owner, 'c1')
  expect((await db.call('get_conversation', owner, 'c1', page.messages[50].id)).messages).toHaveLength(50)
  await db.call('list_conversations', owner, 20, '2030-01-01T00:00:00Z')
  expect(await db.service`select pg_backend_pid() as pid`).toEqual([{ pid }])
  expect(await countScans(db.service)).toEqual(before)
  const readOf = async (query: string) => {
    const plan = await db.service.unsafe(
      `explain (analyze, buffers, format json) select askback.search_conversations('${owner}', '${query}')`,
    )
    return plan[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']
  }
  // A tenth of what its messages alone are.
  const [{ blocks }] = (await db.service`
    select sum(octet_length(entry::text)) / 8192 as blocks from entries where user_id = ${owner}`) as [
    { blocks: string },
  ]
  await readOf('w9999')
  expect(await readOf('w9999')).toBeLessThan(Number(blocks) / 2)
}, 60_000)

test('figures over all users read only the days they are about', async () => {
  await database.sql.unsafe(`
    set session_replication_role = replica;
    update askback.tool_executions set created_at = now() - interval '200 days';
    update askback.llm_usage set created_at = now() - interval '200 days';
    set session_replication_role = origin;
    insert into askback.llm_usage (user_id, run_id, sequence, provider, model)
    select user_id, gen_random_uuid(), 1, 'openai', 'gpt-5' from askback.runs limit 1000;
    insert into askback.operators (user_id) values ('${user}') on conflict do nothing;
  `)
  await database.sql.unsafe('vacuum (full, analyze) askback.tool_executions')
  await database.sql.unsafe('vacuum (full, analyze) askback.llm_usage')
  const [{ pid }] = (await db.service`select pg_backend_pid() as pid`) as [{ pid: number }]
  const before = await countScans(db.service)
  const act = { id: randomUUID(), operatorId: user }
  expect(await db.call('project_insights', act, 7)).toMatchObject({ modelCalls: 1000, calls: 0 })
  expect(await db.service`select pg_backend_pid() as pid`).toEqual([{ pid }])
  expect(await countScans(db.service)).toEqual(before)
})
