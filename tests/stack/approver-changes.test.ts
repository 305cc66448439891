import { describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { startChatApp } from '../../support/chat-app.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp, withDatabase } from '../../support/chat-user.ts'
import {
  decideInChat,
  decideInGroup,
  type Group,
  groupOf,
  ruleFor,
  waitForApproval,
  waitingMail,
} from '../../support/group-approvals.ts'
import { say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

// Who approves changes while something waits for approval, or was approved and waits to be done.

const chat = useStarted(() => startChatStack())

const sql = <Rows>(run: Parameters<typeof withDatabase<Rows>>[1]) => withDatabase(chat.stack, run)
const mails = () => chat.stack.inbox.messages()
const vote = (member: ChatUser, item: PendingItem, decision?: 'approve' | 'deny') =>
  decideInGroup(chat.stack, member, item, decision)
const open = async (user: ChatUser) => ((await user.get('/open')).body as { items: PendingItem[] }).items
const tick = async () => {
  await sql((db) => db`update askback.clock set chain = null, chain_until = null`)
  await fetch(`${chat.stack.url}/functions/v1/chat/clock`, {
    method: 'POST',
    headers: { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) },
  })
}
const leave = (group: Group, { id }: ChatUser) =>
  sql((db) => db`delete from askback.group_members where group_id = ${group.id} and user_id = ${id}`)
const join = (group: Group, { id }: ChatUser) =>
  sql((db) => db`insert into askback.group_members (group_id, user_id) values (${group.id}, ${id})`)
const dropRule = (group: Group) =>
  sql((db) => db`delete from askback.tool_approvers where group_id = ${group.id}`)
const limitMails = ({ id }: ChatUser, value: number) =>
  sql(
    (db) => db`
      insert into askback.limits (scope, subject, measure, per, tool, value)
      values ('user', ${id}, 'writes', 'hour', 'smtp_send_email', ${value})
      on conflict (scope, subject, measure, per, tool) do update set value = excluded.value`,
  )
/** What has become of the newest run. */
const statusOf = ({ id }: ChatUser) =>
  sql(async (db) => {
    const [row] =
      await db`select status from askback.runs where user_id = ${id} order by started_at desc limit 1`
    return row?.status
  })
/** The limit is lifted, and the clock comes until what it holds has ended like this. */
async function letGoOn(user: ChatUser, status: string): Promise<void> {
  await limitMails(user, 100)
  await sql(
    (db) => db`update askback.open_items set resume_at = now() where user_id = ${user.id} and kind = 'wait'`,
  )
  await expect
    .poll(
      async () => {
        await tick()
        return await statusOf(user)
      },
      { timeout: 40_000 },
    )
    .toBe(status)
}

/** An email that was approved, by whom it takes, and waits for its user's limit. */
async function parked(who?: 'group' | 'both') {
  const waiting = await waitForApproval(chat, who)
  const { user, member, item } = waiting
  await limitMails(user, 0)
  if (who !== 'group') await decideInChat(user, item)
  if (who) expect((await vote(member, item)).status).toBe(200)
  expect(await statusOf(user)).toBe('waiting')
  expect(await mails()).toEqual([])
  return waiting
}

describe('what was approved and waits for a limit', () => {
  it('is done once it may be, although nobody presses again', async () => {
    const { user } = await parked('both')
    await letGoOn(user, 'completed')
    expect(await mails()).toHaveLength(1)
  })

  it('asks the group if it has to approve it by now', async () => {
    const { user, member, group } = await parked()
    await ruleFor(chat.stack, user, 'group', group)
    await letGoOn(user, 'needs_approval')
    expect(await mails()).toEqual([])
    const [item] = (await open(user)) as [PendingItem]
    expect(item.approvers).toMatchObject({ group: group.name, canApprove: false, approved: [] })
    expect(await decideInChat(user, item)).toMatchObject({ status: 403, error: { code: 'not_an_approver' } })
    expect((await vote(member, item)).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('asks the user as well, if it takes both by now, and another group, if it is that one’s', async () => {
    const { user, member, group } = await parked('group')
    await ruleFor(chat.stack, user, 'both', group)
    await letGoOn(user, 'needs_approval')
    const [asked] = (await open(user)) as [PendingItem]
    expect(asked.approvers).toMatchObject({ who: 'both', approved: [] })
    await limitMails(user, 0)
    await vote(member, asked)
    await decideInChat(user, asked)
    const next = await signUp(chat.stack)
    await ruleFor(chat.stack, user, 'group', await groupOf(chat.stack, next))
    await letGoOn(user, 'needs_approval')
    const [again] = (await open(user)) as [PendingItem]
    expect((await vote(member, again)).status).toBe(404)
    expect(await mails()).toEqual([])
    expect((await vote(next, again)).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('is done if nobody else has to approve it any more', async () => {
    const { user, group } = await parked('both')
    await dropRule(group)
    await letGoOn(user, 'completed')
    expect(await mails()).toHaveLength(1)
  })

  it.each([
    ['has left the group', (group: Group, member: ChatUser) => leave(group, member)],
    [
      'was banned',
      (_: Group, { id }: ChatUser) =>
        sql((db) => db`update auth.users set banned_until = now() + interval '1 day' where id = ${id}`),
    ],
    ['was deleted', (_: Group, { id }: ChatUser) => sql((db) => db`delete from auth.users where id = ${id}`)],
  ])('asks anew if whoever has approved it %s since', async (_, change) => {
    const { user, member, group } = await parked('both')
    await change(group, member)
    await letGoOn(user, 'needs_approval')
    expect(await mails()).toEqual([])
    const next = await signUp(chat.stack)
    await join(group, next)
    const [item] = (await open(user)) as [PendingItem]
    expect((await vote(next, item)).status).toBe(200)
    expect(await mails()).toEqual([])
    expect((await decideInChat(user, item)).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })
})

describe('between the first yes and the second', () => {
  it('its time runs out: the second does nothing, and whoever still wants it needs both again', async () => {
    const { user, member, item } = await waitForApproval(chat, 'both')
    await decideInChat(user, item)
    await sql(
      (db) => db`
        update askback.open_items set expires_at = now() - interval '1 second'
        where user_id = ${user.id} and closed_at is null`,
    )
    await tick()
    const late = await vote(member, item)
    expect([late.status, (await late.json()).error?.code]).toEqual([409, 'already_decided'])
    expect((await decideInChat(user, item)).answer.status).toBe('needs_approval')
    const [again] = (await open(user)) as [PendingItem]
    expect(again).toMatchObject({ approvers: { who: 'both', approved: [] } })
    expect(again.itemId).not.toBe(item.itemId)
    expect((await vote(member, again)).status).toBe(200)
    expect(await mails()).toEqual([])
    expect((await decideInChat(user, again)).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('the rule is taken away, and then its group: its user decides alone', async () => {
    const { user, member, group, item } = await waitForApproval(chat, 'both')
    await vote(member, item)
    const drop = () => sql((db) => db`delete from askback.groups where id = ${group.id}`)
    await expect(drop()).rejects.toThrow(/tool_approvers/)
    await dropRule(group)
    await drop()
    expect((await vote(member, item)).status).toBe(404)
    expect((await decideInChat(user, item)).answer.status).toBe('completed')
    expect(await mails()).toHaveLength(1)
  })

  it('the user becomes one of the group: they are still one person', async () => {
    const { user, group, item } = await waitForApproval(chat, 'both')
    await decideInChat(user, item)
    await join(group, user)
    expect((await decideInChat(user, item)).answer.status).toBe('needs_approval')
    expect((await vote(user, item)).status).toBe(404)
    expect(await mails()).toEqual([])
  })

  it('one yes becomes enough: the group alone has to say it', async () => {
    const { user, member, group, item } = await waitForApproval(chat, 'both')
    await decideInChat(user, item)
    await ruleFor(chat.stack, user, 'group', group)
    expect(await decideInChat(user, item)).toMatchObject({ status: 403, error: { code: 'not_an_approver' } })
    expect((await vote(member, item)).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })
})

describe('through other doors', () => {
  it('two of the group at once, one of them on the item’s page in another process: one mail', async () => {
    const { user, member, group, item } = await waitForApproval(chat, 'group')
    const second = await signUp(chat.stack)
    await join(group, second)
    const { body } = await user.send('POST', `/open/${item.itemId}/link`, {})
    const link = new URL((body as { link: { url: string } }).link.url).hash.slice(1)
    const other = startChatApp(chat)
    const onPage = () =>
      other.fetch(
        new Request('http://other/chat/open/linked', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${second.token}`,
            'content-type': 'application/json',
            'x-askback-link': link,
          },
          body: JSON.stringify({ decision: 'approve' }),
        }),
      )
    const presses = await Promise.all([vote(member, item), onPage(), onPage(), vote(member, item)])
    for (const { status } of presses) expect([200, 409]).toContain(status)
    expect(presses.map(({ status }) => status)).toContain(200)
    expect(await mails()).toHaveLength(1)
  })

  it('an API token and the OpenAI protocol approve nothing, for the user as little as for the group', async () => {
    const { user, member, group, item } = await waitForApproval(chat, 'both')
    const tokenOf = async ({ token }: ChatUser) => {
      const made = await fetch(`${chat.stack.url}/functions/v1/integration-settings/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Client' }),
      })
      return (await made.json()).token.value as string
    }
    const [own, theirs] = await Promise.all([tokenOf(user), tokenOf(member)])
    for (const token of [own, theirs]) expect((await vote({ ...member, token }, item)).status).toBe(401)
    const complete = async (token: string, words: string) => {
      const response = await fetch(`${chat.stack.url}/functions/v1/chat/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: item.agentId, messages: [{ role: 'user', content: words }] }),
      })
      return { status: response.status, text: await response.text() }
    }
    // What a client of the user asks for waits for both, too; who has to approve it is said.
    const asked = await complete(own, 'Say hello to ada@example.com')
    expect(asked.status).toBe(200)
    expect(asked.text).toContain(group.name)
    chat.model.use(() => say('Well.'))
    await complete(own, 'Yes, approved.')
    expect(await mails()).toEqual([])
    expect(await open(user)).not.toEqual([])
    for (const one of await open(user)) expect(one.values).toMatchObject(waitingMail)
  })
})
