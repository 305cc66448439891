import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { refused, sent, write } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
let user: string

beforeAll(async () => {
  user = await db.createUser()
})

const begin = () => db.postText(user, { text: 'Write to Ada.' })
const deliver = (claim: { idempotencyKey: string }, invocation: Record<string, unknown>, facts = {}) =>
  db.call('begin_effect', user, {
    deliveryId: randomUUID(),
    idempotencyKey: claim.idempotencyKey,
    toolName: invocation.toolName,
    argumentHash: invocation.argumentHash,
    providers: ['smtp'],
    ...facts,
  })

describe('deliveries', () => {
  test('of ten concurrent deliveries of one claim exactly one reaches the effect', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(claim, invocation)))
    expect(answers.filter((answer) => answer.proceed)).toHaveLength(1)
    expect(new Set(answers.filter((answer) => !answer.proceed).map(({ write }) => write.status))).toEqual(
      new Set(['running']),
    )
  })

  test('a delivery whose reply was lost proceeds when it asks again', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    const deliveryId = randomUUID()
    const first = await deliver(claim, invocation, { deliveryId })
    expect(first).toMatchObject({ proceed: true, delivery: { write: { id: invocation.id } } })
    expect(await deliver(claim, invocation, { deliveryId })).toEqual(first)
  })

  test('a second delivery after the first has settled gets its result', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    await deliver(claim, invocation)
    await db.settle(user, invocation.id, 'succeeded', sent, 5)
    expect(await deliver(claim, invocation)).toMatchObject({
      proceed: false,
      write: { status: 'succeeded', result: sent },
    })
  })

  test('the executor may deliver again what provably did not run, until the claimer has settled it', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    const deliveryId = randomUUID()
    await deliver(claim, invocation, { deliveryId })
    await db.settle(user, invocation.id, 'failed', refused, 5, deliveryId)
    const second = randomUUID()
    expect(await deliver(claim, invocation, { deliveryId: second })).toMatchObject({ proceed: true })
    // The first delivery's late repetition of its settlement says nothing about the second.
    const late = await db.settle(user, invocation.id, 'failed', refused, 5, deliveryId)
    expect(late).toMatchObject({ status: 'running' })
    await db.settle(user, invocation.id, 'failed', refused, 5, second)
    await db.settle(user, invocation.id, 'failed', refused, 5)
    expect(await deliver(claim, invocation)).toMatchObject({
      proceed: false,
      write: { status: 'failed', result: refused },
    })
  })

  test('a delivery that comes after the claimer gave up is refused', async () => {
    for (const status of ['failed', 'cancelled', 'unknown']) {
      const { runId } = await begin()
      const invocation = write()
      const claim = await db.claim(runId, invocation)
      await db.settle(user, invocation.id, status, refused, 5)
      expect(await deliver(claim, invocation)).toMatchObject({ proceed: false, write: { status } })
    }
  })

  test('a key with other arguments or another tool runs nothing', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    expect(await deliver(claim, invocation, { argumentHash: 'other' })).toMatchObject({
      proceed: false,
      refused: 'mismatch',
    })
    expect(await deliver(claim, invocation, { toolName: 'gmail_send_email' })).toMatchObject({
      refused: 'mismatch',
    })
    expect(await deliver(claim, invocation)).toMatchObject({ proceed: true })
  })

  test("another user's key is no key of mine", async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    const stranger = await db.createUser()
    const theirs = await db.call('begin_effect', stranger, {
      deliveryId: randomUUID(),
      idempotencyKey: claim.idempotencyKey,
      toolName: invocation.toolName,
      argumentHash: invocation.argumentHash,
      providers: ['smtp'],
    })
    expect(theirs.proceed).toBe(true)
    expect(theirs.delivery.write.id).not.toBe(invocation.id)
    expect(await deliver(claim, invocation)).toMatchObject({
      proceed: true,
      delivery: { write: { id: invocation.id } },
    })
  })

  test('a direct call with its own key runs once, and again only after it failed', async () => {
    const invocation = write()
    const key = { idempotencyKey: `mine-${randomUUID()}` }
    const both = await Promise.all([deliver(key, invocation), deliver(key, invocation)])
    const first = both.find((answer) => answer.proceed)
    expect(both.filter((answer) => answer.proceed)).toHaveLength(1)
    await db.settle(user, first.delivery.write.id, 'failed', refused, 5)
    const again = await deliver(key, invocation)
    expect(again).toMatchObject({ proceed: true })
    await db.settle(user, again.delivery.write.id, 'succeeded', sent, 5)
    expect(await deliver(key, invocation)).toMatchObject({
      proceed: false,
      write: { status: 'succeeded', result: sent },
    })
  })

  test('direct calls without a key are calls of their own', async () => {
    const invocation = write()
    const [a, b] = [
      await deliver({ idempotencyKey: null as never }, invocation),
      await deliver({ idempotencyKey: null as never }, invocation),
    ]
    expect([a.proceed, b.proceed]).toEqual([true, true])
    expect(a.delivery.write.id).not.toBe(b.delivery.write.id)
  })
})

describe('settlements', () => {
  test('the first one stays', async () => {
    const { runId } = await begin()
    const { invocationId } = await db.claim(runId)
    expect(await db.settle(user, invocationId, 'succeeded', sent, 5)).toEqual({
      status: 'succeeded',
      result: sent,
    })
    const second = await db.settle(user, invocationId, 'unknown', refused, 9)
    expect(second).toEqual({ status: 'succeeded', result: sent })
  })

  test('unknown may still become succeeded or failed, not cancelled', async () => {
    const { runId } = await begin()
    for (const [next, expected] of [
      ['succeeded', 'succeeded'],
      ['failed', 'failed'],
      ['cancelled', 'unknown'],
    ] as const) {
      const { invocationId } = await db.claim(runId, { arguments: { next } })
      await db.settle(user, invocationId, 'unknown', refused, 5)
      expect(await db.settle(user, invocationId, next, sent, 5)).toMatchObject({
        status: expected,
      })
    }
  })

  test('what has begun cannot be called off', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    await deliver(claim, invocation)
    expect(await db.settle(user, invocation.id, 'cancelled', refused, 5)).toMatchObject({
      status: 'unknown',
    })
  })

  test('a stranger settles nothing', async () => {
    const { runId } = await begin()
    const { invocationId } = await db.claim(runId)
    const stranger = await db.createUser()
    expect(await db.settle(stranger, invocationId, 'succeeded', sent, 5)).toEqual({
      status: 'running',
      result: null,
    })
  })

  test('a write that nobody has delivered can be called off for certain; one that was delivered cannot', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    expect(await db.call('verify_invocation', user, invocation.id)).toMatchObject({
      status: 'failed',
      result: null,
    })
    expect(await deliver(claim, invocation)).toMatchObject({ proceed: false, write: { status: 'failed' } })
    // The claimer says what it makes of it.
    expect(await db.settle(user, invocation.id, 'failed', refused, 3)).toMatchObject({
      status: 'failed',
      result: refused,
    })
    const second = write()
    const again = await db.claim(runId, second)
    expect(again.claimed).toBe(true)
    await deliver(again, second)
    expect(await db.call('verify_invocation', user, second.id)).toMatchObject({
      status: 'running',
    })
  })
})
