import { createHmac } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { bellOf } from '../../support/bell.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-server.ts'
import { type RingServer, startRingServer } from '../../support/ring-server.ts'
import { useStarted } from '../../support/use-started.ts'

// Whoever should know that something waits is told once, and once more when it no longer does.

const chat = useStarted(() => startChatStack())
let servers: RingServer[] = []
let ring: () => Promise<void>

beforeAll(() => {
  ring = bellOf(chat.stack)
})
afterEach(async () => {
  await sql((sql) => sql`delete from askback.on_open`)
  await Promise.all(servers.map((server) => server.close()))
  servers = []
})

const sql: <T>(use: Parameters<typeof withDatabase<T>>[1]) => Promise<T> = (use) =>
  withDatabase(chat.stack, use)
const secret = 'what-signs-the-requests'

async function destination(url?: string): Promise<RingServer> {
  const server = await startRingServer()
  servers.push(server)
  await sql((sql) => sql`insert into askback.on_open (url, secret) values (${url ?? server.url}, ${secret})`)
  return server
}

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'A body that nobody else may read' }

/** Something that waits for its user in the conversation `c`. */
async function asked(): Promise<{ user: ChatUser; item: PendingItem }> {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([callTool('smtp_send_email', mail), ...Array(3).fill(say('Sent.'))])
  const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com', messageId: 'm-1' })
  const [item] = (answer.pending ?? []) as PendingItem[]
  if (!item) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
  return { user, item }
}

/** As if the wait between attempts were over. */
const later = () => sql((sql) => sql`update askback.rings set next_at = now() where next_at is not null`)
const rings = () =>
  sql(
    (sql) =>
      sql`select type, attempts, status, heard_at is not null as heard from askback.rings order by created_at`,
  )

it('says which group decides what waits', async () => {
  const server = await destination()
  await sql(async (sql) => {
    const [group] = await sql`insert into askback.groups (name) values ('Finance') returning id`
    await sql`
      insert into askback.tool_approvers (tool_name, who, group_id) values ('smtp_send_email', 'group', ${group?.id})`
  })
  try {
    const { item } = await asked()
    await ring()
    expect(server.heard.map(({ body }) => body)).toMatchObject([{ itemId: item.itemId, who: 'Finance' }])
  } finally {
    await sql((sql) => sql`delete from askback.tool_approvers where agent_id is null`)
  }
})

it('tells once that something waits, signed, with its heading and a link that takes a sign-in', async () => {
  const server = await destination()
  const { user, item } = await asked()
  await Promise.all([ring(), ring(), ring()])
  await ring()
  const [heard, ...more] = server.heard
  expect(more).toEqual([])
  expect(heard?.body).toEqual({
    type: 'opened',
    itemId: item.itemId,
    kind: 'approval',
    agent: 'Mail agent',
    sentence: item.confirm,
    link: expect.stringMatching(/^https:\/\/app\.example\.com\/open#askl_[\w-]{43}$/),
  })
  expect(heard?.text).not.toContain('nobody else may read')
  const [, seconds, signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(heard?.headers['x-askback-signature'])) ?? []
  expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(60)
  expect(createHmac('sha256', secret).update(`${seconds}.${heard?.text}`).digest('hex')).toBe(signature)

  const opened = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
      headers: { 'x-askback-link': token, ...headers },
    }).then((response) => response.json())
  const token = new URL(heard?.body.link).hash.slice(1)
  expect(await opened(token)).toMatchObject({ signIn: 'needed', decides: false })
  expect(await opened(token, { authorization: `Bearer ${user.token}` })).toMatchObject({
    item: { itemId: item.itemId, values: mail },
  })
})

it('tells once more when it closes, how, and with the same link', async () => {
  const server = await destination()
  const { user, item } = await asked()
  await ring()
  await user.post(decisionOn(item, 'approve'), { path: '/c/approval' })
  await ring()
  await ring()
  expect(server.heard.map(({ body }) => body.type)).toEqual(['opened', 'closed'])
  const [opened, closed] = server.heard
  expect(closed?.body).toEqual({
    ...opened?.body,
    type: 'closed',
    outcome: { as: 'approve' },
  })
  expect(await chat.stack.inbox.messages()).toHaveLength(1)
})

it('says who decided by a link', async () => {
  const server = await destination()
  const { user, item } = await asked()
  await ring()
  const { body } = await user.send('POST', `/open/${item.itemId}/link`, { decides: true, name: 'Ben Weber' })
  const token = new URL((body as { link: { url: string } }).link.url).hash.slice(1)
  await fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
    method: 'POST',
    headers: { 'x-askback-link': token, 'content-type': 'application/json' },
    body: JSON.stringify({ decision: 'deny' }),
  })
  await ring()
  expect(server.heard.at(-1)?.body.outcome).toEqual({
    as: 'deny',
    by: { door: 'link', name: 'Ben Weber' },
  })
})

it('tells nothing of what was decided before anybody was told', async () => {
  const server = await destination()
  const { user, item } = await asked()
  await user.post(decisionOn(item, 'approve'), { path: '/c/approval' })
  await ring()
  expect(server.heard).toEqual([])
  expect(await rings()).toEqual([])
})

it('tries again later where it was answered with a failure, and then no more', async () => {
  const server = await destination()
  server.answer({ status: 500 })
  await asked()
  await ring()
  await ring()
  expect(server.heard).toHaveLength(1)
  await later()
  await ring()
  expect(server.heard).toHaveLength(2)
  server.answer({ status: 200 })
  await later()
  await ring()
  await later()
  await ring()
  expect(server.heard).toHaveLength(3)
  expect(new Set(server.heard.map(({ text }) => text)).size).toBe(1)
  expect(new Set(server.heard.map(({ headers }) => headers['x-askback-delivery'])).size).toBe(1)
  expect(await rings()).toEqual([{ type: 'opened', attempts: 3, status: 200, heard: true }])
})

it('tells an address once that was written twice, with the newer secret', async () => {
  const server = await destination()
  await expect(destination(server.url)).rejects.toThrow(/on_open_url_key/)
  await sql(
    (sql) => sql`
      insert into askback.on_open (url, secret) values (${server.url}, 'another')
      on conflict (url) do update set secret = excluded.secret`,
  )
  await asked()
  await ring()
  expect(server.heard).toHaveLength(1)
  const { headers, text } = server.heard[0] ?? {}
  const [, seconds, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers?.['x-askback-signature'])) ?? []
  expect(createHmac('sha256', 'another').update(`${seconds}.${text}`).digest('hex')).toBe(signature)
})

it('waits longer after each answer of 500, and is heard once for each state when it recovers', async () => {
  const server = await destination()
  server.answer({ status: 500 })
  const { user, item } = await asked()
  const waits: number[] = []
  for (let attempt = 1; attempt <= 8; attempt++) {
    await ring()
    await ring()
    expect(server.heard).toHaveLength(attempt)
    const [row] = await sql(
      (sql) =>
        sql`select extract(epoch from next_at - now())::integer as seconds from askback.rings where next_at is not null`,
    )
    waits.push(Math.round(row?.seconds / 30) / 2)
    await later()
  }
  expect(waits).toEqual([0.5, 1, 5, 15, 60, 180, 360, 720])
  server.answer({ status: 200 })
  await ring()
  await user.post(decisionOn(item, 'deny'), { path: '/c/approval' })
  server.answer({ status: 500 })
  await ring()
  server.answer({ status: 200 })
  for (let time = 0; time < 3; time++) {
    await later()
    await ring()
  }
  const heard = server.heard.slice(8).map(({ body }) => body.type)
  expect(heard).toEqual(['opened', 'closed', 'closed'])
  expect(await rings()).toMatchObject([
    { type: 'opened', attempts: 9, status: 200, heard: true },
    { type: 'closed', attempts: 2, status: 200, heard: true },
  ])
})

it('says only that it is closed to a webhook that recovers after that', async () => {
  const server = await destination()
  server.answer({ status: 500 })
  const { user, item } = await asked()
  await ring()
  await user.post(decisionOn(item, 'deny'), { path: '/c/approval' })
  server.answer({ status: 200 })
  for (let time = 0; time < 3; time++) {
    await later()
    await ring()
  }
  expect(server.heard.map(({ body }) => body.type)).toEqual(['opened', 'closed'])
})

it('gives up after nine attempts', async () => {
  const server = await destination()
  server.answer({ status: 503 })
  await asked()
  for (let attempt = 0; attempt < 12; attempt++) {
    await later()
    await ring()
  }
  expect(server.heard).toHaveLength(9)
})

it('is not kept from others by one that never answers', { timeout: 60_000 }, async () => {
  const silent = await destination()
  silent.answer('silence')
  const server = await destination()
  await asked()
  await ring()
  expect(server.heard).toHaveLength(1)
  expect(await rings()).toEqual(
    expect.arrayContaining([
      { type: 'opened', attempts: 1, status: 200, heard: true },
      { type: 'opened', attempts: 1, status: null, heard: false },
    ]),
  )
})

it('follows no redirect, and rings at no private address', async () => {
  const inside = await startRingServer()
  servers.push(inside)
  const server = await destination()
  server.answer({ status: 307, location: inside.url })
  for (const url of ['http://10.0.0.1/ring', 'http://169.254.169.254/latest', 'http://[fd00::1]/ring'])
    await sql((sql) => sql`insert into askback.on_open (url, secret) values (${url}, ${secret})`)
  await asked()
  await ring()
  expect(server.heard).toHaveLength(1)
  expect(inside.heard).toEqual([])
  expect((await rings()).map(({ status }) => status)).toEqual(expect.arrayContaining([307, null, null, null]))
})

describe('a secret', () => {
  const headers = () => ({
    apikey: chat.stack.keys.secretKey,
    authorization: `Bearer ${chat.stack.keys.secretKey}`,
    'content-type': 'application/json',
    'content-profile': 'askback',
    'accept-profile': 'askback',
    prefer: 'return=representation',
  })
  /** What is answered to somebody who writes or reads destinations over the Data API. */
  const rest = async (method: string, query: string, body?: object, more: Record<string, string> = {}) => {
    const response = await fetch(`${chat.stack.url}/rest/v1/on_open${query}`, {
      method,
      headers: { ...headers(), ...more },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as Record<string, string>[]
  }
  /** The tables of all schemas that hold a text. */
  const tablesWith = (text: string) =>
    sql(async (sql) => {
      const tables = await sql`
        select format('%I.%I', n.nspname, c.relname) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and c.relnamespace <> 'pg_catalog'::regnamespace
          and has_table_privilege(c.oid, 'select')`
      const found: string[] = []
      for (const { name } of tables) {
        const [row] = await sql.unsafe(
          `select exists (select from ${name} one where one::text like '%${text}%') as "isThere"`,
        )
        if (row?.isThere) found.push(String(name))
      }
      return found
    })
  /** Whether what waits now is told with a signature of this secret. */
  const signs = async (server: RingServer, by: string) => {
    await asked()
    await ring()
    const { headers, text } = server.heard.at(-1) ?? {}
    const [, seconds, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers?.['x-askback-signature'])) ?? []
    return createHmac('sha256', by).update(`${seconds}.${text}`).digest('hex') === signature
  }
  const server = async () => {
    const started = await startRingServer()
    servers.push(started)
    return started
  }

  it('is in no table as it was written, and signs', async () => {
    const { url, ...started } = await server()
    const [row] = await rest('POST', '', { url, secret: 'plain-of-an-insert' })
    expect(row?.secret).toMatch(/^sealed:[0-9a-f]{512}$/)
    expect(await tablesWith('plain-of-an-insert')).toEqual([])
    expect(await tablesWith(row?.secret ?? '')).toEqual(['askback.on_open'])
    expect(await signs({ url, ...started }, 'plain-of-an-insert')).toBe(true)
  })

  it('is sealed when it is changed and upserted, and stays when the row is written back', async () => {
    const started = await server()
    const [row] = await rest('POST', '', { url: started.url, secret: 'plain-of-an-insert' })
    await rest('PATCH', `?id=eq.${row?.id}`, { secret: 'plain-of-an-update' })
    expect(await tablesWith('plain-of-an-update')).toEqual([])
    expect(await signs(started, 'plain-of-an-update')).toBe(true)
    const upsert = { prefer: 'resolution=merge-duplicates,return=representation' }
    await rest('POST', '', { id: row?.id, url: started.url, secret: 'plain-of-an-upsert: ä€😀' }, upsert)
    expect(await tablesWith('plain-of-an-upsert')).toEqual([])
    expect(await signs(started, 'plain-of-an-upsert: ä€😀')).toBe(true)
    const [read] = await rest('GET', `?id=eq.${row?.id}`)
    expect((await rest('PATCH', `?id=eq.${row?.id}`, read))[0]?.secret).toBe(read?.secret)
    expect(await signs(started, 'plain-of-an-upsert: ä€😀')).toBe(true)
  })

  it('is sealed differently each time, up to 190 bytes, and refused beyond', async () => {
    const rows = await Promise.all(
      ['x'.repeat(190), 'x'.repeat(190), 'x'].map((secret, at) =>
        rest('POST', '', { url: `https://app.example.com/${at}`, secret }),
      ),
    )
    expect(new Set(rows.map(([row]) => row?.secret)).size).toBe(3)
    for (const [row] of rows) expect(row?.secret).toHaveLength('sealed:'.length + 512)
    const refused = await rest('POST', '', { url: 'https://app.example.com', secret: 'x'.repeat(191) })
    expect(JSON.stringify(refused)).toContain('openssl rand')
  })

  it('cannot be written before there is a key, which the clock makes', async () => {
    const key = await sql((sql) => sql`delete from askback.bell_key returning *`)
    try {
      const refused = await rest('POST', '', { url: 'https://app.example.com', secret })
      expect(JSON.stringify(refused)).toContain('Set up the clock')
      const signed = await signClock(readKeys(chat.stack.dataDirectory).functionSecret)
      await fetch(`${chat.stack.url}/functions/v1/chat/clock`, {
        method: 'POST',
        headers: { [clockHeader]: signed },
      })
      const started = await server()
      await rest('POST', '', { url: started.url, secret })
      expect(await signs(started, secret)).toBe(true)
    } finally {
      await sql((sql) => sql`delete from askback.bell_key`)
      await sql((sql) => sql`insert into askback.bell_key ${sql(key)}`)
    }
  })
})

it('goes with its conversation', async () => {
  await destination()
  const { user } = await asked()
  await ring()
  await user.send('DELETE', '/conversations/c')
  expect(await rings()).toEqual([])
})

it('speaks the user’s language', async () => {
  const server = await destination()
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([callTool('smtp_send_email', mail)])
  await user.post({ id: 'c', message: 'Grüße ada@example.com' }, { headers: { 'x-askback-language': 'de' } })
  await ring()
  expect(server.heard[0]?.body.sentence).toContain('senden')
})
