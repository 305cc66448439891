import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { setExposure } from '../../local/database/hosted-project.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

let stack: TestStack
let sql: postgres.Sql

beforeAll(async () => {
  stack = await startStack()
  sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  await sql?.end()
  await stack?.stop()
})

/** The unmodified client of an app, with a user of its own or one to sign in. */
function openClient(key = stack.keys.publishableKey) {
  return createClient(stack.url, key, {
    db: { schema: 'askback' },
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own.
    realtime: { transport: WebSocket as never },
  })
}

async function signUp(email: string) {
  const client = openClient()
  const { data, error } = await client.auth.signUp({ email, password: 'correct horse' })
  expect(error).toBeNull()
  return { client, user: data.user }
}

describe('the data API', () => {
  it('signs a user up, in and out with the unmodified client', async () => {
    const { client, user } = await signUp('ada@example.com')
    expect(user?.email).toBe('ada@example.com')
    await client.auth.signOut()
    const wrong = await client.auth.signInWithPassword({ email: 'ada@example.com', password: 'wrong' })
    expect(wrong.error?.status).toBe(400)
    const right = await client.auth.signInWithPassword({
      email: 'ada@example.com',
      password: 'correct horse',
    })
    expect(right.data.session?.access_token.split('.')).toHaveLength(3)
    expect((await client.auth.getUser()).data.user?.id).toBe(user?.id)
    expect((await client.auth.refreshSession()).error).toBeNull()
  })

  it('shows a user their own rows only', async () => {
    const [{ client: ada }, { client: eve }] = await Promise.all([
      signUp('rls-1@example.com'),
      signUp('rls-2@example.com'),
    ])
    const made = await ada
      .from('agents')
      .insert({ name: 'Mine', instructions: 'Help.' })
      .select('id, created_at')
      .single()
    expect(made.error).toBeNull()
    expect(made.data?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)
    expect((await ada.from('agents').select('name')).data).toEqual([{ name: 'Mine' }])
    expect((await eve.from('agents').select('name')).data).toEqual([])
    expect(
      (await eve.from('agents').update({ name: 'Stolen' }).eq('id', made.data?.id).select()).data,
    ).toEqual([])
    expect((await openClient().from('agents').select('name')).error).not.toBeNull()
  })

  it('grants nothing beyond the migrations, however many requests it has served', async () => {
    const { client } = await signUp('revoke@example.com')
    await client.from('agents').select('id')
    const secrets = await client.from('connection_secrets').select('*')
    expect(secrets.error?.code).toBe('42501')
    const forged = await client.from('tool_executions').insert({ status: 'succeeded' })
    expect(forged.error?.code).toBe('42501')
    const rpc = await client.rpc('list_api_tokens', { p_user_id: '00000000-0000-0000-0000-000000000000' })
    expect(rpc.error?.code).toBe('42501')
  })

  it('keeps a REVOKE also for the service role and for tables without row level security', async () => {
    await sql`create table askback.revoked (id integer)`
    await sql`insert into askback.revoked values (1)`
    await sql`grant select on askback.revoked to service_role, authenticated, anon`
    await sql`revoke select on askback.revoked from authenticated, anon`
    const { client } = await signUp('revoke-2@example.com')
    const service = openClient(stack.keys.secretKey)
    expect((await service.from('revoked').select('id')).data).toEqual([{ id: 1 }])
    expect((await client.from('revoked').select('id')).error?.code).toBe('42501')
    expect((await openClient().from('revoked').select('id')).error?.code).toBe('42501')
    expect((await service.from('revoked').delete().eq('id', 1)).error?.code).toBe('42501')
  })

  it('runs an RPC as the role of its caller', async () => {
    await sql.unsafe(`create function askback.whoami() returns json language sql stable as
      $$ select json_build_object('user', current_user, 'role', auth.role(), 'id', auth.uid(), 'email', auth.email(), 'claims', auth.jwt() ->> 'role') $$`)
    const { client, user } = await signUp('whoami@example.com')
    expect((await client.rpc('whoami')).data).toEqual({
      user: 'authenticated',
      role: 'authenticated',
      id: user?.id,
      email: 'whoami@example.com',
      claims: 'authenticated',
    })
    expect((await openClient(stack.keys.secretKey).rpc('whoami')).data).toMatchObject({
      user: 'service_role',
      id: null,
    })
  })

  it('shows new tables and functions in public only to those whom a migration grants them, and says so', async () => {
    const app = openClient().schema('public')
    await sql`create table public.notes (id integer)`
    expect((await app.from('notes').select('id')).error).toMatchObject({
      code: '42501',
      hint: expect.stringContaining('grant it in a migration'),
    })
    await sql`grant select on public.notes to anon`
    expect((await app.from('notes').select('id')).data).toEqual([])
  })

  it('shows them to everybody where config.toml says so', async () => {
    await setExposure(sql, true)
    try {
      await sql`create table public.letters (id integer)`
      expect((await openClient().schema('public').from('letters').select('id')).data).toEqual([])
    } finally {
      await setExposure(sql, false)
    }
  })

  it('gives each role the time that it has on Supabase', async () => {
    await sql.unsafe(`create function public.times() returns text[] language sql stable as
      $$ select array[current_setting('statement_timeout'), current_setting('lock_timeout')] $$`)
    const timesOf = async (key: string) => (await openClient(key).schema('public').rpc('times')).data
    expect(await timesOf(stack.keys.publishableKey)).toEqual(['3s', '8s'])
    expect(await timesOf(stack.keys.secretKey)).toEqual(['8s', '8s'])
    const { client } = await signUp('times@example.com')
    expect((await client.schema('public').rpc('times')).data).toEqual(['8s', '8s'])
  })

  it('lets a role that is no superuser create the extensions that it may create on Supabase', async () => {
    expect(await sql`select rolsuper from pg_roles where rolname = current_user`).toEqual([
      { rolsuper: false },
    ])
    await sql`create extension moddatetime with schema extensions`
    await expect(sql`create extension file_fdw`).rejects.toThrow('permission denied')
  })

  it('hands JSON over as what it is, into arguments and columns and out of them', async () => {
    await sql.unsafe(`create function askback.kinds(a json, b jsonb) returns json language sql stable as
      $$ select json_build_object('a', json_typeof(a), 'b', jsonb_typeof(b)) $$`)
    const service = openClient(stack.keys.secretKey)
    expect((await service.rpc('kinds', { a: { x: [1] }, b: [1, { y: 'z' }] })).data).toEqual({
      a: 'object',
      b: 'array',
    })
    await sql`create table askback.papers (id integer, a json, b jsonb, at timestamptz)`
    await sql`grant select, insert on askback.papers to service_role`
    const paper = {
      id: 1,
      a: { z: 1, a: [true, null] },
      b: [{ x: 'y' }],
      at: '2026-01-02T03:04:05.678+00:00',
    }
    expect((await service.from('papers').insert(paper)).error).toBeNull()
    expect((await service.from('papers').select('*')).data).toEqual([paper])
  })

  it('asks the database once who calls, and prepares no statement a second time', async () => {
    await sql.unsafe(
      `create function askback.statements() returns json language sql as
        $$ select json_agg(statement) from pg_prepared_statements $$`,
    )
    const admin = postgres(stack.adminUrl, { max: 1 })
    await admin.unsafe(`alter system set log_statement = 'all'`)
    await admin`select pg_reload_conf()`
    const client = openClient(stack.keys.secretKey)
    const log = () => readFileSync(join(stack.dataDirectory, 'postgres.log'), 'utf8')
    try {
      // Connections hear of the setting between two requests; the pool may have several of them.
      while (!/execute \w+: .*"statements"/.test(log())) await client.rpc('statements')
      const before = log().length
      const { data } = await client.rpc('statements')
      const lines = log()
        .slice(before)
        .split(/\n(?=\d{4}-)/)
      const asked = lines.findLastIndex((line) => line.includes('"statements"'))
      const backend = / \[\d+\] /.exec(lines[asked] ?? '')?.[0] ?? 'none'
      // The stack's own clock asks at any time too, by another connection or before and after.
      const ours = lines.flatMap((line, at) => {
        const [, name, verb] = /LOG: {2}(?:statement|execute (\S+)):\s+(\w+)/.exec(line) ?? []
        return verb && line.includes(backend) ? [{ at, verb: verb.toLowerCase(), name }] : []
      })
      const begin = ours.findLastIndex(({ at, verb }) => at < asked && verb === 'begin')
      const commit = ours.findIndex(({ at, verb }) => at > asked && verb === 'commit')
      expect(ours.slice(begin, commit + 1).map(({ verb, name }) => [verb, name !== '<unnamed>'])).toEqual([
        ['begin', true],
        ['select', true],
        ['select', true],
        ['select', true],
        ['commit', true],
      ])
      expect(new Set(data).size).toBe(data.length)
    } finally {
      await admin.unsafe(`alter system reset log_statement`)
      await admin`select pg_reload_conf()`
      await admin.end()
    }
  })

  it('reads a table whose columns were altered, on every connection', async () => {
    await sql`create table askback.altered (value integer)`
    await sql`insert into askback.altered values (1)`
    await sql`grant select on askback.altered to service_role`
    const service = openClient(stack.keys.secretKey)
    const readAll = () =>
      Promise.all(Array.from({ length: 20 }, () => service.from('altered').select('value')))
    await readAll()
    await sql`alter table askback.altered alter value type text`
    for (const { data } of await readAll()) expect(data).toEqual([{ value: '1' }])
  })

  it('hands on what a function raises, and what a constraint refuses, with its status', async () => {
    await sql.unsafe(`create function askback.refuse(code text) returns json language plpgsql as
      $$ begin raise exception 'Not %', code using errcode = code, detail = 'Why', hint = 'Do that'; end $$`)
    await sql`create table askback.narrow (id integer primary key, size integer not null check (size > 0))`
    await sql`grant all on askback.narrow to service_role`
    const service = openClient(stack.keys.secretKey)
    const statuses = {
      P0001: 400,
      P0002: 500,
      '42501': 403,
      '40001': 500,
      '57014': 500,
      '53300': 503,
      AB123: 400,
    }
    for (const [code, status] of Object.entries(statuses)) {
      const answer = await service.rpc('refuse', { code })
      expect([answer.status, answer.error]).toMatchObject([
        status,
        { code, message: `Not ${code}`, details: 'Why', hint: 'Do that' },
      ])
    }
    const insert = async (row: object) => {
      const { status, error } = await service.from('narrow').insert(row)
      return [status, error?.code, error?.details]
    }
    expect(await insert({ id: 1, size: 0 })).toEqual([400, '23514', 'Failing row contains (1, 0).'])
    expect(await insert({ id: 1 })).toEqual([400, '23502', 'Failing row contains (1, null).'])
    expect(await insert({ id: 1, size: 1 })).toEqual([201, undefined, undefined])
    expect(await insert({ id: 1, size: 1 })).toEqual([409, '23505', 'Key (id)=(1) already exists.'])
  })

  it('lets a call only read that is a GET, or is of a function that is declared stable', async () => {
    await sql`create table askback.touched (at timestamptz default now())`
    await sql`grant insert on askback.touched to service_role`
    for (const [name, volatility] of [
      ['touch', 'volatile'],
      ['touch_stably', 'stable'],
    ] as const) {
      await sql.unsafe(`create function askback.${name}_now() returns text language sql volatile as
        $$ insert into askback.touched default values returning 'written' $$`)
      await sql.unsafe(`create function askback.${name}() returns text language sql ${volatility} as
        $$ select askback.${name}_now() $$`)
    }
    const service = openClient(stack.keys.secretKey)
    expect((await service.rpc('touch')).data).toBe('written')
    for (const refused of [
      await service.rpc('touch_stably'),
      await service.rpc('touch_stably', {}, { get: true }),
      await service.rpc('touch', {}, { get: true }),
    ]) {
      expect([refused.status, refused.error?.code]).toEqual([405, '25006'])
    }
  })

  it('calls a function of the application as it is now, after it was changed', async () => {
    await sql.unsafe(
      `create function public.changed(a text) returns text language sql stable as $$ select a $$`,
    )
    await sql.unsafe(`grant execute on function public.changed to anon`)
    const client = createClient(stack.url, stack.keys.publishableKey, {
      realtime: { transport: WebSocket as never },
    })
    expect((await client.rpc('changed', { a: 'first' })).data).toBe('first')
    await sql.unsafe(`drop function public.changed`)
    await sql.unsafe(`create function public.changed(b text) returns text language sql volatile as
      $$ select pg_notify('nobody', b); select b $$`)
    expect((await client.rpc('changed', { b: 'second' })).data).toBe('second')
  })

  it('refuses to write to a view that only shows something', async () => {
    await sql`create view askback.counted as select count(*) as number from askback.tools`
    await sql`grant all on askback.counted to service_role`
    const view = () => openClient(stack.keys.secretKey).from('counted')
    for (const writing of [view().insert({ number: 1 }), view().update({ number: 2 }).eq('number', 1)]) {
      const { status, error } = await writing
      expect([status, error?.message]).toEqual([405, expect.stringMatching(/^cannot .* view "counted"$/)])
    }
  })

  it('refuses a request without a key and one with a wrong key', async () => {
    for (const headers of [undefined, { apikey: 'sb_secret_wrong' }]) {
      const response = await fetch(`${stack.url}/rest/v1/agents`, {
        headers: { ...headers, 'accept-profile': 'askback' },
      })
      expect(response.status).toBe(401)
    }
  })

  it('puts the mail for a forgotten password into the inbox', async () => {
    const { client } = await signUp('forgot@example.com')
    await client.auth.resetPasswordForEmail('forgot@example.com')
    const [mail] = await stack.inbox.messages()
    expect(mail?.to).toEqual(['forgot@example.com'])
    expect(mail?.text).toContain(`${stack.url}/auth/v1/verify?token=`)
  })

  it('answers the preflight of a page of another origin', async () => {
    for (const path of ['/auth/v1/token', '/rest/v1/agents']) {
      const response = await fetch(stack.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:5173',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'apikey,authorization,content-profile,x-client-info',
        },
      })
      expect(response.ok).toBe(true)
      expect(response.headers.get('access-control-allow-origin')).toMatch(/^(\*|http:\/\/localhost:5173)$/)
      expect(response.headers.get('access-control-allow-headers')).toContain('x-client-info')
    }
  })

  it('has a demo user with an agent that has every tool and sends without asking, and with a connection', async () => {
    const client = openClient()
    const { error } = await client.auth.signInWithPassword(stack.demoUser)
    expect(error).toBeNull()
    const { data: agents } = await client.from('agents').select('id, tool_access')
    expect(agents).toEqual([{ id: expect.any(String), tool_access: 'all' }])
    const { data: tools } = await client.from('tools').select('name').order('name')
    const { data: permissions } = await client
      .from('agent_tool_permissions')
      .select('tool_name, approval')
      .order('tool_name')
    expect(permissions).toContainEqual({ tool_name: 'smtp_send_email', approval: 'never' })
    expect(permissions?.map(({ tool_name }) => tool_name)).not.toContain('docs_share')
    expect(tools?.map(({ name }) => name)).toContain('smtp_send_email')
    const { data: connections } = await client.from('connections').select('provider, status, metadata')
    const { host, port, user } = stack.smtp
    expect(connections).toMatchObject([
      { provider: 'smtp', status: 'connected', metadata: { host, port, user } },
    ])
  })
})
