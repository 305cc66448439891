import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { callEntries, numbered, refused, sent, write } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

const remove = () => db.call('delete_conversation', chat.user, chat.id)
const ledger = () =>
  db.service`select status, arguments, repairs, result, idempotency_key is not null as key, conversation_id from tool_executions where user_id = ${chat.user} order by position`

test('a deleted conversation leaves no word of it, only that something was done', async () => {
  const turn = await chat.exchangeWithMail('m1', 'Write to Ada.')
  await chat.awaitApproval('m2')
  expect(await remove()).toEqual({ deleted: chat.id })
  for (const table of ['conversations', 'messages', 'entries', 'runs']) {
    expect(await db.service`select 1 from ${db.service(table)} where user_id = ${chat.user}`, table).toEqual(
      [],
    )
  }
  expect(await ledger()).toEqual([
    { status: 'succeeded', arguments: {}, repairs: [], result: null, key: true, conversation_id: null },
  ])
  expect(await chat.page()).toBeNull()
  expect(await remove()).toBeNull()
  expect(await db.call('get_run', chat.user, turn.runId)).toBeNull()
  // The id is free again.
  expect(await chat.postText('m1', 'Hello')).toMatchObject({ kind: 'run', created: true, priorWrites: [] })
})

test('nor whom it wrote to', async () => {
  const turn = await chat.postText('m1', 'Write to Ada.')
  const meaning = {
    sourced: 'ada',
    named: 'ada lunch',
    people: ['ada@example.com'],
    answers: 'm1',
    repeats: false,
  }
  expect(await db.claim(turn.runId, write({ meaning }))).toMatchObject({ claimed: true })
  await remove()
  expect(
    await db.service`select sourced, named, people, answers, led_by from tool_executions where user_id = ${chat.user}`,
  ).toEqual([{ sourced: '', named: '', people: [], answers: '', led_by: null }])
})

test('a run that is at work hears that it has none, and writes nothing', async () => {
  const turn = await chat.postText('m1', 'Write to Ada.')
  await db.call('heartbeat_run', turn.runId, 15, numbered(callEntries('call-1')))
  await remove()
  expect(await db.call('heartbeat_run', turn.runId, 15)).toMatchObject({ stopRequested: true, isOver: true })
  expect(await db.claim(turn.runId)).toEqual({ claimed: false, status: 'stopped' })
  expect(await db.finish(turn.runId)).toEqual({ status: null, pending: [] })
  expect(await ledger()).toEqual([])
})

test('a late delivery repeats nothing, and what it reports is not kept', async () => {
  const turn = await chat.postText('m1', 'Write to Ada and to Bob.')
  const writes = [write(), write({ arguments: { to: ['bob@example.com'] } })]
  const claims = await Promise.all(writes.map((one) => db.claim(turn.runId, one)))
  const deliver = (number: number, deliveryId = randomUUID()) =>
    db.call('begin_effect', chat.user, {
      deliveryId,
      idempotencyKey: claims[number].idempotencyKey,
      toolName: writes[number]?.toolName,
      argumentHash: writes[number]?.argumentHash,
      providers: ['smtp'],
    })
  const deliveryId = randomUUID()
  expect(await deliver(0, deliveryId)).toMatchObject({ proceed: true })
  await remove()
  expect(await deliver(0)).toMatchObject({ proceed: false, write: { status: 'running' } })
  expect(await deliver(1)).toMatchObject({ proceed: false, write: { status: 'cancelled', arguments: {} } })
  const { invocationId } = claims[0]
  await db.call('settle_invocation', chat.user, invocationId, 'failed', refused, 5, deliveryId)
  expect(await deliver(0)).toMatchObject({ proceed: false, write: { status: 'failed', result: null } })
  await db.call('settle_invocation', chat.user, claims[1].invocationId, 'succeeded', sent, 5)
  expect((await ledger()).map((row) => [row.status, row.result])).toEqual([
    ['failed', null],
    ['cancelled', null],
  ])
})
