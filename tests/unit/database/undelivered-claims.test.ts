import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Answer, callEntries, numbered, refused, sent, write } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()

/** A process that claimed a mail and died, or froze, before or after the mail's function had it. */
async function abandon({ isDelivered = false } = {}) {
  const chat = new DatabaseConversation(db, await db.createUser())
  const turn = await chat.postText('u1', 'Write to Ada.')
  const invocation = write()
  const entries = numbered(callEntries(String(invocation.toolCallId)))
  const claim = await db.claim(turn.runId, invocation, entries)
  const deliver = (deliveryId: string = randomUUID()): Promise<Answer> =>
    db.call('begin_effect', chat.user, {
      deliveryId,
      idempotencyKey: claim.idempotencyKey,
      toolName: invocation.toolName,
      argumentHash: invocation.argumentHash,
      providers: ['smtp'],
    })
  if (isDelivered) expect(await deliver()).toMatchObject({ proceed: true })
  await db.loseLease(turn.runId)
  await db.abandonClaim(claim.invocationId)
  const statusOf = async () => {
    const [row] = await db.service`select status from tool_executions where id = ${claim.invocationId}`
    return row?.status
  }
  return { chat, turn, invocation, claim, deliver, statusOf }
}

test('a delivery that comes after the lease of a claim is refused, and the claim did not happen', async () => {
  const { deliver, statusOf } = await abandon()
  expect(await deliver()).toMatchObject({ proceed: false, write: { status: 'failed', result: null } })
  expect(await statusOf()).toBe('failed')
})

test('the clock withdraws a claim that no delivery reached: a late delivery is refused, and nobody is asked', async () => {
  const { chat, deliver, statusOf } = await abandon()
  await db.call('askback_private.due_runs', 20)
  expect(await statusOf()).toBe('failed')
  expect(await deliver()).toMatchObject({ proceed: false, write: { status: 'failed', result: null } })
  expect((await chat.page()).pending).toEqual([])
})

test('a claim that no delivery reached is made again by the run that goes on, in one step', async () => {
  const { chat, invocation, deliver } = await abandon()
  const next = await chat.postText('u1', 'Write to Ada.')
  const again = await db.claim(next.runId, { ...invocation, id: randomUUID() })
  expect(again).toMatchObject({ claimed: true })
  // Whichever of the two deliveries comes first is the only one.
  const effects = [await deliver(), await deliver()]
  expect(effects.filter(({ proceed }) => proceed)).toHaveLength(1)
})

test('nobody is told of, or asked about, a claim that no delivery reached, before anything has withdrawn it', async () => {
  const { chat, turn, invocation } = await abandon()
  expect((await chat.page()).pending).toEqual([])
  const calls = [String(invocation.toolCallId)]
  expect(await db.call('write_outcomes', turn.runId, calls)).toMatchObject([
    { status: 'failed', result: null },
  ])
  expect((await chat.page()).unreportedWrites).toMatchObject([{ status: 'failed' }])
  const other = await chat.postText('u2', 'Hello.')
  expect(other.priorWrites).toEqual([])
  expect(other.unreportedWrites).toMatchObject([{ status: 'failed' }])
})

test('the same mail asked for anew is no repetition of a claim that no delivery reached', async () => {
  const { chat, invocation } = await abandon()
  const other = await chat.postText('u2', 'Write to Ada, please.')
  const { arguments: args, argumentHash } = invocation
  expect(await db.claim(other.runId, { arguments: args, argumentHash })).toMatchObject({ claimed: true })
})

test('a claim whose delivery had its turn stays unknown, and is asked about', async () => {
  const { chat, turn, invocation, deliver, statusOf } = await abandon({ isDelivered: true })
  const calls = [String(invocation.toolCallId)]
  expect(await db.call('write_outcomes', turn.runId, calls)).toMatchObject([{ status: 'unknown' }])
  expect((await chat.page()).pending).toMatchObject([{ toolCallId: invocation.toolCallId }])
  await db.call('askback_private.due_runs', 20)
  expect(await statusOf()).toBe('unknown')
  expect(await deliver()).toMatchObject({ proceed: false, write: { status: 'unknown' } })
})

test('a withdrawn claim gives back what it has used of a standing permission', async () => {
  const { chat, claim } = await abandon()
  const [permission] = await db.service`
    insert into permissions (user_id, agent_id, tool_name, path, pattern, per, max, used, last_used_at)
    select ${chat.user}, id, 'smtp_send_email', 'to', 'ada@example.com', 'day', 2, 1, now()
    from agents where user_id = ${chat.user} limit 1
    returning id`
  await db.service`
    update tool_executions set used_permissions = array[${permission?.id}::uuid] where id = ${claim.invocationId}`
  await db.call('askback_private.due_runs', 20)
  const [left] = await db.service`select used from permissions where id = ${permission?.id}`
  expect(left?.used).toBe(0)
})

test('a write that its run has told as done is settled with the run, if its own settlement was lost', async () => {
  const { chat, turn, claim, invocation, statusOf } = await abandon({ isDelivered: true })
  const told = {
    type: 'result',
    toolCallId: invocation.toolCallId,
    status: 'succeeded',
    result: sent,
    tries: 1,
  }
  const entries = numbered([{ ...told, durationMs: 7.4 }], 10)
  expect(await db.finish(turn.runId, { text: 'Sent.', entries })).toEqual({
    status: 'completed',
    pending: [],
  })
  expect(await statusOf()).toBe('succeeded')
  const [row] = await db.service`
    select result, duration_ms, closed from tool_executions where id = ${claim.invocationId}`
  expect(row).toEqual({ result: sent, duration_ms: 7, closed: true })
  expect((await chat.page()).unreportedWrites).toEqual([])
})

test('a write that was done stays told where its repetition has failed', async () => {
  const { chat, turn, claim, invocation } = await abandon({ isDelivered: true })
  const told = { type: 'result', toolCallId: invocation.toolCallId, tries: 1, durationMs: 7 }
  const failed = { ...told, status: 'failed', result: refused }
  await db.call('settle_invocation', chat.user, claim.invocationId, 'succeeded', sent, 20)
  const entries = numbered([{ ...told, status: 'succeeded', result: sent }, failed], 10)
  await db.finish(turn.runId, { text: 'It failed.', entries })
  expect((await chat.page()).unreportedWrites).toMatchObject([
    { toolCallId: invocation.toolCallId, status: 'succeeded', result: sent },
  ])
})
