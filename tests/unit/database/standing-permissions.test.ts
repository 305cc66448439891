import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Answer, numbered, question, refused, sent } from '../../../support/database-calls.ts'
import { earlyInWindow } from '../../../support/early-in-window.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
const toolName = 'smtp_send_email'

/** A user whose agent has these permissions, and a run of it. */
async function start(
  ...patterns: (string | { pattern: string; max?: number; per?: string; path?: string })[]
) {
  const user = await db.createUser()
  const { runId, agent, permissions } = await db.postText(user, { text: 'Write to Ada.' })
  const permit = (given: object) =>
    db.call('add_permission', user, {
      agentId: agent.id,
      toolName,
      path: 'to',
      max: 20,
      per: 'day',
      ...given,
    })
  for (const one of patterns) await permit(typeof one === 'string' ? { pattern: one } : one)
  // Each means something else.
  const claim = (addresses: string[], facts: object = {}) =>
    db.claim(runId, {
      arguments: { to: addresses, subject: randomUUID() },
      meaning: { sourced: randomUUID(), named: '', repeats: false },
      needs: { path: 'to', addresses },
      ...facts,
    })
  const list = (): Promise<Answer> => db.call('list_permissions', user)
  return { user, runId, agentId: agent.id as string, permissions, permit, claim, list }
}

const notPermitted = { claimed: false, status: 'not_permitted' }

describe('a claim that needs permission', () => {
  test('wins where a permission covers every recipient, and counts one use of each', async () => {
    const { claim, list } = await start('ada@example.com', '*@acme.com', 'bob@example.com')
    expect(await claim(['ada@example.com', 'eve@acme.com', 'joe@acme.com'])).toMatchObject({ claimed: true })
    expect((await list()).map(({ pattern, used }: Answer) => [pattern, used])).toEqual([
      ['ada@example.com', 1],
      ['*@acme.com', 1],
      ['bob@example.com', 0],
    ])
  })

  test.each([
    ['ada@example.com', 'eve@evil.example'],
    ['eve@sub.acme.com'],
    ['eve@acme.com.evil.example'],
    ['eve@xacme.com'],
    ['bda@example.com'],
    ['a_a@example.com'],
    ['%@example.com'],
    ['ada@example.co'],
  ])('is refused for %s %s', async (...addresses) => {
    const { claim, list } = await start('ada@example.com', '*@acme.com', '%@wild.example', 'b_b@wild.example')
    expect(await claim(addresses)).toMatchObject(notPermitted)
    expect((await list()).every(({ used }: Answer) => used === 0)).toBe(true)
  })

  test('takes % and _ for letters', async () => {
    const { claim } = await start('*@a%e.com', 'b_b@wild.example', '%@wild.example')
    expect(await claim(['eve@acme.com'])).toMatchObject(notPermitted)
    expect(await claim(['bob@wild.example'])).toMatchObject(notPermitted)
    expect(await claim(['eve@wild.example'])).toMatchObject(notPermitted)
    expect(await claim(['%@wild.example'])).toMatchObject({ claimed: true })
    expect(await claim(['b_b@wild.example'])).toMatchObject({ claimed: true })
  })

  test('reads a pattern in any case', async () => {
    const { claim } = await start('*@ACME.com')
    expect(await claim(['eve@acme.com'])).toMatchObject({ claimed: true })
  })

  test('is refused without recipients, for another parameter, another tool, and another agent', async () => {
    const { user, claim, agentId, permit } = await start({ pattern: '*@acme.com', path: 'emails' })
    expect(await claim([])).toMatchObject(notPermitted)
    expect(await claim(['eve@acme.com'])).toMatchObject(notPermitted)
    await permit({ pattern: '*@acme.com', toolName: 'gmail_send_email' })
    expect(await claim(['eve@acme.com'])).toMatchObject(notPermitted)
    const [other] = await db.service`
      insert into agents (user_id, name, instructions) values (${user}, 'Other', 'Help.') returning id`
    expect(other?.id).not.toBe(agentId)
    await permit({ pattern: '*@acme.com', agentId: other?.id })
    expect(await claim(['eve@acme.com'])).toMatchObject(notPermitted)
    await permit({ pattern: '*@acme.com' })
    expect(await claim(['eve@acme.com'])).toMatchObject({ claimed: true })
  })

  test('of fifty at once, as many win as there are uses left', async () => {
    const { user, list, permit, agentId } = await start({ pattern: '*@acme.com', max: 3 })
    await permit({ pattern: 'ada@acme.com', max: 1 })
    const runs = await Promise.all(
      Array.from({ length: 50 }, (_, number) => db.postText(user, { text: `Mail ${number}`, agentId })),
    )
    const claims = await Promise.all(
      runs.map(({ runId }) =>
        db.claim(runId, {
          arguments: { to: ['ada@acme.com'], subject: randomUUID() },
          needs: { path: 'to', addresses: ['ada@acme.com'] },
        }),
      ),
    )
    expect(claims.filter(({ claimed }) => claimed)).toHaveLength(4)
    expect(claims.filter(({ status }) => status === 'not_permitted')).toHaveLength(46)
    expect((await list()).map(({ used, max }: Answer) => [used, max])).toEqual([
      [3, 3],
      [1, 1],
    ])
  })

  test('wins again without another use if its reply was lost, and after its process died nobody else sends', async () => {
    const { claim, list, runId } = await start({ pattern: '*@acme.com', max: 1 })
    const call = {
      id: randomUUID(),
      toolCallId: 'call-1',
      arguments: { to: ['eve@acme.com'] },
      argumentHash: 'x',
    }
    expect(await claim(['eve@acme.com'], call)).toMatchObject({ claimed: true })
    expect(await claim(['eve@acme.com'], call)).toMatchObject({ claimed: true })
    await db.loseClaim(call.id)
    const again = await db.claim(runId, {
      ...call,
      id: randomUUID(),
      needs: { path: 'to', addresses: ['eve@acme.com'] },
    })
    expect(again).toMatchObject({ claimed: false, status: 'unknown', write: { toolCallId: call.toolCallId } })
    expect(await list()).toMatchObject([{ used: 1, max: 1 }])
  })

  test('gives its uses back when it is withdrawn, those of its window', async () => {
    const { user, claim, list } = await start(
      { pattern: 'eve@acme.com', max: 2 },
      { pattern: '*@acme.com', max: 2 },
    )
    const used = async () => (await list()).map((one: Answer) => one.used)
    const first = await claim(['eve@acme.com', 'joe@acme.com'])
    await claim(['eve@acme.com'])
    expect(await used()).toEqual([2, 1])
    for (const _ of ['once', 'twice']) await db.call('verify_invocation', user, first.invocationId)
    expect(await used()).toEqual([1, 0])
    const earlier = await claim(['joe@acme.com'])
    await db.service`
      update tool_executions set created_at = created_at - interval '1 day' where id = ${earlier.invocationId}`
    await db.call('verify_invocation', user, earlier.invocationId)
    expect(await used()).toEqual([1, 1])
  })

  test('is no use if nothing was sent: refused by the mail server, called off, cancelled, found not to have happened', async () => {
    const { user, runId, claim, list } = await start('*@acme.com')
    const total = async () => (await list()).map((one: Answer) => [one.used, one.total, one.lastUsedAt])
    const settle = (id: string, status: string) =>
      db.call('settle_invocation', user, id, status, status === 'succeeded' ? sent : refused, 5)
    for (const status of ['failed', 'cancelled']) {
      const { invocationId } = await claim(['eve@acme.com'])
      await settle(invocationId, status)
      await settle(invocationId, status)
      expect(await total(), status).toEqual([[0, 0, null]])
    }
    const unknown = await claim(['eve@acme.com'])
    await settle(unknown.invocationId, 'unknown')
    expect(await total()).toEqual([[1, 1, expect.any(String)]])
    await settle(unknown.invocationId, 'failed')
    expect(await total()).toEqual([[0, 0, null]])
    const calledOff = await claim(['eve@acme.com'])
    const delivered = await db.service`
      update tool_executions set delivery_id = gen_random_uuid() where id = ${calledOff.invocationId}
      returning delivery_id`
    await db.call('call_off_effect', user, calledOff.invocationId, delivered[0]?.delivery_id)
    expect(await total()).toEqual([[0, 0, null]])
    const sentOne = await claim(['eve@acme.com'])
    await settle(sentOne.invocationId, 'succeeded')
    await db.finish(runId, { text: 'Sent.' })
    expect(await total()).toEqual([[1, 1, expect.any(String)]])
  })

  test('counts once where the same invocation is claimed again after it has failed', async () => {
    const { user, claim, list } = await start({ pattern: '*@acme.com', max: 1 })
    const call = {
      id: randomUUID(),
      toolCallId: 'call-1',
      arguments: { to: ['eve@acme.com'] },
      argumentHash: 'x',
    }
    expect(await claim(['eve@acme.com'], call)).toMatchObject({ claimed: true })
    await db.call('settle_invocation', user, call.id, 'failed', refused, 5)
    expect(await claim(['eve@acme.com'], call)).toMatchObject({ claimed: true })
    expect(await list()).toMatchObject([{ used: 1, total: 1 }])
  })

  test('asks about repetition first, and does not count it', async () => {
    const { claim, list, user } = await start('*@acme.com')
    const first = await claim(['eve@acme.com'], { meaning: { sourced: 'eve', named: '', repeats: false } })
    await db.call('settle_invocation', user, first.invocationId, 'succeeded', sent, 5)
    expect(
      await claim(['eve@acme.com'], { meaning: { sourced: 'eve', named: '', repeats: false } }),
    ).toMatchObject({ status: 'same' })
    expect(await list()).toMatchObject([{ used: 1 }])
  })

  test('needs none where a person has approved it', async () => {
    const { list, runId } = await start('*@acme.com')
    expect(await db.claim(runId)).toMatchObject({ claimed: true })
    expect(await list()).toMatchObject([{ used: 0 }])
  })

  test('is refused from the revocation on, and giving it again does not start anew', async () => {
    const { user, claim, list, permit } = await start({ pattern: '*@acme.com', max: 2 })
    expect(await claim(['eve@acme.com'])).toMatchObject({ claimed: true })
    const [{ id }] = await list()
    expect(await db.call('revoke_permission', await db.createUser(), id)).toBe(false)
    expect(await db.call('revoke_permission', user, id)).toBe(true)
    expect(await db.call('revoke_permission', user, id)).toBe(false)
    expect(await list()).toEqual([])
    expect(await claim(['eve@acme.com'])).toMatchObject(notPermitted)
    await permit({ pattern: '*@acme.com', max: 2 })
    expect(await list()).toMatchObject([{ id, used: 1, max: 2 }])
    expect(await claim(['eve@acme.com'])).toMatchObject({ claimed: true })
    expect(await claim(['eve@acme.com'])).toMatchObject(notPermitted)
  })

  test('is kept after its revocation only as long as its uses count', async () => {
    const { user, claim, list, permit } = await start({ pattern: '*@acme.com' })
    await permit({ pattern: '*@unused.example' })
    expect(await claim(['eve@acme.com'])).toMatchObject({ claimed: true })
    for (const { id } of await list()) expect(await db.call('revoke_permission', user, id)).toBe(true)
    const kept = () => db.service`select pattern, used from permissions where user_id = ${user}`
    const forget = () => database.sql`select askback_private.forget_usage()`
    await forget()
    expect(await kept()).toEqual([{ pattern: '*@acme.com', used: 1 }])
    await db.service`update permissions set revoked_at = now() - interval '49 hours' where user_id = ${user}`
    await forget()
    expect(await kept()).toEqual([])
  })

  test.each(['minute', 'hour', 'day'])('counts anew in the next %s', async (per) => {
    const { claim, list } = await start({ pattern: '*@acme.com', max: 1, per })
    await earlyInWindow('minute')
    expect(await claim(['eve@acme.com'])).toMatchObject({ claimed: true })
    expect(await claim(['eve@acme.com'])).toMatchObject(notPermitted)
    expect(await claim(['eve@acme.com'])).toMatchObject({ spent: { pattern: '*@acme.com', max: 1, per } })
    expect(await claim(['eve@evil.example'])).toEqual(notPermitted)
    const [{ id }] = await list()
    await db.service`
      update permissions set last_used_at = date_trunc(per, clock_timestamp(), 'UTC') - interval '1 second' where id = ${id}`
    expect(await list()).toMatchObject([{ used: 0 }])
    expect(await claim(['eve@acme.com'])).toMatchObject({ claimed: true })
  })
})

describe('giving a permission', () => {
  test('again changes its limit', async () => {
    const { list, permit } = await start('*@acme.com')
    await permit({ pattern: '*@ACME.com', max: 5, per: 'hour' })
    expect(await list()).toMatchObject([{ max: 5, per: 'hour' }])
  })

  test('needs an agent of the user', async () => {
    const { agentId } = await start()
    const given = { agentId, toolName, path: 'to', pattern: '*@acme.com', max: 1, per: 'day' }
    const answer = await db.call('add_permission', await db.createUser(), given)
    expect(answer).toEqual({ kind: 'error', code: 'agent_not_found' })
  })

  test('ends at 200 for an agent', async () => {
    const { user, agentId, permit } = await start()
    await db.service`
      insert into permissions (user_id, agent_id, tool_name, pattern)
      select ${user}, ${agentId}, ${toolName}, 'p' || number || '@example.com' from generate_series(1, 200) number`
    expect(await permit({ pattern: '*@acme.com' })).toEqual({ kind: 'error', code: 'too_many_permissions' })
  })

  test('is told to the next run, and ends with its agent', async () => {
    const { user, agentId, permissions, list } = await start('*@acme.com')
    expect(permissions).toEqual([])
    expect((await db.postText(user, { text: 'Again.' })).permissions).toEqual([toolName])
    await db.service`delete from agents where id = ${agentId}`
    expect(await list()).toEqual([])
  })
})

describe('an approval that is remembered', () => {
  const remember = { pattern: '*@example.com', max: 5, per: 'hour' }
  const offered = { path: 'to', pattern: 'ada@example.com', max: 20, per: 'day' } as const

  async function ask(facts: Parameters<typeof question>[0] = { remember: offered }) {
    const user = await db.createUser()
    const conversationId = `c-${randomUUID()}`
    const { runId } = await db.postText(user, { conversationId, text: 'Write to Ada.' })
    const asked = question({ reason: 'consent', ...facts })
    await db.finish(runId, { status: 'needs_approval', entries: numbered([asked]) })
    const decide = (answer: object = {}) =>
      db.begin('begin_resume', user, conversationId, {
        runId: randomUUID(),
        type: 'approval',
        itemId: asked.itemId,
        toolCallId: asked.toolCallId,
        decision: 'approve',
        ...answer,
      })
    const list = (): Promise<Answer> => db.call('list_permissions', user)
    return { user, conversationId, decide, list }
  }

  test('stores the permission, without a use, in time for the rest of the run', async () => {
    const { decide, list } = await ask()
    expect(await decide({ remember })).toMatchObject({ kind: 'continue', permissions: [toolName] })
    expect(await list()).toMatchObject([{ toolName, path: 'to', ...remember, used: 0 }])
  })

  test('is the same decision if it is repeated, another one if it was not remembered', async () => {
    const { decide, list } = await ask()
    expect(await decide({ remember })).toMatchObject({ kind: 'continue' })
    expect(await decide({ remember })).toMatchObject({ kind: 'join' })
    expect(await decide()).toMatchObject({ kind: 'join' })
    const other = await ask()
    expect(await other.decide()).toMatchObject({ kind: 'continue' })
    expect(await other.decide({ remember })).toEqual({ kind: 'error', code: 'already_decided' })
    expect([(await list()).length, await other.list()]).toEqual([1, []])
  })

  test('stores nothing where the question offers nothing, has expired, or has to wait', async () => {
    const bare = await ask({})
    await bare.decide({ remember })
    expect(await bare.list()).toEqual([])
    const late = await ask({ remember: offered, expiresAt: new Date(Date.now() - 1000).toISOString() })
    await late.decide({ remember })
    expect(await late.list()).toEqual([])
    const busy = await ask()
    await db.postText(busy.user, { conversationId: busy.conversationId, text: 'And?' })
    expect(await busy.decide({ remember })).toMatchObject({ kind: 'busy' })
    expect(await busy.list()).toEqual([])
  })
})
