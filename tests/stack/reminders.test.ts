import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { bellOf } from '../../support/bell.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp, withDatabase } from '../../support/chat-user.ts'
import { readPage } from '../../support/docs-pages.ts'
import {
  decideInChat,
  decideInGroup,
  groupOf,
  ruleFor,
  waitForApproval,
} from '../../support/group-approvals.ts'
import { callTool } from '../../support/model-server.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { blocksIn } from '../../support/readme-blocks.ts'
import { type HeardRing, type RingServer, startRingServer } from '../../support/ring-server.ts'
import { useStarted } from '../../support/use-started.ts'

// Whoever may approve something and has not is told again, as often as the project has set.

const chat = useStarted(() => startChatStack())
let ring: () => Promise<void>
let server: RingServer

beforeAll(() => {
  ring = bellOf(chat.stack)
})
afterEach(async () => {
  await sql(async (db) => {
    await db`delete from askback.on_open`
    await db`delete from askback.digest_settings`
    await db`delete from askback.conversations`
    await db`delete from askback.tool_approvers`
  })
  await server?.close()
})

const sql = <Rows>(run: Parameters<typeof withDatabase<Rows>>[1]) => withDatabase(chat.stack, run)

/** Where the project is told, and where its digests are sent from. */
async function destination(): Promise<RingServer> {
  server = await startRingServer()
  await sql(
    (db) => db`insert into askback.on_open (url, secret, digests) values (${server.url}, 'a secret', true)`,
  )
  return server
}

const remindEvery = (every: string | null) =>
  sql((db) => db`update askback.tool_approvers set remind_every = ${every}`)

/** An approval that waits, of which people are reminded every four hours, and which its destination was told. */
async function told(who: 'group' | 'both' = 'group', every: string | null = '4 hours') {
  await destination()
  const waiting = await waitForApproval(chat, who)
  await remindEvery(every)
  await ring()
  expect(types()).toEqual(['opened'])
  return waiting
}

/** So much time goes by for what waits and for what was told of it. */
const goBy = (time: string) =>
  sql(async (db) => {
    await db`update askback.open_items set asked_at = asked_at - ${time}::interval where closed_at is null`
    await db`
      update askback.rings set
        created_at = created_at - ${time}::interval, tried_at = tried_at - ${time}::interval,
        heard_at = heard_at - ${time}::interval, next_at = next_at - ${time}::interval`
    await db`
      update askback.digests set
        created_at = created_at - ${time}::interval, begun_at = begun_at - ${time}::interval,
        next_at = next_at - ${time}::interval`
  })
const later = async (time: string) => {
  await goBy(time)
  await ring()
}
const rung = () => server.heard.filter(({ body }) => body.type !== 'digest')
const types = () => rung().map(({ body }) => body.type)
const reminders = () => rung().filter(({ body }) => body.type === 'reminder')
const deliveryOf = (heard: HeardRing | undefined) => heard?.headers['x-askback-delivery']
/** Hands out what is due, as the clock does, to a process that then dies. */
const takeAndDie = () => sql((db) => db`select askback.take_rings(20)`)

describe('a reminder', () => {
  it('is told to nobody where none is set', async () => {
    await told('group', null)
    await later('6 days')
    expect(types()).toEqual(['opened'])
  })

  it('says who has not approved yet and since when, once each time, however many clocks run', async () => {
    const { item } = await told()
    await later('3 hours 59 minutes')
    expect(types()).toEqual(['opened'])
    await goBy('1 minute')
    await Promise.all([ring(), ring(), ring()])
    await ring()
    const [opened, reminder, ...more] = rung()
    expect(more).toEqual([])
    expect(reminder?.body).toEqual({
      ...opened?.body,
      type: 'reminder',
      waitsFor: ['group'],
      since: expect.any(String),
    })
    expect(reminder?.body).toMatchObject({ itemId: item.itemId, who: item.approvers?.group })
    const hours = (Date.now() - Date.parse(reminder?.body.since)) / 3_600_000
    expect(Math.round(hours)).toBe(4)
    expect(reminder?.text).not.toContain('Hello Ada')
    expect(deliveryOf(reminder)).not.toBe(deliveryOf(opened))
    await later('4 hours')
    await later('3 hours')
    expect(types()).toEqual(['opened', 'reminder', 'reminder'])
    expect(new Set(rung().map(deliveryOf)).size).toBe(3)
  })

  it('is told once after the clock has stood still for days', async () => {
    await told()
    await later('3 days')
    await ring()
    await later('3 hours')
    expect(types()).toEqual(['opened', 'reminder'])
  })

  it('is for what the user approves alone, too', async () => {
    await destination()
    await sql(
      (db) => db`
        insert into askback.tool_approvers (tool_name, who, remind_every)
        values ('smtp_send_email', 'user', '1 day')`,
    )
    await waitForApproval(chat)
    await ring()
    await later('1 day')
    expect(types()).toEqual(['opened', 'reminder'])
    expect(reminders()[0]?.body).toMatchObject({ waitsFor: ['user'] })
    expect(reminders()[0]?.body).not.toHaveProperty('who')
  })

  it.each([
    ['the user', 'group'],
    ['one of the group', 'user'],
  ])('of four eyes is only for the other one once %s has approved', async (first, missing) => {
    const { user, member, item } = await told('both')
    await later('4 hours')
    if (first === 'the user') await decideInChat(user, item)
    else await decideInGroup(chat.stack, member, item)
    await later('4 hours')
    expect(reminders().map(({ body }) => body.waitsFor)).toEqual([['user', 'group'], [missing]])
    expect(await chat.stack.inbox.messages()).toEqual([])
  })

  it('is for the group again whose member has left after approving', async () => {
    const { member, item } = await told('both')
    await decideInGroup(chat.stack, member, item)
    await later('4 hours')
    await sql((db) => db`delete from askback.group_members where user_id = ${member.id}`)
    await later('4 hours')
    expect(reminders().map(({ body }) => body.waitsFor)).toEqual([['user'], ['user', 'group']])
  })

  it('is not told of what was decided just before, also if the clock had taken it', async () => {
    const first = await told()
    await goBy('4 hours')
    await decideInGroup(chat.stack, first.member, first.item, 'deny')
    await ring()
    expect(types()).toEqual(['opened', 'closed'])

    const second = await waitForApproval(chat)
    await ruleFor(chat.stack, second.user, 'group', second.group)
    await remindEvery('4 hours')
    await ring()
    await goBy('4 hours')
    await takeAndDie()
    await decideInChat(second.user, second.item, 'deny')
    await later('5 minutes')
    expect(types()).toEqual(['opened', 'closed', 'opened', 'closed'])
  })

  it('is not told of what is closed between its last check and its request’s retry', async () => {
    const { member, item } = await told()
    server.answer({ status: 500 })
    await later('4 hours')
    expect(types()).toEqual(['opened', 'reminder'])
    await decideInGroup(chat.stack, member, item, 'deny')
    server.answer({ status: 200 })
    await later('1 hour')
    await later('4 hours')
    expect(types()).toEqual(['opened', 'reminder', 'closed'])
  })

  it('ends when the item expires, also where it was on its way', async () => {
    await told()
    await goBy('4 hours')
    await takeAndDie()
    await sql((db) => db`update askback.open_items set expires_at = now() where closed_at is null`)
    await later('5 minutes')
    await later('1 day')
    expect(types()).toEqual(['opened'])
  })

  it('comes again, as the same delivery, from a destination that answers 500, and then counts from there', async () => {
    await told()
    server.answer({ status: 500 })
    await later('4 hours')
    await later('30 seconds')
    expect(types()).toEqual(['opened', 'reminder', 'reminder'])
    server.answer({ status: 200 })
    await later('1 minute')
    expect(new Set(reminders().map(deliveryOf)).size).toBe(1)
    expect(reminders()).toHaveLength(3)
    await later('3 hours 59 minutes')
    expect(reminders()).toHaveLength(3)
    await later('1 minute')
    expect(reminders()).toHaveLength(4)
    expect(new Set(reminders().map(deliveryOf)).size).toBe(2)
  })

  it('is not kept back by one that was given up', async () => {
    await told()
    server.answer({ status: 503 })
    await later('4 hours')
    for (let attempt = 0; attempt < 12; attempt++) await later('12 hours')
    expect(new Set(reminders().map(deliveryOf)).size).toBeGreaterThan(1)
    server.answer({ status: 200 })
    const before = reminders().length
    await later('12 hours')
    expect(reminders()).toHaveLength(before + 1)
  })

  it('is told once where the process dies that had taken it', async () => {
    await told()
    await goBy('4 hours')
    await takeAndDie()
    await ring()
    expect(reminders()).toEqual([])
    await later('30 seconds')
    await later('1 minute')
    expect(reminders()).toHaveLength(1)
  })

  it.each(['take_rings', 'begin_reminder', 'note_ring'])(
    'is one delivery where its process is killed once the database has answered %s',
    async (place) => {
      await told()
      await goBy('4 hours')
      const proxy = await startPausingProxy(chat.stack.url)
      const ending = new AbortController()
      const process_ = await startChatProcess(chat, ending.signal, proxy.url)
      const { answered } = proxy.pauseNext(`/rpc/${place}`)
      const signed = await signClock(readKeys(chat.stack.dataDirectory).functionSecret)
      await sql((db) => db`update askback.clock set chain = null, chain_until = null`)
      const called = fetch(`${process_.url.replace(/\/v1$/, '')}/clock`, {
        method: 'POST',
        headers: { [clockHeader]: signed },
      })
      await answered
      process.kill(process_.pid, 'SIGKILL')
      await Promise.allSettled([called])
      ending.abort()
      await proxy.close()
      for (let time = 0; time < 4; time++) await later('1 minute')
      expect(reminders()).toHaveLength(1)
    },
  )

  it('names another group that decides by now, and ends where none is set any more', async () => {
    const { user } = await told()
    const next = await groupOf(chat.stack, await signUp(chat.stack))
    await ruleFor(chat.stack, user, 'group', next)
    await later('4 hours')
    expect(reminders().map(({ body }) => body.who)).toEqual([next.name])
    await goBy('4 hours')
    await takeAndDie()
    await remindEvery(null)
    await later('5 minutes')
    await later('2 days')
    expect(reminders()).toHaveLength(1)
  })

  it('follows the row of an agent before the one for all, and goes with its agent', async () => {
    const { user, group } = await told()
    await sql(
      (db) => db`
        insert into askback.tool_approvers (tool_name, who, group_id, remind_every)
        values ('smtp_send_email', 'group', ${group.id}, '1 hour')`,
    )
    await later('1 hour')
    expect(reminders()).toEqual([])
    await sql((db) => db`update askback.tool_approvers set remind_every = null where agent_id is not null`)
    await later('1 day')
    expect(reminders()).toEqual([])
    await sql((db) => db`delete from askback.agents where user_id = ${user.id}`)
    await later('1 hour')
    // What is left is the row for all.
    expect(reminders().map(({ body }) => [body.agent, body.who])).toEqual([[null, group.name]])
    await sql((db) => db`delete from askback.tool_approvers`)
    await sql((db) => db`delete from askback.groups where id = ${group.id}`)
    await later('1 day')
    expect(reminders()).toHaveLength(1)
  })

  it('goes with its conversation and with its user, and rests while its user is banned', async () => {
    const { user } = await told()
    const ban = (until: string | null) =>
      sql((db) => db`update auth.users set banned_until = ${until} where id = ${user.id}`)
    await ban('2999-01-01')
    await later('4 hours')
    await later('4 hours')
    expect(reminders()).toEqual([])
    await ban(null)
    await ring()
    expect(reminders()).toHaveLength(1)
    await goBy('4 hours')
    await Promise.all([ring(), user.send('DELETE', '/conversations/c')])
    const before = reminders().length
    await later('1 day')
    expect(reminders()).toHaveLength(before)
    const rows = await sql((db) => db`select from askback.rings where user_id = ${user.id}`)
    expect(rows).toHaveLength(0)
  })

  it('of what is asked anew counts from then', async () => {
    const { user, item } = await told()
    await goBy('3 hours')
    chat.model.use([callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'New', body: 'Hello' })])
    await user.post({
      id: 'c',
      trigger: 'submit-message',
      messageId: 'm-1',
      messages: [
        { id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'Say hello anew to ada@example.com' }] },
      ],
    })
    await ring()
    await later('3 hours')
    expect(types()).toEqual(['opened', 'closed', 'opened'])
    await later('1 hour')
    expect(types()).toEqual(['opened', 'closed', 'opened', 'reminder'])
    expect(reminders()[0]?.body.itemId).not.toBe(item.itemId)
  })

  it('leads to the item after its first link has ended, but not with one that was revoked', async () => {
    await told()
    await sql(
      (db) => db`update askback.item_links set expires_at = now(), created_at = now() - interval '30 days'`,
    )
    const open = async () => {
      const token = new URL(reminders().at(-1)?.body.link).hash.slice(1)
      const response = await fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
        headers: { 'x-askback-link': token },
      })
      return response.status
    }
    await later('4 hours')
    expect(await open()).toBe(200)
    await sql((db) => db`update askback.item_links set revoked_at = now()`)
    await later('4 hours')
    expect(await open()).toBe(410)
  })

  it('is not told to an address that came later', async () => {
    await told()
    const second = await startRingServer()
    await sql((db) => db`insert into askback.on_open (url, secret) values (${second.url}, 'a secret')`)
    await later('4 hours')
    expect([reminders().length, second.heard]).toEqual([1, []])
    await second.close()
  })

  it('is set as the docs say, to a minute at least and 30 days at most', async () => {
    const [example = ''] = blocksIn(readPage('docs/away.md'))
      .map(({ text }) => text)
      .filter((text) => text.includes('remind_every'))
    expect(example).toContain("tool_name = 'pay_invoice'")
    await told('group', null)
    await sql((db) => db.unsafe(example.replace('pay_invoice', 'smtp_send_email')))
    await later('1 day')
    expect(reminders()).toHaveLength(1)
    for (const every of ['59 seconds', '31 days', '-1 hour'])
      await expect(remindEvery(every)).rejects.toThrow(/remind_every/)
  })
})

describe('a digest', () => {
  const digests = () => server.heard.filter(({ body }) => body.type === 'digest')
  const wanted = (user: ChatUser) => user.send('PATCH', '/digest', { minutes: 60 })
  const mailed = () =>
    digests()
      .map(({ body }) => body.to)
      .sort()
  async function waiting(who: 'group' | 'both') {
    await destination()
    const one = await waitForApproval(chat, who)
    await remindEvery('4 hours')
    await wanted(one.user)
    await wanted(one.member)
    await ring()
    return one
  }

  it('names what waits once more each time, and says that it is a reminder', async () => {
    const { member, item } = await waiting('group')
    await later('1 hour')
    await later('3 hours 59 minutes')
    expect(mailed()).toEqual([member.email])
    await goBy('1 minute')
    await Promise.all([ring(), ring(), ring()])
    await ring()
    const [first, second, ...more] = digests()
    expect(more).toEqual([])
    expect(second?.body.subject).toBe('Reminder: Something is waiting for an answer')
    expect(first?.body.items[0]).not.toHaveProperty('isReminder')
    expect(second?.body.items).toEqual([
      { ...first?.body.items[0], since: expect.any(String), isReminder: true },
    ])
    expect(second?.body.items[0].itemId).toBe(item.itemId)
    await sql(
      (db) => db`
        insert into askback.readers (user_id, language) values (${member.id}, 'de')
        on conflict (user_id) do update set language = 'de'`,
    )
    await later('4 hours')
    expect(digests().map(({ body }) => body.subject)[2]).toBe('Erinnerung: Etwas wartet auf eine Antwort')
  })

  it('takes along what is new, and then is no reminder alone', async () => {
    const { user } = await waiting('both')
    await later('1 hour')
    await goBy('3 hours 59 minutes')
    chat.model.use([callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'New', body: 'Hello' })])
    await user.post({ id: 'd', message: 'Say hello to ada@example.com', messageId: 'm-2' })
    await later('1 minute')
    const second = digests().slice(2)
    expect(second.map(({ body }) => body.subject)).toEqual(
      Array(2).fill('2 things are waiting for an answer'),
    )
    for (const { body } of second)
      expect(body.items.map(({ isReminder }: { isReminder?: true }) => isReminder)).toEqual([true, undefined])
    await later('3 hours')
    expect(digests()).toHaveLength(4)
  })

  it('reminds nobody who has given their half of four eyes, or of what has closed or expired', async () => {
    const { user, member, item } = await waiting('both')
    await later('1 hour')
    expect(mailed()).toEqual([member.email, user.email].sort())
    await decideInChat(user, item)
    await later('4 hours')
    expect(mailed()).toEqual([member.email, member.email, user.email].sort())
    await sql(
      (db) =>
        db`update askback.open_items set expires_at = now() + interval '1 hour' where closed_at is null`,
    )
    await goBy('4 hours')
    await sql((db) => db`update askback.open_items set expires_at = now() where closed_at is null`)
    await ring()
    expect(digests()).toHaveLength(3)
    await sql((db) => db`update askback.open_items set expires_at = null where closed_at is null`)
    await decideInGroup(chat.stack, member, item, 'deny')
    await later('4 hours')
    expect(digests()).toHaveLength(3)
  })

  it('is sent once where the process dies that has taken a reminder, or its answer is lost', async () => {
    await waiting('group')
    await later('1 hour')
    await goBy('4 hours')
    await sql((db) => db`select askback.take_digests(20)`)
    await ring()
    expect(digests()).toHaveLength(1)
    await later('30 seconds')
    await later('3 hours')
    expect(digests()).toHaveLength(2)
    await goBy('4 hours')
    await sql(async (db) => {
      await db`select askback.take_digests(20)`
      await db`select askback.begin_digest(id, attempts) from askback.digests where next_at is not null`
    })
    await later('2 minutes')
    await later('3 hours')
    expect(digests()).toHaveLength(2)
  })
})
