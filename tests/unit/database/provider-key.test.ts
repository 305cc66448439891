import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, refused, sent, write } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

/** What a provider is told, so that it does not carry an effect out a second time. */
const { db, database } = useDatabase()
let user: string
let conversationId: string
let turn: Answer

beforeAll(async () => {
  user = await db.createUser()
})
beforeEach(async () => {
  conversationId = `c-${randomUUID()}`
  turn = await begin()
})

const begin = () => db.postText(user, { conversationId, text: 'Write to Ada.' })
const lost = {
  ok: false,
  error: 'Question: Again?',
  errorType: 'outcome_unknown',
  resolver: 'user',
  details: {},
}

interface Tried extends Answer {
  /** What the ledger answered to the claim, and to the delivery. */
  claim: Answer
  start: Answer
}

/** Claims a write, delivers it, and settles it, unless it is to run on. */
async function attempt(
  facts: Record<string, unknown>,
  end?: 'unknown' | 'succeeded' | 'failed',
  note?: object,
): Promise<Tried> {
  const invocation = write({ toolCallId: 'call-1', ...facts })
  const claim = await db.claim(turn.runId, invocation)
  expect(claim).toMatchObject({ claimed: true })
  const deliveryId = randomUUID()
  const about = { toolName: invocation.toolName, argumentHash: invocation.argumentHash, providers: ['smtp'] }
  const effect = { deliveryId, idempotencyKey: claim.idempotencyKey, ...about }
  const start = await db.call('begin_effect', user, effect)
  if (note) await db.call('note_effect', user, invocation.id, deliveryId, null, note)
  const result = end === 'succeeded' ? sent : end === 'failed' ? refused : lost
  if (end) await db.settle(user, invocation.id, end, result, 5, deliveryId)
  if (end) await db.settle(user, invocation.id, end, result, 5)
  return { claim, start, effect, invocation }
}

/** The next message, in which a person has been told of all that was done. */
async function later() {
  await db.finish(turn.runId)
  turn = await begin()
  return { toolCallId: `call-${randomUUID()}`, coveredUntil: new Date(Date.now() + 1000).toISOString() }
}
const age = (hours: number) => database.sql`
  update askback.tool_executions set created_at = created_at - make_interval(hours => ${hours})
  where conversation_id = ${conversationId}`
const keyOf = ({ start }: Tried): string => {
  expect(start.delivery.providerKey).toEqual(expect.any(String))
  return start.delivery.providerKey
}

describe('a write that is made again, because nobody knows what became of it,', () => {
  test('keeps the key of its provider, and has one of its own in the ledger', async () => {
    const first = await attempt({}, 'unknown')
    const again = await attempt({ repetition: 1 })
    expect(keyOf(first)).toBe(first.claim.idempotencyKey)
    expect(keyOf(again)).toBe(keyOf(first))
    expect(again.claim.idempotencyKey).not.toBe(first.claim.idempotencyKey)
    expect([first.claim.isSecond, again.claim.isSecond]).toEqual([undefined, true])
  })

  test('keeps it in a later message, too', async () => {
    const first = await attempt({}, 'unknown')
    const again = await attempt(await later())
    expect(keyOf(again)).toBe(keyOf(first))
    expect(again.claim.isSecond).toBe(true)
  })

  test('keeps it after a process that died', async () => {
    const first = await attempt({})
    await db.loseClaim(first.invocation.id)
    expect(keyOf(await attempt({ repetition: 1 }))).toBe(keyOf(first))
  })

  test('keeps it after a try that provably did not run', async () => {
    const first = await attempt({}, 'unknown')
    await attempt({ repetition: 1 }, 'failed')
    expect(keyOf(await attempt({ repetition: 1 }))).toBe(keyOf(first))
  })

  test('is told how the first try can be found, and asks its provider by that key', async () => {
    const first = await attempt({}, 'unknown', { draftId: 'd1' })
    const again = await attempt({ repetition: 1 })
    expect(again.start).toMatchObject({ delivery: { note: null }, earlierNote: { draftId: 'd1' } })
    expect(first.start.earlierNote).toBeNull()
    expect(await db.call('load_effect', user, again.effect)).toMatchObject({
      write: { id: again.invocation.id, status: 'running' },
      providerKey: keyOf(first),
    })
  })
})

describe('a new key has', () => {
  test('a call that was edited', async () => {
    const first = await attempt({}, 'unknown')
    const args = { to: ['ada@example.com'], subject: 'Other' }
    const edited = await attempt({ ...(await later()), arguments: args, argumentHash: 'other' })
    expect(keyOf(edited)).not.toBe(keyOf(first))
    expect(edited.claim.isSecond).toBeUndefined()
  })

  test('a repetition of what is known to be done', async () => {
    const first = await attempt({}, 'succeeded')
    const again = await attempt({ toolCallId: 'call-2', repetition: 1 })
    expect(keyOf(again)).not.toBe(keyOf(first))
  })

  test('a repetition of what turned out to be done', async () => {
    const first = await attempt({}, 'unknown')
    await db.settle(user, first.invocation.id, 'succeeded', sent, 5)
    expect(keyOf(await attempt({ toolCallId: 'call-2', repetition: 1 }))).not.toBe(keyOf(first))
  })

  test('a repetition after one that was made again and is done', async () => {
    const first = await attempt({}, 'unknown')
    await attempt({ repetition: 1 }, 'succeeded')
    expect(keyOf(await attempt({ toolCallId: 'call-2', repetition: 2 }))).not.toBe(keyOf(first))
  })

  test('a third try, after two of which nobody knows what became of them', async () => {
    const first = await attempt({}, 'unknown')
    const second = await attempt({ repetition: 1 }, 'unknown')
    const third = await attempt({ repetition: 2 }, 'unknown')
    expect(keyOf(second)).toBe(keyOf(first))
    expect(keyOf(third)).not.toBe(keyOf(first))
    expect(third.claim.isSecond).toBe(true)
  })

  test('a try after more than a day', async () => {
    const first = await attempt({}, 'unknown')
    await age(25)
    const again = await attempt(await later())
    expect(keyOf(again)).not.toBe(keyOf(first))
    expect(again.claim.isSecond).toBeUndefined()
  })

  test('a write of another conversation, tool or user', async () => {
    const first = await attempt({}, 'unknown')
    const facts = await later()
    expect(keyOf(await attempt({ ...facts, toolName: 'gmail_send_email' }))).not.toBe(keyOf(first))
    conversationId = `c-${randomUUID()}`
    turn = await begin()
    expect(keyOf(await attempt(facts))).not.toBe(keyOf(first))
    const before = user
    user = await db.createUser()
    turn = await begin()
    expect(keyOf(await attempt(facts))).not.toBe(keyOf(first))
    user = before
  })

  test('a call without a run, which is its own', async () => {
    const invocation = write()
    const effect = { deliveryId: randomUUID(), idempotencyKey: randomUUID(), toolName: invocation.toolName }
    const start = await db.call('begin_effect', user, {
      ...effect,
      argumentHash: 'h',
      arguments: {},
      providers: [],
    })
    expect(start).toMatchObject({ proceed: true, delivery: { providerKey: effect.idempotencyKey } })
  })
})

describe('a card about a second try of unknown outcome says so:', () => {
  test('one that nobody was asked about yet', async () => {
    await attempt({}, 'unknown')
    const second = await attempt({ repetition: 1 })
    await db.loseClaim(second.invocation.id)
    await db.loseLease(turn.runId)
    const items: Answer[] = await db.call('list_items', user, conversationId)
    expect(items.map((item) => item.write.isSecond)).toEqual([false, true])
  })

  test('one that is claimed once more', async () => {
    await attempt({}, 'unknown')
    expect(await db.claim(turn.runId, write({ toolCallId: 'call-1' }))).toMatchObject({
      write: { isSecond: false },
    })
    await attempt({ repetition: 1 }, 'unknown')
    const claim = await db.claim(turn.runId, write({ toolCallId: 'call-1', repetition: 1 }))
    expect(claim).toMatchObject({ claimed: false, status: 'unknown', write: { isSecond: true } })
  })

  test('one that is asked in a later message', async () => {
    await attempt({}, 'unknown')
    const { coveredUntil } = await later()
    await attempt({ coveredUntil, toolCallId: 'call-2' }, 'unknown')
    await db.finish(turn.runId)
    turn = await begin()
    expect(await db.claim(turn.runId, write({ toolCallId: 'call-3' }))).toMatchObject({
      status: 'same',
      earlier: { write: { status: 'unknown', isSecond: true } },
    })
  })
})

test('the clock does not ask about a try that was made again: its provider would answer for the second one', async () => {
  const first = await attempt({}, 'unknown')
  await db.finish(turn.runId)
  const due = async () =>
    ((await db.call('askback_private.due_runs', 1000)) as Answer[]).filter(
      ({ userId, unknown }) => userId === user && unknown,
    )
  expect((await due()).map(({ unknown }) => unknown.write.idempotencyKey)).toContain(
    first.claim.idempotencyKey,
  )
  turn = await begin()
  await attempt({ ...(await later()) }, 'succeeded')
  await db.finish(turn.runId)
  expect((await due()).map(({ unknown }) => unknown.write.idempotencyKey)).not.toContain(
    first.claim.idempotencyKey,
  )
})
