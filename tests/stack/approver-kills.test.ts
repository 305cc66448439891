import { describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, signUp, withDatabase } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { decideInChat, decideInGroup, waitForApproval } from '../../support/group-approvals.ts'
import { say } from '../../support/model-server.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { useStarted } from '../../support/use-started.ts'

// What two people approve, and the process that carries it out is killed on the way: one mail, and both are named.

const chat = useStarted(() => startChatStack())

const mails = () => chat.stack.inbox.messages()
const asked = () => waitForApproval(chat, 'both')
const vote = (member: ChatUser, item: PendingItem, decision: 'approve' | 'deny', url?: string) =>
  decideInGroup(chat.stack, member, item, decision, url)
const tick = async () =>
  fetch(`${chat.stack.url}/functions/v1/chat/clock`, {
    method: 'POST',
    headers: { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) },
  })

/** One of the group decides through a process that is killed once the database has answered `place`. */
async function decideAndDie(
  member: ChatUser,
  item: PendingItem,
  decision: 'approve' | 'deny',
  place: string,
): Promise<void> {
  const proxy = await startPausingProxy(chat.stack.url)
  const ending = new AbortController()
  const killed = await startChatProcess(chat, ending.signal, proxy.url)
  const pause = proxy.pauseNext(`/rpc/${place}`)
  const voted = vote(member, item, decision, killed.url.replace(/\/v1$/, ''))
  await pause.answered
  process.kill(killed.pid, 'SIGKILL')
  await Promise.allSettled([voted])
  ending.abort()
  await proxy.close()
}

const decisionsOf = (user: ChatUser) =>
  withDatabase(chat.stack, async (sql) =>
    (
      await sql`select entry from askback.entries where user_id = ${user.id} and type = 'decision' order by sequence`
    ).map(({ entry }) => entry),
  )

/** The clock comes until what was killed has gone on, and has ended. */
async function untilIdle(user: ChatUser): Promise<void> {
  await expireLeases(chat.stack, user.id)
  const state = async () => {
    await withDatabase(chat.stack, (sql) => sql`update askback.clock set chain = null, chain_until = null`)
    await tick()
    return await withDatabase(chat.stack, async (sql) => {
      const [row] = await sql`
        select status from askback.runs where user_id = ${user.id} order by started_at desc limit 1`
      return row?.status
    })
  }
  await expect.poll(state, { timeout: 50_000 }).toBe('completed')
}

describe('killed after the first yes', { timeout: 180_000 }, () => {
  it('keeps it: the second one carries it out, once', async () => {
    const { user, member, item } = await asked()
    await decideAndDie(member, item, 'approve', 'begin_resume')
    expect(await mails()).toEqual([])
    expect((await decideInChat(user, item)).answer.status).toBe('completed')
    expect(await mails()).toHaveLength(1)
    const [decision] = await decisionsOf(user)
    expect(decision.approvedBy).toMatchObject([
      { part: 'group', name: member.email },
      { part: 'user', name: user.email },
    ])
  })
})

describe('killed with the second yes', { timeout: 180_000 }, () => {
  it('before anything of it was written: it still waits, and the same yes carries it out', async () => {
    const { user, member, item } = await asked()
    await decideInChat(user, item)
    await decideAndDie(member, item, 'approve', 'begin_resume')
    await expireLeases(chat.stack, user.id)
    expect(await mails()).toEqual([])
    expect(await (await vote(member, item, 'approve')).json()).toMatchObject({
      decided: { as: 'approve', by: { door: 'approver', name: member.email } },
      outcome: { status: 'done' },
    })
    expect(await mails()).toHaveLength(1)
  })

  it('once the database has noted that the write begins: it is sent once, by the clock', async () => {
    const { user, member, item } = await asked()
    await decideInChat(user, item)
    await decideAndDie(member, item, 'approve', 'claim_invocation')
    await untilIdle(user)
    expect(await mails()).toHaveLength(1)
    expect(await decisionsOf(user)).toMatchObject([
      { by: { name: member.email }, approvedBy: [{ part: 'user' }, { part: 'group' }] },
    ])
  })

  it('before its end was stored: it is not sent again', async () => {
    const { user, member, item } = await asked()
    await decideInChat(user, item)
    await decideAndDie(member, item, 'approve', 'finish_run')
    await untilIdle(user)
    expect(await mails()).toHaveLength(1)
    expect(await decisionsOf(user)).toMatchObject([
      { by: { name: member.email }, approvedBy: [{ part: 'user' }, { part: 'group' }] },
    ])
  })
})

describe('killed with a no of one of the group', { timeout: 180_000 }, () => {
  it.each(['heartbeat_run', 'finish_run'])(
    'once the database has answered %s: nothing is sent, and the record names who',
    async (place) => {
      const { user, member, item } = await asked()
      const held = gate()
      chat.model.use(async () => {
        if (place === 'heartbeat_run') await held.opened
        return say('Well.')
      })
      await decideAndDie(member, item, 'deny', place)
      held.open()
      await untilIdle(user)
      expect(await mails()).toEqual([])
      expect(await decisionsOf(user)).toMatchObject([
        { decision: 'deny', by: { door: 'approver', approver: member.id, name: member.email } },
      ])
      expect((await user.get('/conversations/c?times=true')).body).toMatchObject({
        decided: [{ decision: 'deny', by: { door: 'approver', name: member.email } }],
      })
      const operator = await signUp(chat.stack)
      await withDatabase(
        chat.stack,
        (sql) => sql`insert into askback.operators (user_id) values (${operator.id})`,
      )
      const exported = await fetch(
        `${chat.stack.url}/functions/v1/chat/operator/decisions?since=2020-01-01T00:00:00Z`,
        { headers: { authorization: `Bearer ${operator.token}` } },
      )
      const lines = (await exported.text()).trim().split('\n')
      expect(
        lines.map((line) => JSON.parse(line)).filter(({ itemId }) => itemId === item.itemId),
      ).toMatchObject([
        { decision: 'deny', who: { userId: member.id, name: member.email }, door: 'approver' },
      ])
    },
  )
})
