import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type Answer,
  decisionEntry,
  numbered,
  question,
  refused,
  sent,
  write,
} from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()

const steps = ['begin', 'claim', 'deliver', 'settle', 'finish'] as const
type Step = (typeof steps)[number]

/** One process that answers "Write to Ada." and dies after a step. Returns what it saw, and whether it sent. */
async function live(
  chat: DatabaseConversation,
  diesAfter: Step,
): Promise<{ turn: Answer; claim?: Answer; sent: boolean }> {
  const turn = await chat.postText('u1', 'Write to Ada.')
  if (turn.kind !== 'run' || diesAfter === 'begin') return { turn, sent: false }
  const invocation = write()
  const claim = await db.claim(turn.runId, invocation)
  if (!claim.claimed || diesAfter === 'claim') return { turn, claim, sent: false }
  const deliveryId = randomUUID()
  const effect = await db.call('begin_effect', chat.user, {
    deliveryId,
    idempotencyKey: claim.idempotencyKey,
    toolName: invocation.toolName,
    argumentHash: invocation.argumentHash,
    providers: ['smtp'],
  })
  expect(effect.proceed).toBe(true)
  if (diesAfter === 'deliver') return { turn, claim, sent: true }
  await db.call('settle_invocation', chat.user, effect.delivery.write.id, 'succeeded', sent, 5, deliveryId)
  if (diesAfter === 'settle') return { turn, claim, sent: true }
  await db.finish(turn.runId, { text: 'Sent.' })
  return { turn, claim, sent: true }
}

/** What the next process finds when the first one died after the step. */
const expected: Record<Step, { kind: string; claim?: object; sends: number }> = {
  begin: { kind: 'run', claim: { claimed: true }, sends: 1 },
  claim: { kind: 'run', claim: { claimed: true }, sends: 1 },
  deliver: { kind: 'run', claim: { claimed: false, status: 'unknown' }, sends: 1 },
  settle: { kind: 'run', claim: { claimed: false, status: 'succeeded', write: { result: sent } }, sends: 1 },
  finish: { kind: 'return', sends: 1 },
}

test.each(steps)('a process killed after %s loses no message and doubles no effect', async (diesAfter) => {
  const chat = new DatabaseConversation(db, await db.createUser())
  const first = await live(chat, diesAfter)
  await db.loseLease(first.turn.runId)
  if (first.claim) await db.abandonClaim(first.claim.invocationId)
  expect((await chat.page()).messages[0]).toMatchObject({
    id: 'u1',
    entries: [{ content: [{ text: 'Write to Ada.' }] }],
  })

  const second = await live(chat, 'finish')
  const { kind, claim, sends } = expected[diesAfter]
  expect(second.turn.kind).toBe(kind)
  if (claim) expect(second.claim).toMatchObject(claim)
  expect(Number(first.sent) + Number(second.sent)).toBe(sends)
})

test('a call that goes on after its process died closes what was asked about its first try', async () => {
  const chat = new DatabaseConversation(db, await db.createUser())
  const turn = await chat.postText('u1', 'Write to Ada.')
  const invocation = write()
  const claim = await db.claim(turn.runId, invocation)
  await db.loseLease(turn.runId)
  await db.loseClaim(claim.invocationId)
  const { runId } = await chat.postText('u2', 'Hello.')
  const { toolCallId } = invocation as { toolCallId: string }
  const asked = question({ toolCallId, reason: 'unknown', outcomeUnknown: true })
  await db.finish(runId, { status: 'needs_approval', text: 'Again?', entries: numbered([asked]) })
  expect((await chat.page()).pending).toMatchObject([{ itemId: asked.itemId }])

  await db.settle(chat.user, claim.invocationId, 'failed', refused, 5)
  const next = await chat.postText('u3', 'Go on.')
  expect((await db.claim(next.runId, { ...invocation, id: randomUUID() })).claimed).toBe(true)
  const page = await chat.page()
  expect(page.pending).toEqual([])
  expect(JSON.stringify(page.messages)).toContain('"closed"')
})

test('approvals that race with dying processes send once', async () => {
  for (let round = 0; round < 10; round++) {
    const chat = new DatabaseConversation(db, await db.createUser())
    const { messageId } = await chat.awaitApproval()
    let effects = 0
    const click = async (_: unknown, number: number) => {
      const turn = await chat.decide(messageId, true)
      if (turn.kind !== 'continue') return
      const invocation = write()
      const claim = await db.claim(turn.runId, invocation, numbered([decisionEntry(question())]))
      if (claim.claimed) {
        const effect = await db.call('begin_effect', chat.user, {
          deliveryId: randomUUID(),
          idempotencyKey: claim.idempotencyKey,
          toolName: invocation.toolName,
          argumentHash: invocation.argumentHash,
          providers: ['smtp'],
        })
        if (effect.proceed) effects += 1
      }
      // Every second process dies here; the others end late or in time.
      if (number % 2 === 0) await db.loseLease(turn.runId)
      else await db.finish(turn.runId)
    }
    for (let clicks = 0; clicks < 3; clicks++) await Promise.all(Array.from({ length: 4 }, click))
    expect(effects).toBe(1)
  }
})
