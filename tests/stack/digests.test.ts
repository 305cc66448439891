import { createHmac } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { bellOf } from '../../support/bell.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../support/model-server.ts'
import { type RingServer, startRingServer } from '../../support/ring-server.ts'
import { useStarted } from '../../support/use-started.ts'

// Whoever asked for it is mailed once about what has waited for them for a while.

const chat = useStarted(() => startChatStack())
let servers: RingServer[] = []
let ring: () => Promise<void>
const secret = 'what-signs-the-requests'
const mailTo = (name: string) => ({
  to: [`${name}@example.com`],
  subject: `Hi ${name}`,
  body: 'A body that nobody else may read',
})

beforeAll(() => {
  ring = bellOf(chat.stack)
})
afterEach(async () => {
  await sql((sql) => sql`delete from askback.on_open`)
  await sql((sql) => sql`delete from askback.digest_settings`)
  await sql((sql) => sql`delete from askback.digests`)
  await Promise.all(servers.map((server) => server.close()))
  servers = []
})

const sql: <T>(use: Parameters<typeof withDatabase<T>>[1]) => Promise<T> = (use) =>
  withDatabase(chat.stack, use)
const digestsIn = ({ heard }: RingServer) => heard.filter(({ body }) => body.type === 'digest')

/** Where the project sends digests from. */
async function mailer(): Promise<RingServer> {
  const server = await startRingServer()
  servers.push(server)
  await sql(
    (sql) => sql`insert into askback.on_open (url, secret, digests) values (${server.url}, ${secret}, true)`,
  )
  return server
}

/** A user for whom something waits in the conversation `c`, and who wants a mail after an hour. */
async function asked(first: ModelServerReply = callTool('smtp_send_email', mailTo('ada')), minutes = 60) {
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([first, ...Array(9).fill(say('Sent.'))])
  const message = 'Say hello to ada@example.com and grace@example.com'
  const { answer } = await user.post({ id: 'c', message, messageId: 'm-1' })
  const items = (answer.pending ?? []) as PendingItem[]
  if (items.length === 0) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
  await user.send('PATCH', '/digest', { minutes })
  return { user, items, item: items[0] as PendingItem }
}

/** As if what is open had been asked so long ago. */
const waited = (user: ChatUser, time: string) =>
  sql(
    (sql) => sql`
      update askback.open_items set asked_at = now() - ${time}::interval
      where user_id = ${user.id} and closed_at is null`,
  )
/** As if the wait between attempts were over. */
const later = () => sql((sql) => sql`update askback.digests set next_at = now() where next_at is not null`)

it('is off by default, and can be read and changed', async () => {
  const user = await signUpWithMail(chat.stack, 'always')
  const off = { minutes: null, to: user.email, isPossible: false }
  expect(await user.get('/digest')).toEqual({ status: 200, body: { digest: off } })
  await mailer()
  expect(await user.send('PATCH', '/digest', { minutes: 15 })).toEqual({
    status: 200,
    body: { digest: { ...off, minutes: 15, isPossible: true } },
  })
  expect((await user.get('/digest')).body).toMatchObject({ digest: { minutes: 15 } })
  for (const minutes of [0, 1.5, 10_081, '15', undefined])
    expect(await user.send('PATCH', '/digest', { minutes })).toMatchObject({ status: 400 })
  expect((await user.send('PATCH', '/digest', { minutes: null })).body).toMatchObject({
    digest: { minutes: null },
  })
})

it('mails nobody who did not ask for it, and nobody too early', async () => {
  const server = await mailer()
  const { user } = await asked()
  await waited(user, '59 minutes')
  await ring()
  await user.send('PATCH', '/digest', { minutes: null })
  await waited(user, '2 days')
  await ring()
  expect(digestsIn(server)).toEqual([])
})

it('is one mail about all that has waited, with its headings and links alone', async () => {
  const server = await mailer()
  const both = callTools([
    ['smtp_send_email', mailTo('ada')],
    ['smtp_send_email', mailTo('grace')],
  ])
  const { user, items } = await asked(both)
  expect(items).toHaveLength(2)
  await waited(user, '61 minutes')
  await Promise.all([ring(), ring(), ring()])
  await ring()
  const [heard, ...more] = digestsIn(server)
  expect(more).toEqual([])
  const link = expect.stringMatching(/^https:\/\/app\.example\.com\/open#askl_[\w-]{43}$/)
  expect(heard?.body).toEqual({
    type: 'digest',
    to: user.email,
    subject: '2 things are waiting for an answer',
    text: expect.any(String),
    items: expect.arrayContaining(
      items.map(({ itemId, confirm }) => ({
        itemId,
        kind: 'approval',
        agent: 'Mail agent',
        sentence: confirm,
        since: expect.any(String),
        link,
      })),
    ),
    unsubscribe: expect.stringMatching(
      new RegExp(`^${chat.stack.url}/functions/v1/chat/digest/unsubscribe\\?token=asku_[\\w-]{64}$`),
    ),
  })
  expect(heard?.body.items).toHaveLength(2)
  const { text } = heard?.body ?? {}
  for (const { sentence, link } of heard?.body.items ?? []) {
    expect(text).toContain(sentence)
    expect(text).toContain(link)
  }
  expect(text).toContain('because you turned on emails')
  expect(text).toContain(heard?.body.unsubscribe)
  expect(heard?.text).not.toContain('nobody else may read')
  const [, seconds, signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(heard?.headers['x-askback-signature'])) ?? []
  expect(createHmac('sha256', secret).update(`${seconds}.${heard?.text}`).digest('hex')).toBe(signature)

  const token = new URL(heard?.body.items[0].link).hash.slice(1)
  const opened = await fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
    headers: { 'x-askback-link': token },
  })
  expect(await opened.json()).toMatchObject({ signIn: 'needed', decides: false })
})

it('takes along what has not waited for so long, and mentions nothing in a second mail', async () => {
  const server = await mailer()
  const both = callTools([
    ['smtp_send_email', mailTo('ada')],
    ['smtp_send_email', mailTo('grace')],
  ])
  const { user, items, item } = await asked(both)
  await waited(user, '59 minutes')
  await sql(
    (sql) =>
      sql`update askback.open_items set asked_at = now() - interval '61 minutes' where id = ${item.itemId}`,
  )
  await Promise.all([ring(), ring(), ring()])
  await waited(user, '2 hours')
  await ring()
  const named = digestsIn(server).map(({ body }) => body.items.map((one: PendingItem) => one.itemId))
  expect(named).toEqual([items.map(({ itemId }) => itemId)])
})

it('speaks the user’s language, in their time zone', async () => {
  const server = await mailer()
  const { user } = await asked()
  await sql(
    (sql) => sql`
      insert into askback.readers (user_id, time_zone, language) values (${user.id}, 'Asia/Tokyo', 'de')
      on conflict (user_id) do update set time_zone = excluded.time_zone, language = excluded.language`,
  )
  await sql(
    (sql) => sql`
      update askback.open_items set asked_at = date_trunc('day', now(), 'UTC') - interval '1 day' + interval '3 hours 4 minutes'
      where user_id = ${user.id}`,
  )
  await ring()
  const { subject, text } = digestsIn(server)[0]?.body ?? {}
  expect(subject).toBe('Etwas wartet auf eine Antwort')
  expect(text).toContain('senden')
  expect(text).toMatch(/Mail agent, seit .*12:04/)
})

it('says of more than 20 items how many there are', async () => {
  const server = await mailer()
  const { user, item } = await asked()
  // More of the same, as the database keeps it: 24 in other conversations.
  await sql(
    (sql) => sql`
      insert into askback.open_items
      select (jsonb_populate_record(i, jsonb_build_object('id', 'more-' || n, 'intent', -n))).*
      from askback.open_items i, generate_series(1, 24) n where i.id = ${item.itemId}`,
  )
  await waited(user, '2 hours')
  await ring()
  await ring()
  expect(digestsIn(server)).toHaveLength(1)
  const { subject, text, items } = digestsIn(server)[0]?.body ?? {}
  expect(subject).toBe('25 things are waiting for an answer')
  expect(items).toHaveLength(20)
  expect(text).toContain('And 5 more.')
})

it('never names an item twice, and mails about what waits since', async () => {
  const server = await mailer()
  const { user, item } = await asked()
  await waited(user, '2 hours')
  await ring()
  chat.model.use([callTool('smtp_send_email', mailTo('grace')), ...Array(3).fill(say('Sent.'))])
  await user.post({ id: 'd', message: 'Say hello to grace@example.com', messageId: 'm-2' })
  await waited(user, '2 hours')
  await ring()
  await user.send('PATCH', '/digest', { minutes: null })
  await user.send('PATCH', '/digest', { minutes: 5 })
  await ring()
  const named = digestsIn(server).map(({ body }) => body.items.map((one: PendingItem) => one.itemId))
  expect(named).toHaveLength(2)
  expect(named[0]).toEqual([item.itemId])
  expect(named[1]).toHaveLength(1)
  expect(named[1]).not.toEqual(named[0])
})

it('says nothing about what was closed before it was sent', async () => {
  const server = await mailer()
  const { user, item } = await asked()
  await waited(user, '2 hours')
  await user.post(decisionOn(item, 'deny'), { path: '/c/approval' })
  await ring()
  expect(digestsIn(server)).toEqual([])
})

/** Hands out digests, as the clock does, to a process that then dies. */
const takeAndDie = () => sql((sql) => sql`select askback.take_digests(20) as taken`)

it('leaves out what was closed while it was being sent, and is dropped with the last item', async () => {
  const server = await mailer()
  const both = callTools([
    ['smtp_send_email', mailTo('ada')],
    ['smtp_send_email', mailTo('grace')],
  ])
  const { user, items } = await asked(both)
  await waited(user, '2 hours')
  server.answer({ status: 503 })
  await ring()
  expect(digestsIn(server).map(({ body }) => body.items.length)).toEqual([2])
  server.answer({ status: 200 })
  await user.post(decisionOn(items[0] as PendingItem, 'deny'), { path: '/c/approval' })
  await later()
  await ring()
  expect(digestsIn(server).map(({ body }) => body.items.length)).toEqual([2, 1])

  const other = await asked()
  await waited(other.user, '2 hours')
  await takeAndDie()
  await other.user.post(decisionOn(other.item, 'deny'), { path: '/c/approval' })
  await later()
  await ring()
  expect(digestsIn(server)).toHaveLength(2)
})

it('is sent although the process died that had taken it, and not again once its request was begun', async () => {
  const server = await mailer()
  const { user } = await asked()
  await waited(user, '2 hours')
  await takeAndDie()
  await ring()
  expect(digestsIn(server)).toEqual([])
  await later()
  await ring()
  expect(digestsIn(server)).toHaveLength(1)

  const other = await asked()
  await waited(other.user, '2 hours')
  await takeAndDie()
  await sql(
    (sql) => sql`select askback.begin_digest(id, 1) from askback.digests where user_id = ${other.user.id}`,
  )
  await later()
  await ring()
  await waited(other.user, '3 days')
  await ring()
  expect(digestsIn(server)).toHaveLength(1)
})

it('is begun by one of two that have it, however slow the other is', async () => {
  await mailer()
  const { user } = await asked()
  await waited(user, '2 hours')
  await takeAndDie()
  await later()
  await takeAndDie()
  const begin = (attempt: number) =>
    sql(async (sql) => {
      const [row] = await sql`
        select askback.begin_digest(id, ${attempt}) as left from askback.digests where user_id = ${user.id}`
      return row?.left
    })
  expect(await begin(1)).toBeNull()
  expect(await begin(2)).toHaveLength(1)
  expect(await begin(2)).toBeNull()
})

it('is not sent again if its answer was lost: the mail may be on its way', { timeout: 60_000 }, async () => {
  const server = await mailer()
  server.answer('silence')
  const { user } = await asked()
  await waited(user, '2 hours')
  await ring()
  server.answer({ status: 200 })
  await later()
  await ring()
  expect(digestsIn(server)).toHaveLength(1)
})

it('is sent again, with the same delivery, where it was refused or nothing listened', async () => {
  const server = await mailer()
  server.answer({ status: 500 })
  const { user } = await asked()
  await waited(user, '2 hours')
  await ring()
  await later()
  await sql((sql) => sql`update askback.on_open set url = 'http://127.0.0.1:1/'`)
  await ring()
  await later()
  await sql((sql) => sql`update askback.on_open set url = ${server.url}`)
  server.answer({ status: 200 })
  await ring()
  await later()
  await ring()
  expect(digestsIn(server)).toHaveLength(2)
  const [first, second] = digestsIn(server)
  expect(second?.headers['x-askback-delivery']).toBe(first?.headers['x-askback-delivery'])
})

it('goes to nobody who has turned it off, was banned or was deleted while it was being sent', async () => {
  const server = await mailer()
  server.answer({ status: 500 })
  const [off, banned, deleted] = [await asked(), await asked(), await asked()]
  for (const { user } of [off, banned, deleted]) await waited(user, '2 hours')
  await ring()
  expect(digestsIn(server)).toHaveLength(3)
  server.answer({ status: 200 })
  await off.user.send('PATCH', '/digest', { minutes: null })
  await sql(
    (sql) => sql`update auth.users set banned_until = now() + interval '1 year' where id = ${banned.user.id}`,
  )
  await sql((sql) => sql`delete from auth.users where id = ${deleted.user.id}`)
  await later()
  await ring()
  expect(digestsIn(server)).toHaveLength(3)
  // Whoever asks for it again, or may act again, is told after all: nothing was sent.
  await off.user.send('PATCH', '/digest', { minutes: 60 })
  await sql((sql) => sql`update auth.users set banned_until = null where id = ${banned.user.id}`)
  await ring()
  expect(
    digestsIn(server)
      .slice(3)
      .map(({ body }) => body.to)
      .sort(),
  ).toEqual([off.user.email, banned.user.email].sort())
})

it('goes to no address that was not confirmed', async () => {
  const server = await mailer()
  const { user } = await asked()
  await sql((sql) => sql`update auth.users set email_confirmed_at = null where id = ${user.id}`)
  expect((await user.get('/digest')).body).toMatchObject({ digest: { to: null } })
  await waited(user, '2 hours')
  await ring()
  expect(digestsIn(server)).toEqual([])
})

describe('of what a group approves', () => {
  let groupId: string

  /** From now on the group approves emails: alone, or with the user. */
  const ruled = async (who: 'group' | 'both') =>
    sql(async (sql) => {
      // What others wait for is the group's, too.
      await sql`delete from askback.conversations`
      const [group] = await sql`
        insert into askback.groups (name) values (${`Finance ${crypto.randomUUID()}`}) returning id`
      groupId = group?.id
      await sql`
        insert into askback.tool_approvers (tool_name, who, group_id)
        values ('smtp_send_email', ${who}, ${groupId})`
    })
  afterEach(async () => {
    await sql((sql) => sql`delete from askback.tool_approvers where agent_id is null`)
  })
  async function member(minutes: number | null = 60): Promise<ChatUser> {
    const user = await signUpWithMail(chat.stack, 'always')
    await sql(
      (sql) => sql`insert into askback.group_members (group_id, user_id) values (${groupId}, ${user.id})`,
    )
    await user.send('PATCH', '/digest', { minutes })
    return user
  }
  const addresses = (server: RingServer) =>
    digestsIn(server)
      .map(({ body }) => body.to)
      .sort()

  it('tells the members who want it, with whose it is and a link to it, and nobody else', async () => {
    const server = await mailer()
    await ruled('group')
    const eva = await member()
    await member(null)
    const { user, item } = await asked()
    const stranger = await signUpWithMail(chat.stack, 'always')
    await stranger.send('PATCH', '/digest', { minutes: 60 })
    await waited(user, '2 hours')
    await ring()
    await ring()
    expect(addresses(server)).toEqual([eva.email])
    const { items, text } = digestsIn(server)[0]?.body ?? {}
    expect(items).toMatchObject([{ itemId: item.itemId, askedFor: user.email, sentence: item.confirm }])
    expect(text).toContain(`Mail agent for ${user.email}, since`)
    expect(digestsIn(server)[0]?.text).not.toContain('nobody else may read')
    const opened = await fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
      headers: {
        'x-askback-link': new URL(items[0].link).hash.slice(1),
        authorization: `Bearer ${eva.token}`,
      },
    })
    const shown = await opened.json()
    expect(shown.item).toMatchObject({ itemId: item.itemId, values: mailTo('ada') })
    expect(shown.signIn).toBeUndefined()
  })

  it('is one mail with what is the member’s own', async () => {
    const server = await mailer()
    await ruled('both')
    const other = await asked()
    const eva = await member()
    chat.model.use([callTool('smtp_send_email', mailTo('grace'))])
    await eva.post({ id: 'own', message: 'Say hello to grace@example.com', messageId: 'm-1' })
    await other.user.send('PATCH', '/digest', { minutes: null })
    await waited(other.user, '2 hours')
    await waited(eva, '3 hours')
    await ring()
    expect(addresses(server)).toEqual([eva.email])
    const { subject, items } = digestsIn(server)[0]?.body ?? {}
    expect(subject).toBe('2 things are waiting for an answer')
    expect(items.map((one: { askedFor?: string }) => one.askedFor)).toEqual([undefined, other.user.email])
  })

  it('tells of four eyes each of both, until their part has said yes', async () => {
    const server = await mailer()
    await ruled('both')
    const eva = await member()
    const late = await member(180)
    const { user, item } = await asked()
    await waited(user, '2 hours')
    await ring()
    expect(addresses(server)).toEqual([eva.email, user.email].sort())
    const said = await eva.send('POST', `/open/approvals/${item.itemId}`, { decision: 'approve' })
    expect(said.status, JSON.stringify(said)).toBe(200)
    await waited(user, '4 hours')
    await ring()
    expect(addresses(server)).not.toContain(late.email)
    // A yes of somebody who has left no longer counts: it waits for the group again.
    await sql((sql) => sql`delete from askback.group_members where user_id = ${eva.id}`)
    await ring()
    expect(addresses(server)).toEqual([eva.email, late.email, user.email].sort())
  })

  it('tells nobody who has left the group before it was sent, or whose account is disabled', async () => {
    const server = await mailer()
    await ruled('group')
    const [left, banned] = [await member(), await member()]
    const { user } = await asked()
    await waited(user, '2 hours')
    await takeAndDie()
    await sql((sql) => sql`delete from askback.group_members where user_id = ${left.id}`)
    await sql(
      (sql) => sql`update auth.users set banned_until = now() + interval '1 year' where id = ${banned.id}`,
    )
    await later()
    await ring()
    expect(digestsIn(server)).toEqual([])
  })
})

it('comes from one destination at most', async () => {
  await mailer()
  await expect(mailer()).rejects.toThrow(/on_open_digests/)
})

it('is ended by a POST without a sign-in, as often as it comes, and a GET changes nothing', async () => {
  const server = await mailer()
  const { user } = await asked()
  await waited(user, '2 hours')
  await ring()
  const address: string = digestsIn(server)[0]?.body.unsubscribe
  const minutes = async () => (await user.get('/digest')).body
  const token = new URL(address).searchParams.get('token')
  const prefetched = await fetch(address, { redirect: 'manual' })
  expect(prefetched.status).toBe(303)
  expect(prefetched.headers.get('location')).toBe(`${chat.stack.url}/open#${token}`)
  expect((await fetch(address, { method: 'HEAD', redirect: 'manual' })).status).toBe(303)
  expect(await minutes()).toMatchObject({ digest: { minutes: 60 } })

  const oneClick = () =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  for (let time = 0; time < 2; time++) {
    const ended = await oneClick()
    expect(ended.status).toBe(200)
    expect(await ended.json()).toEqual({ unsubscribed: true })
  }
  expect(await minutes()).toMatchObject({ digest: { minutes: null } })

  // Good for ever: after the user has turned it on again, and once there is no such user.
  await user.send('PATCH', '/digest', { minutes: 5 })
  expect((await oneClick()).status).toBe(200)
  expect(await minutes()).toMatchObject({ digest: { minutes: null } })
  await sql((sql) => sql`delete from auth.users where id = ${user.id}`)
  expect(await (await oneClick()).json()).toEqual({ unsubscribed: true })
})

it('is ended by nobody else: a token that was changed says no more than one that was made up', async () => {
  const server = await mailer()
  const { user } = await asked()
  await waited(user, '2 hours')
  await ring()
  const { origin, pathname, searchParams } = new URL(digestsIn(server)[0]?.body.unsubscribe)
  const token = searchParams.get('token') ?? ''
  const swapped = (at: number) =>
    `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
  const answers: string[] = []
  for (const method of ['POST', 'GET'])
    for (const made of [swapped(8), swapped(60), `asku_${'A'.repeat(64)}`, 'asku_', '', token.slice(0, -4)]) {
      const response = await fetch(`${origin}${pathname}?token=${made}`, { method, redirect: 'manual' })
      answers.push(`${response.status} ${await response.text()}`)
    }
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toContain('403')
  expect((await user.get('/digest')).body).toMatchObject({ digest: { minutes: 60 } })
})
