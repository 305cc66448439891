import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callEntries, numbered, refused, write } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()

const parked = { state: 'where it was', requests: { who: { method: 'elicitation/create' } } }

/** A write whose server asks something first, and whose process has died before it has stored that. */
async function ask() {
  const chat = new DatabaseConversation(db, await db.createUser())
  const { runId } = await chat.postText('u1', 'Book a trip.')
  const call = write()
  const { invocationId, idempotencyKey } = await db.claim(
    runId,
    call,
    numbered(callEntries(String(call.toolCallId))),
  )
  const deliveryId = randomUUID()
  const { toolName, argumentHash } = call
  await db.call('begin_effect', chat.user, {
    ...{ deliveryId, idempotencyKey, toolName, argumentHash },
    providers: [],
  })
  await db.call('settle_asked', chat.user, invocationId, deliveryId, refused, parked, 5)
  const again = () => db.claim(runId, { ...call, id: randomUUID() })
  const kept = () => db.call('parked_question', chat.user, invocationId)
  return { chat, runId, call, again, kept }
}

test('whoever makes the same call again after its process has died gets what its server asks', async () => {
  const { again, kept } = await ask()
  expect(await kept()).toEqual(parked)
  expect(await again()).toEqual({ claimed: false, status: 'asked', result: refused, parked })
})

test('another call with the same arguments is made', async () => {
  const { runId, call } = await ask()
  expect(await db.claim(runId, { ...call, id: randomUUID(), toolCallId: 'another' })).toMatchObject({
    claimed: true,
  })
})

test('once the conversation has the question, it is kept there alone, and its answer is sent', async () => {
  const { runId, call, again, kept } = await ask()
  const result = { type: 'result', toolCallId: call.toolCallId, status: 'failed', result: refused }
  await db.call('heartbeat_run', runId, 15, numbered([result], 50))
  expect(await kept()).toBeNull()
  expect(await again()).toMatchObject({ claimed: true })
})

test('with its conversation, the question is deleted', async () => {
  const { chat, kept } = await ask()
  await db.call('delete_conversation', chat.user, chat.id)
  expect(await kept()).toBeNull()
})
