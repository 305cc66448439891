import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../../support/database.ts'
import { DatabaseCalls, refused, sent, write } from '../../support/database-calls.ts'

let database: TestDatabase
let db: DatabaseCalls
let user: string

beforeAll(async () => {
  database = await startTestDatabase()
  db = new DatabaseCalls(database)
  user = await db.createUser()
}, 120_000)

afterAll(async () => {
  await db?.close()
  await database?.close()
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

describe('claims', () => {
  test('of twenty concurrent claims of one write exactly one wins', async () => {
    const { runId } = await begin()
    const claims = await Promise.all(Array.from({ length: 20 }, () => db.claim(runId)))
    const won = claims.filter((claim) => claim.claimed)
    expect(won).toHaveLength(1)
    for (const claim of claims.filter((other) => !other.claimed)) {
      expect(claim).toMatchObject({
        status: 'running',
        invocationId: won[0].invocationId,
        effectStarted: false,
      })
    }
  })

  test('a claim whose reply was lost is claimed again by the same invocation', async () => {
    const { runId } = await begin()
    const invocation = write()
    const first = await db.claim(runId, invocation)
    expect(await db.claim(runId, invocation)).toEqual(first)
  })

  test('other arguments, another repetition and another turn are other writes', async () => {
    const { runId } = await begin()
    const other = await begin()
    const claims = [
      await db.claim(runId),
      await db.claim(runId, { arguments: { to: ['bob@example.com'] } }),
      await db.claim(runId, { repetition: 1 }),
      await db.claim(other.runId),
    ]
    expect(claims.map((claim) => claim.claimed)).toEqual([true, true, true, true])
    expect(new Set(claims.map((claim) => claim.idempotencyKey)).size).toBe(4)
  })

  test('a write that succeeded answers the next claim with its result and the repetition so far', async () => {
    const { runId } = await begin()
    const first = await db.claim(runId)
    const again = await db.claim(runId, { repetition: 1 })
    await db.call('settle_invocation', user, first.invocationId, 'succeeded', sent, 12)
    await db.call('settle_invocation', user, again.invocationId, 'succeeded', sent, 12)
    expect(await db.claim(runId)).toMatchObject({
      claimed: false,
      status: 'succeeded',
      result: sent,
      invocationId: first.invocationId,
      latestRepetition: 1,
    })
  })

  test('a write that provably failed may be claimed again, under the same key', async () => {
    const { runId } = await begin()
    const invocation = write()
    const first = await db.claim(runId, invocation)
    await db.call('settle_invocation', user, first.invocationId, 'failed', refused, 12)
    const second = await db.claim(runId)
    expect(second).toMatchObject({ claimed: true, idempotencyKey: first.idempotencyKey })
    await db.call('settle_invocation', user, second.invocationId, 'failed', refused, 12)
    expect(await db.claim(runId, invocation)).toMatchObject({ claimed: true, invocationId: invocation.id })
  })

  test('a lost lease makes a running write unknown, and it stays claimed', async () => {
    const { runId } = await begin()
    const first = await db.claim(runId)
    await db.loseClaim(first.invocationId)
    expect(await db.claim(runId)).toMatchObject({
      claimed: false,
      status: 'unknown',
      result: { ok: false, errorType: 'outcome_unknown', resolver: 'user' },
    })
  })

  test('a run that was stopped, has ended or was replaced claims nothing', async () => {
    const stopped = await begin()
    await db.call('stop_run', user, stopped.conversationId)
    expect(await db.claim(stopped.runId)).toEqual({ claimed: false, status: 'stopped' })
    const ended = await begin()
    await db.finish(ended.runId)
    expect(await db.claim(ended.runId)).toEqual({ claimed: false, status: 'stopped' })
    const dead = await db.postText(user, {
      text: 'Hello',
      messageId: 'm1',
      conversationId: `c-${randomUUID()}`,
    })
    await db.loseLease(dead.runId)
    await db.postText(user, { text: 'Hello', messageId: 'm1', conversationId: dead.conversationId })
    expect(await db.claim(dead.runId)).toEqual({ claimed: false, status: 'stopped' })
  })

  test('a stop and a claim at the same moment: either the claim is in the ledger or it is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { runId, conversationId } = await begin()
      const [claim, next] = await Promise.all([
        db.claim(runId),
        db.postText(user, { conversationId, text: 'Wait!' }),
      ])
      expect(next.kind).toBe('run')
      expect(next.lostWrites).toHaveLength(claim.claimed ? 1 : 0)
    }
  })

  test('a write that waited for approval is claimed in its own row', async () => {
    const { runId } = await begin()
    const invocation = write()
    await db.finish(runId, {
      status: 'needs_approval',
      invocations: [{ ...invocation, status: 'pending', result: null, durationMs: 0 }],
      pending: [{ type: 'approval', toolCallId: invocation.toolCallId }],
    })
    const [parked] =
      await db.service`select status, run_id from tool_executions where id = ${String(invocation.id)}`
    expect(parked).toEqual({ status: 'pending', run_id: runId })
    const [{ conversation_id }] =
      (await db.service`select conversation_id from runs where id = ${runId}`) as [
        { conversation_id: string },
      ]
    const resumed = await db.call('begin_resume', user, conversation_id, {
      runId: randomUUID(),
      type: 'approval',
      toolCallId: invocation.toolCallId,
      decision: 'approve',
    })
    expect(await db.claim(resumed.runId, invocation)).toMatchObject({
      claimed: true,
      invocationId: invocation.id,
    })
    const rows =
      await db.service`select status, run_id from tool_executions where id = ${String(invocation.id)}`
    expect(rows).toEqual([{ status: 'running', run_id: resumed.runId }])
  })

  test('reads are never claimed', async () => {
    const { runId } = await begin()
    await expect(db.claim(runId, { effect: 'read' })).rejects.toThrow('only writes are claimed')
  })

  test('an id that belongs to another user claims nothing', async () => {
    const { runId } = await begin()
    const invocation = write()
    await db.claim(runId, invocation)
    const stranger = await db.createUser()
    const theirs = await db.postText(stranger, { text: 'Hello' })
    expect(await db.claim(theirs.runId, invocation)).toEqual({ claimed: false, status: 'stopped' })
  })
})

describe('deliveries', () => {
  test('of ten concurrent deliveries of one claim exactly one reaches the effect', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(claim, invocation)))
    expect(answers.filter((answer) => answer.proceed)).toHaveLength(1)
    expect(new Set(answers.filter((answer) => !answer.proceed).map((answer) => answer.status))).toEqual(
      new Set(['running']),
    )
  })

  test('a delivery whose reply was lost proceeds when it asks again', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    const deliveryId = randomUUID()
    const first = await deliver(claim, invocation, { deliveryId })
    expect(first).toMatchObject({ proceed: true, invocationId: invocation.id })
    expect(await deliver(claim, invocation, { deliveryId })).toEqual(first)
  })

  test('a second delivery after the first has settled gets its result', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    await deliver(claim, invocation)
    await db.call('settle_invocation', user, invocation.id, 'succeeded', sent, 5)
    expect(await deliver(claim, invocation)).toMatchObject({
      proceed: false,
      status: 'succeeded',
      result: sent,
    })
  })

  test('the executor may deliver again what provably did not run, until the claimer has settled it', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    const deliveryId = randomUUID()
    await deliver(claim, invocation, { deliveryId })
    await db.call('settle_invocation', user, invocation.id, 'failed', refused, 5, deliveryId)
    const second = randomUUID()
    expect(await deliver(claim, invocation, { deliveryId: second })).toMatchObject({ proceed: true })
    // The first delivery's late repetition of its settlement says nothing about the second.
    const late = await db.call('settle_invocation', user, invocation.id, 'failed', refused, 5, deliveryId)
    expect(late).toMatchObject({ settled: false, status: 'running' })
    await db.call('settle_invocation', user, invocation.id, 'failed', refused, 5, second)
    await db.call('settle_invocation', user, invocation.id, 'failed', refused, 5)
    expect(await deliver(claim, invocation)).toMatchObject({
      proceed: false,
      status: 'failed',
      result: refused,
    })
  })

  test('a delivery that comes after the claimer gave up is refused', async () => {
    for (const status of ['failed', 'cancelled', 'unknown']) {
      const { runId } = await begin()
      const invocation = write()
      const claim = await db.claim(runId, invocation)
      await db.call('settle_invocation', user, invocation.id, status, refused, 5)
      expect(await deliver(claim, invocation)).toMatchObject({ proceed: false, status })
    }
  })

  test('a delivery that comes after the lease is refused, and the write is unknown', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    await db.loseClaim(claim.invocationId)
    expect(await deliver(claim, invocation)).toMatchObject({ proceed: false, status: 'unknown' })
  })

  test('a key with other arguments or another tool runs nothing', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    expect(await deliver(claim, invocation, { argumentHash: 'other' })).toMatchObject({
      proceed: false,
      status: 'mismatch',
    })
    expect(await deliver(claim, invocation, { toolName: 'gmail_send_email' })).toMatchObject({
      status: 'mismatch',
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
    expect(theirs.invocationId).not.toBe(invocation.id)
    expect(await deliver(claim, invocation)).toMatchObject({ proceed: true, invocationId: invocation.id })
  })

  test('a direct call with its own key runs once, and again only after it failed', async () => {
    const invocation = write()
    const key = { idempotencyKey: `mine-${randomUUID()}` }
    const both = await Promise.all([deliver(key, invocation), deliver(key, invocation)])
    const first = both.find((answer) => answer.proceed)
    expect(both.filter((answer) => answer.proceed)).toHaveLength(1)
    await db.call('settle_invocation', user, first.invocationId, 'failed', refused, 5)
    const again = await deliver(key, invocation)
    expect(again).toMatchObject({ proceed: true })
    await db.call('settle_invocation', user, again.invocationId, 'succeeded', sent, 5)
    expect(await deliver(key, invocation)).toMatchObject({
      proceed: false,
      status: 'succeeded',
      result: sent,
    })
  })

  test('direct calls without a key are calls of their own', async () => {
    const invocation = write()
    const [a, b] = [
      await deliver({ idempotencyKey: null as never }, invocation),
      await deliver({ idempotencyKey: null as never }, invocation),
    ]
    expect([a.proceed, b.proceed]).toEqual([true, true])
    expect(a.invocationId).not.toBe(b.invocationId)
  })
})

describe('settlements', () => {
  test('the first one stays', async () => {
    const { runId } = await begin()
    const { invocationId } = await db.claim(runId)
    expect(await db.call('settle_invocation', user, invocationId, 'succeeded', sent, 5)).toMatchObject({
      settled: true,
    })
    const second = await db.call('settle_invocation', user, invocationId, 'unknown', refused, 9)
    expect(second).toEqual({ settled: false, status: 'succeeded', result: sent })
  })

  test('unknown may still become succeeded or failed, not cancelled', async () => {
    const { runId } = await begin()
    for (const [next, expected] of [
      ['succeeded', 'succeeded'],
      ['failed', 'failed'],
      ['cancelled', 'unknown'],
    ] as const) {
      const { invocationId } = await db.claim(runId, { arguments: { next } })
      await db.call('settle_invocation', user, invocationId, 'unknown', refused, 5)
      expect(await db.call('settle_invocation', user, invocationId, next, sent, 5)).toMatchObject({
        status: expected,
      })
    }
  })

  test('what has begun cannot be called off', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    await deliver(claim, invocation)
    expect(await db.call('settle_invocation', user, invocation.id, 'cancelled', refused, 5)).toMatchObject({
      status: 'unknown',
    })
  })

  test('a stranger settles nothing', async () => {
    const { runId } = await begin()
    const { invocationId } = await db.claim(runId)
    const stranger = await db.createUser()
    expect(await db.call('settle_invocation', stranger, invocationId, 'succeeded', sent, 5)).toEqual({
      settled: false,
      status: 'not_found',
      result: null,
    })
  })

  test('a write that nobody has delivered can be called off for certain; one that was delivered cannot', async () => {
    const { runId } = await begin()
    const invocation = write()
    const claim = await db.claim(runId, invocation)
    expect(await db.call('verify_invocation', user, invocation.id)).toMatchObject({
      status: 'failed',
      effectStarted: false,
    })
    expect(await deliver(claim, invocation)).toMatchObject({ proceed: false, status: 'failed' })
    const second = write()
    const again = await db.claim(runId, second)
    expect(again.claimed).toBe(true)
    await deliver(again, second)
    expect(await db.call('verify_invocation', user, second.id)).toMatchObject({
      status: 'running',
      effectStarted: true,
    })
  })
})

describe('errors and sessions', () => {
  test('the two statistics of the protocol run as they are', async () => {
    const alone = await db.createUser()
    const missing = {
      ok: false,
      error: 'Question: Who should I send this email to?',
      errorType: 'missing_parameter',
      resolver: 'model',
      details: { parameter: 'to', expected: 'array', actual: 'nothing' },
    }
    const { runId } = await db.postText(alone, { text: 'Write to Ada.' })
    const rejected = write({ arguments: { subject: 'Meeting' } })
    const lost = write({ intent: 2, arguments: '{"to": "ada@' })
    const claim = await db.claim(runId, { attempt: 2 })
    await db.call('settle_invocation', alone, claim.invocationId, 'succeeded', sent, 40)
    await db.finish(runId, {
      invocations: [
        { ...rejected, status: 'rejected', result: missing, durationMs: 0.4 },
        {
          ...lost,
          status: 'rejected',
          result: { ...missing, errorType: 'malformed_arguments', details: {} },
          durationMs: 0,
        },
      ],
    })
    const owner = await import('../../support/database-calls.ts').then(({ connectAs }) =>
      connectAs(database.url, 'authenticated', alone),
    )
    const errors = await owner.unsafe(
      'SELECT error_type, COUNT(*) AS count FROM tool_execution_errors GROUP BY error_type ORDER BY count DESC',
    )
    expect([...errors].map((row) => [row.error_type, Number(row.count)])).toEqual(
      expect.arrayContaining([
        ['missing_parameter', 1],
        ['malformed_arguments', 1],
      ]),
    )
    const [sessions] = await owner.unsafe(
      'SELECT COUNT(DISTINCT session_id) AS total_errors, COUNT(DISTINCT CASE WHEN retry_succeeded THEN session_id END) AS successful_retries FROM tool_execution_sessions WHERE has_errors = true',
    )
    expect(sessions).toEqual({ total_errors: '2', successful_retries: '1' })
    const [row] = await owner`select * from tool_execution_errors where error_type = 'missing_parameter'`
    expect(row).toMatchObject({
      session_id: `${runId}/1`,
      tool_name: 'smtp_send_email',
      parameter: 'to',
      expected_type: 'array',
      actual_type: 'nothing',
      attempt: 1,
      user_id: alone,
      tool_call_id: rejected.toolCallId,
      status: 'rejected',
    })
    await owner.end()
  })
})
