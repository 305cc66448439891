import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectAs, numbered, question, refused, sent, write } from '../../../support/database-calls.ts'
import { otherApp as otherAppId, withClaims } from '../../../support/other-app.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let user: string
let agentId: string
let connectionId: string
let roles: { anon: Sql; owner: Sql; stranger: Sql }
/** The owner, by a token that Supabase's OAuth server issued to another app. */
let otherApp: Sql

/** Tables with rows of a user, and what the owner and a stranger see of them. */
const ownedTables = [
  'api_tokens',
  'agents',
  'agent_llm_preferences',
  'agent_tool_permissions',
  'connections',
  'conversations',
  'messages',
  'runs',
  'entries',
  'open_items',
  'item_links',
  'tool_executions',
  'tool_execution_errors',
  'tool_execution_sessions',
  'llm_usage',
  'documents',
  'files',
  'message_feedback',
  'permissions',
  'schedules',
]
const writableByOwners = ['agents', 'agent_llm_preferences', 'agent_tool_permissions']
/** What no client role may even see. */
const hiddenTables = [
  'approvals',
  'groups',
  'group_members',
  'tool_approvers',
  'budget_notices',
  'declined_calls',
  'deleted_runs',
  'catalogue',
  'client_calls',
  'clock',
  'connection_secrets',
  'copied_chats',
  'document_changes',
  'document_versions',
  'exposed_schemas',
  'limits',
  'message_files',
  'oauth_flows',
  'oauth_grants',
  'offered_functions',
  'removed_objects',
  'rules',
  'bell_key',
  'digest_items',
  'digest_settings',
  'digests',
  'on_open',
  'rings',
  'operator_log',
  'operators',
  'mcp_grants',
  'mcp_servers',
  'mcp_tools',
  'parked_questions',
  'pushed_requests',
  'server_flows',
  'server_grants',
  'server_registrations',
  'readers',
  'refused_tools',
  'schedule_times',
  'streams',
  'usage',
  'woken_items',
]
const catalogueTables = ['tools', 'integrations']

beforeAll(async () => {
  user = await db.createUser()
  const turn = await db.postText(user, { conversationId: 'c1', messageId: 'm1', text: 'Write to Ada.' })
  agentId = turn.agent.id
  connectionId = randomUUID()
  await db.call('store_connection', user, {
    id: connectionId,
    provider: 'smtp',
    secrets: [{ field: 'password', ciphertext: 'cipher', keyId: 'k1', version: 1 }],
  })
  await db.service`insert into agent_llm_preferences (agent_id, model) values (${agentId}, 'gpt-5')`
  await db.service`insert into agent_tool_permissions (agent_id, tool_name) values (${agentId}, 'smtp_send_email')`
  await db.call('create_api_token', user, {
    id: randomUUID(),
    name: 'Editor',
    hash: 'hash',
    prefix: 'askb_1',
  })
  await db.call('create_document', user, 'key', 'Plan', '')
  const sha256 = 'a'.repeat(64)
  const file = { id: randomUUID(), filename: 'plan.txt', mediaType: 'text/plain', size: 5, sha256 }
  await db.call('store_file', user, file, 10_000, btoa('Plan.'))
  await db.claim(turn.runId)
  await db.finish(turn.runId, {
    invocations: [{ ...write({ intent: 2 }), status: 'rejected', result: refused, durationMs: 0 }],
    entries: numbered([{ type: 'step-end', provider: 'openai', model: 'gpt-5', usage: {} }, question()]),
  })
  const link = { id: randomUUID(), itemId: question().itemId, hash: 'hash', decides: false, seconds: 60 }
  await db.call('create_item_link', link, user)
  const limit = { path: 'to', pattern: '*@acme.com', max: 20, per: 'day' }
  await db.call('add_permission', user, { agentId, toolName: 'smtp_send_email', ...limit })
  await db.call('add_schedule', user, {
    message: 'Hello',
    cron: '0 9 * * *',
    timeZone: 'UTC',
    missed: 'run',
    nextAt: '2099-01-01T09:00:00Z',
  })
  await db.call('rate_message', user, 'c1', turn.messageId, 'bad', 'Too long.')
  await db.service`insert into operators (user_id) values (${user})`
  roles = {
    anon: connectAs(database.url, 'anon'),
    owner: connectAs(database.url, 'authenticated', user),
    stranger: connectAs(database.url, 'authenticated', await db.createUser()),
  }
  otherApp = connectAs(database.url, 'authenticated', user, { client_id: otherAppId })
})

afterAll(async () => {
  await Promise.all([...Object.values(roles ?? {}), otherApp].map((sql) => sql?.end()))
})

const count = async (sql: Sql, table: string) =>
  Number((await sql.unsafe(`select count(*) from ${table}`))[0]?.count)
/** SQLSTATE of what the statement is refused with. */
const refusal = (sql: Sql, statement: string): Promise<string | undefined> =>
  sql.unsafe(statement).then(
    () => undefined,
    (error) => error.code,
  )
const denied = '42501'

test('every table has row level security, and every one is in these tests', async () => {
  const tables = await db.service`
    select relname, relrowsecurity from pg_class where relnamespace = 'askback'::regnamespace and relkind = 'r' order by relname`
  expect(tables.filter((table) => !table.relrowsecurity)).toEqual([])
  const views = ['tool_execution_errors', 'tool_execution_sessions']
  expect(tables.map((table) => table.relname)).toEqual(
    [...ownedTables, ...catalogueTables, ...hiddenTables].filter((name) => !views.includes(name)).sort(),
  )
})

describe.each(ownedTables)('%s', (table) => {
  test('the owner reads the own rows', async () => {
    expect(await count(roles.owner, table)).toBeGreaterThan(0)
  })

  test('a stranger sees none of them', async () => {
    expect(await count(roles.stranger, table)).toBe(0)
  })

  test('anon may not even ask', async () => {
    expect(await refusal(roles.anon, `select count(*) from askback.${table}`)).toBe(denied)
  })

  test('the service role reads and writes', async () => {
    expect(await count(db.service, table)).toBeGreaterThan(0)
  })
})

describe.each(ownedTables.filter((table) => !writableByOwners.includes(table)))('%s', (table) => {
  test('nobody writes to it over the data API', async () => {
    const column = table.startsWith('agent_') ? 'agent_id' : 'user_id'
    const statements = [
      `delete from askback.${table}`,
      `insert into askback.${table} default values`,
      `truncate askback.${table}`,
      `update askback.${table} set ${column} = ${column}`,
    ]
    for (const sql of [roles.owner, roles.stranger, roles.anon]) {
      for (const statement of statements) {
        // Denied; of a view also "not a table" and "cannot be changed".
        expect([denied, '42809', '55000']).toContain(await refusal(sql, statement))
      }
    }
  })
})

describe('secrets', () => {
  test('no client role reads or writes them', async () => {
    for (const sql of Object.values(roles)) {
      for (const table of hiddenTables) {
        for (const statement of ['select * from', 'delete from', 'truncate']) {
          expect(await refusal(sql, `${statement} askback.${table}`)).toBe(denied)
        }
      }
    }
    expect(await count(db.service, 'connection_secrets')).toBe(1)
  })

  test('an owner sees what a file is called, and gets no bytes of it this way', async () => {
    expect(await roles.owner`select filename, size from files`).toEqual([{ filename: 'plan.txt', size: 5 }])
    for (const column of ['content', 'object', 'reading', '*']) {
      expect(await refusal(roles.owner, `select ${column} from askback.files`)).toBe(denied)
    }
  })

  test('an owner sees which links there are, and never what opens them', async () => {
    expect(await roles.owner`select item_id, decides from item_links`).toEqual([
      { item_id: question().itemId, decides: false },
    ])
    for (const columns of ['hash', '*']) {
      expect(await refusal(roles.owner, `select ${columns} from askback.item_links`)).toBe(denied)
    }
  })

  test('an owner sees what a token is called, and never its hash', async () => {
    expect(await roles.owner`select name, prefix from api_tokens`).toEqual([
      { name: 'Editor', prefix: 'askb_1' },
    ])
    for (const columns of ['hash', '*']) {
      expect(await refusal(roles.owner, `select ${columns} from askback.api_tokens`)).toBe(denied)
    }
  })
})

describe('the catalogue', () => {
  test.each(catalogueTables)(
    '%s: everybody signed in reads it, nobody changes it, anon sees nothing',
    async (table) => {
      expect(await count(roles.stranger, table)).toBeGreaterThan(0)
      expect(await refusal(roles.anon, `select * from askback.${table}`)).toBe(denied)
      expect(await refusal(roles.owner, `delete from askback.${table}`)).toBe(denied)
      expect(await refusal(roles.owner, `update askback.${table} set position = 0`)).toBe(denied)
    },
  )
})

describe('agents and their permissions', () => {
  test('an owner makes, changes and deletes agents', async () => {
    const [agent] =
      await roles.owner`insert into agents (name, instructions) values ('Mine', 'Be brief.') returning id, user_id`
    expect(agent?.user_id).toBe(user)
    const id = String(agent?.id)
    expect((await roles.owner`update agents set name = 'Still mine' where id = ${id}`).count).toBe(1)
    await roles.owner`insert into agent_tool_permissions (agent_id, tool_name, approval, connection_id) values (${id}, 'smtp_send_email', 'never', ${connectionId})`
    await roles.owner`insert into agent_llm_preferences (agent_id, model, temperature) values (${id}, 'gpt-5', 0.2)`
    expect((await roles.owner`delete from agents where id = ${id}`).count).toBe(1)
  })

  test('a stranger changes nothing of them', async () => {
    const { stranger } = roles
    expect((await stranger`update agents set name = 'Taken'`).count).toBe(0)
    expect((await stranger`delete from agents`).count).toBe(0)
    expect((await stranger`update agent_tool_permissions set approval = 'never'`).count).toBe(0)
    expect((await stranger`delete from agent_tool_permissions`).count).toBe(0)
    expect((await stranger`update agent_llm_preferences set model = 'other'`).count).toBe(0)
    expect((await stranger`delete from agent_llm_preferences`).count).toBe(0)
    for (const statement of [
      `insert into askback.agents (user_id, name, instructions) values ('${user}', 'Planted', 'Obey.')`,
      `insert into askback.agent_tool_permissions (agent_id, tool_name) values ('${agentId}', 'smtp_test_connection')`,
      `insert into askback.agent_llm_preferences (agent_id, model) values ('${agentId}', 'other') on conflict (agent_id) do update set model = 'other'`,
    ]) {
      expect(await refusal(stranger, statement)).toBe(denied)
    }
  })

  test('nobody gives an agent away, makes a default one, or pins another user’s connection', async () => {
    const { owner, stranger } = roles
    expect(await refusal(owner, `update askback.agents set user_id = gen_random_uuid()`)).toBe(denied)
    expect(
      await refusal(
        owner,
        `insert into askback.agents (name, instructions, is_default) values ('A', 'B', true)`,
      ),
    ).toBe(denied)
    const [agent] =
      await stranger`insert into agents (name, instructions) values ('Theirs', 'Be brief.') returning id`
    expect(
      await refusal(
        stranger,
        `insert into askback.agent_tool_permissions (agent_id, tool_name, connection_id) values ('${agent?.id}', 'smtp_send_email', '${connectionId}')`,
      ),
    ).toBe(denied)
    await stranger`delete from agents`
  })

  test('an agent without a name or instructions is refused', async () => {
    for (const [name, instructions] of [
      ['', 'x'],
      [' \n', 'x'],
      ['x', ''],
      ['x', '\t'],
    ]) {
      expect(
        await refusal(
          roles.owner,
          `insert into askback.agents (name, instructions) values ('${name}', '${instructions}')`,
        ),
      ).toBe('23514')
    }
  })
})

describe('a token of another app', () => {
  test('reads nothing of a table or view', async () => {
    const readable = await db.service`
      select c.relname as name, (
        select string_agg(quote_ident(attname), ', ') from pg_attribute
        where attrelid = c.oid and attnum > 0 and has_column_privilege('authenticated', c.oid, attnum, 'select')
      ) as columns
      from pg_class c
      where c.relnamespace = 'askback'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and has_any_column_privilege('authenticated', c.oid, 'select')`
    expect(readable.map(({ name }) => name).sort()).toEqual([...ownedTables, ...catalogueTables].sort())
    for (const { name, columns } of readable) {
      expect(await roles.owner.unsafe(`select ${columns} from ${name} limit 1`), name).toHaveLength(1)
      expect(await otherApp.unsafe(`select ${columns} from ${name}`), name).toEqual([])
    }
  })

  test('changes and deletes nothing, and adds nothing', async () => {
    const changes = [
      `update askback.agents set instructions = 'Obey.'`,
      `update askback.agents set tool_access = 'all'`,
      `update askback.agent_tool_permissions set approval = 'never'`,
      `update askback.agent_llm_preferences set model = 'other'`,
      ...writableByOwners.map((table) => `delete from askback.${table}`),
    ]
    for (const change of changes) expect((await otherApp.unsafe(change)).count, change).toBe(0)
    for (const addition of [
      `insert into askback.agents (name, instructions) values ('Planted', 'Obey.')`,
      `insert into askback.agent_tool_permissions (agent_id, tool_name, approval) values ('${agentId}', 'smtp_test_connection', 'never')`,
      `insert into askback.agent_tool_permissions (agent_id, tool_name) values ('${agentId}', 'smtp_send_email')
       on conflict (agent_id, tool_name) do update set approval = 'never'`,
      `insert into askback.agent_llm_preferences (agent_id, model) values ('${agentId}', 'other')
       on conflict (agent_id) do update set model = 'other'`,
    ]) {
      expect(await refusal(otherApp, addition), addition).toBe(denied)
    }
  })

  test('is kept off every table by a policy of its own', async () => {
    const open = await db.service`
      select c.relname from pg_class c
      where c.relnamespace = 'askback'::regnamespace and c.relkind in ('r', 'p') and not exists (
        select from pg_policy p
        where p.polrelid = c.oid and not p.polpermissive and p.polcmd = '*' and p.polroles = '{0}'
          and pg_get_expr(p.polqual, c.oid) = '(( SELECT (auth.jwt() ->> ''client_id''::text)) IS NULL)'
          and p.polwithcheck is null
      )`
    expect(open.map(({ relname }) => relname)).toEqual([])
    const [unguarded] = await db.service`
      select coalesce(array_agg(relname), '{}') as names from pg_class
      where relnamespace = 'askback'::regnamespace and (
        relkind in ('m', 'f') or (relkind = 'v' and not coalesce(reloptions @> '{security_invoker=true}', false))
      )`
    expect(unguarded?.names).toEqual([])
  })

  test('gets nothing from any function that it may execute', async () => {
    const executable = await db.service`
      select p.oid::regprocedure::text as name, p.proname, p.pronargs, p.prosrc,
        p.pronamespace = 'askback'::regnamespace as "isExposed"
      from pg_proc p
      where p.pronamespace in ('askback'::regnamespace, 'askback_private'::regnamespace)
        and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))`
    expect(executable.length).toBeGreaterThan(0)
    for (const { name, proname, pronargs, prosrc, isExposed } of executable) {
      expect(prosrc.includes("(select auth.jwt() ->> 'client_id') is null"), name).toBe(true)
      // The others are called by policies only.
      if (!isExposed) continue
      const nulls = Array(pronargs).fill('null').join(', ')
      const call = `select * from askback.${proname}(${nulls}) as result where result is not null`
      expect(await roles.owner.unsafe(call), name).not.toEqual([])
      expect(await otherApp.unsafe(call), name).toEqual([])
    }
  })

  test('hears nothing over Realtime: no table is published', async () => {
    expect(await db.service`select * from pg_publication_tables where schemaname = 'askback'`).toEqual([])
  })
})

describe('functions', () => {
  test('only the service role may execute any that writes, and all have an empty search path', async () => {
    const functions = await db.service`
      select p.oid::regprocedure::text as name, p.proconfig,
        has_function_privilege('anon', p.oid, 'execute') as anon,
        has_function_privilege('authenticated', p.oid, 'execute') as authenticated
      from pg_proc p where p.pronamespace in ('askback'::regnamespace, 'askback_private'::regnamespace)
      order by name`
    expect(functions.length).toBeGreaterThan(20)
    expect(functions.filter((one) => one.anon).map((one) => one.name)).toEqual([])
    // Insights read what row level security lets the user read.
    expect(functions.filter((one) => one.authenticated).map((one) => one.name)).toEqual([
      'askback_private.may_change_data()',
      'askback_private.may_use_data()',
      'count_waiting()',
      'insights(integer,text)',
    ])
    expect(
      functions.filter((one) => !one.proconfig?.includes('search_path=""')).map((one) => one.name),
    ).toEqual([])
  })

  test('nobody but the service role may use the schema of the helpers', async () => {
    const [may] = await db.service`
      select has_schema_privilege('anon', 'askback_private', 'usage') as anon,
        has_schema_privilege('authenticated', 'askback_private', 'usage') as authenticated,
        has_schema_privilege('service_role', 'askback_private', 'usage') as service`
    expect(may).toEqual({ anon: false, authenticated: false, service: true })
    for (const sql of Object.values(roles)) {
      expect(await refusal(sql, 'select askback_private.may_use_data()')).toBe(denied)
    }
  })

  test('a signed-in user calls no RPC, not even for the own conversation', async () => {
    const [execution] = await db.service`select id from tool_executions where user_id = ${user} limit 1`
    for (const call of [
      `askback.begin_turn('${user}', '{}')`,
      `askback.settle_invocation('${user}', '${execution?.id}', 'succeeded', '${JSON.stringify(sent)}')`,
      `askback.load_connections('${user}', array['smtp'])`,
      `askback.get_conversation('${user}', 'c1')`,
      `askback.user_facts('${user}')`,
      `askback.is_operator('${user}')`,
      `askback.read_run('{}', '${randomUUID()}')`,
      `askback.switch_tool('{}', 'smtp_send_email', false)`,
    ]) {
      for (const sql of Object.values(roles)) expect(await refusal(sql, `select ${call}`)).toBe(denied)
    }
  })

  test('only what counts items of others, or reads, locks or changes auth.users or the rules runs with its owner’s rights, and every trigger that uses a table', async () => {
    const functions = await db.service`
      select proname as name, prosecdef as "isDefiner", prorettype = 'trigger'::regtype as "isTrigger"
      from pg_proc where pronamespace in ('askback'::regnamespace, 'askback_private'::regnamespace) order by proname`
    const named = (filter: (one: (typeof functions)[number]) => boolean) =>
      functions.filter(filter).map(({ name }) => name)
    expect(named((one) => one.isDefiner && !one.isTrigger)).toEqual([
      'account_refusal',
      'confirmed_readers',
      'count_waiting',
      'delete_account',
      'hold_account',
      'may_change_data',
      'may_use_data',
      'user_claims',
      'user_facts',
    ])
    expect(named((one) => one.isTrigger && !one.isDefiner)).toEqual(['touch_approval_at', 'touch_updated_at'])
  })
})

describe('over the data API of the local stack', () => {
  // It prints every refused statement.
  beforeAll(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })
  afterAll(() => {
    vi.restoreAllMocks()
  })

  const send = async (
    path: string,
    key: string,
    init: { token?: string; body?: unknown; method?: string } = {},
  ) => {
    const response = await database.dataApi.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
        headers: {
          apikey: key,
          'content-type': 'application/json',
          'accept-profile': 'askback',
          'content-profile': 'askback',
          prefer: 'return=representation',
          ...(init.token ? { authorization: `Bearer ${init.token}` } : {}),
        },
        ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
      }),
    )
    return { status: response.status, body: await response.json() }
  }
  const signUp = async () => {
    const email = `${randomUUID()}@example.com`
    const { body } = await send('/auth/v1/signup', database.keys.publishableKey, {
      body: { email, password: 'correct horse' },
    })
    return { id: String(body.user.id), token: String(body.access_token) }
  }

  test('a signed-in user edits the own agents and reads the own conversations, nothing else', async () => {
    const { publishableKey } = database.keys
    const [ada, eve] = [await signUp(), await signUp()]
    await db.postText(ada.id, { conversationId: 'c1', text: 'Hello' })
    const agent = { name: 'Mine', instructions: 'Be brief.' }
    const made = await send('/rest/v1/agents', publishableKey, { token: ada.token, body: agent })
    expect(made).toMatchObject({ status: 201, body: [{ ...agent, user_id: ada.id }] })
    const mine = await send('/rest/v1/conversations?select=id', publishableKey, { token: ada.token })
    expect(mine).toEqual({ status: 200, body: [{ id: 'c1' }] })
    for (const table of ['agents', 'conversations', 'messages', 'runs']) {
      expect(await send(`/rest/v1/${table}`, publishableKey, { token: eve.token })).toEqual({
        status: 200,
        body: [],
      })
    }
    const stolen = await send('/rest/v1/agents', publishableKey, {
      token: eve.token,
      body: { ...agent, user_id: ada.id },
    })
    expect(stolen.status).toBe(403)
    const message = {
      user_id: ada.id,
      conversation_id: 'c1',
      id: 'x',
      turn_id: randomUUID(),
      role: 'assistant',
    }
    expect(
      (await send('/rest/v1/messages', publishableKey, { token: ada.token, body: message })).status,
    ).toBe(403)
    expect((await send('/rest/v1/connection_secrets', publishableKey, { token: ada.token })).status).toBe(403)
    const rpc = await send('/rest/v1/rpc/get_conversation', publishableKey, {
      token: ada.token,
      body: { p_user_id: ada.id, p_conversation_id: 'c1' },
    })
    expect(rpc.status).toBe(403)
  })

  test('a token of another app rewrites no agent, allows nothing without asking, and reads nothing', async () => {
    const { publishableKey, jwtSecret } = database.keys
    const ada = await signUp()
    const token = await withClaims(ada.token, jwtSecret)
    const { agent } = await db.postText(ada.id, { conversationId: 'c1', text: 'Hello' })
    const allowed = { agent_id: agent.id, tool_name: 'smtp_send_email', approval: 'always' }
    const made = await send('/rest/v1/agent_tool_permissions', publishableKey, {
      token: ada.token,
      body: allowed,
    })
    expect(made.status).toBe(201)
    for (const [path, body] of [
      [`/rest/v1/agents?id=eq.${agent.id}`, { instructions: 'Obey.' }],
      [`/rest/v1/agent_tool_permissions?agent_id=eq.${agent.id}`, { approval: 'never' }],
    ] as const) {
      expect((await send(path, publishableKey, { token, method: 'PATCH', body })).body).toEqual([])
      expect((await send(path, publishableKey, { token, method: 'DELETE' })).body).toEqual([])
    }
    const planted = { ...allowed, tool_name: 'smtp_test_connection', approval: 'never' }
    const added = await send('/rest/v1/agent_tool_permissions', publishableKey, { token, body: planted })
    expect(added).toMatchObject({ status: 403, body: { code: denied } })
    for (const path of ['agents', 'conversations', 'tools', 'tool_execution_errors']) {
      expect((await send(`/rest/v1/${path}`, publishableKey, { token })).body).toEqual([])
    }
    const insights = { token, body: { p_days: 7 } }
    expect((await send('/rest/v1/rpc/insights', publishableKey, insights)).body).toBeNull()
    expect((await send('/rest/v1/rpc/count_waiting', publishableKey, { token, body: {} })).body).toBeNull()
    const left = await send('/rest/v1/agent_tool_permissions', publishableKey, { token: ada.token })
    expect(left.body).toMatchObject([allowed])
  })

  test('without a user nothing is readable; with the secret key the RPCs are', async () => {
    const { publishableKey, secretKey } = database.keys
    for (const path of ['connection_secrets', 'conversations', 'tools']) {
      expect((await send(`/rest/v1/${path}`, publishableKey)).status).toBeGreaterThanOrEqual(400)
    }
    const body = { p_user_id: user }
    expect(
      (await send('/rest/v1/rpc/list_conversations', publishableKey, { body })).status,
    ).toBeGreaterThanOrEqual(400)
    expect((await send('/rest/v1/rpc/list_conversations', secretKey, { body })).body).toMatchObject({
      conversations: [{ id: 'c1' }],
    })
  })
})
