import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { connectAs, refused, sent, write } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db, database } = useDatabase()
let user: string

beforeAll(async () => {
  user = await db.createUser()
})

const begin = () => db.postText(user, { text: 'Write to Ada.' })
describe('claims', () => {
  test('of twenty concurrent claims of one write exactly one wins', async () => {
    const { runId } = await begin()
    const claims = await Promise.all(Array.from({ length: 20 }, () => db.claim(runId)))
    const won = claims.filter((claim) => claim.claimed)
    expect(won).toHaveLength(1)
    for (const claim of claims.filter((other) => !other.claimed)) {
      expect(claim).toMatchObject({
        status: 'running',
        write: { id: won[0].invocationId },
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
      write: { id: first.invocationId, result: sent },
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

  test('a lost lease makes a write unknown that its function has begun, and it stays claimed', async () => {
    const { runId } = await begin()
    const first = await db.claim(runId)
    await db.loseClaim(first.invocationId)
    expect(await db.claim(runId)).toMatchObject({
      claimed: false,
      status: 'unknown',
      // What that means is put into words by those who read it.
      write: { result: null },
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
    expect(await db.claim(dead.runId)).toEqual({ claimed: false, status: 'stopped', isLost: true })
  })

  test('a stop and a claim at the same moment: either the claim is in the ledger or it is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { runId, conversationId } = await begin()
      const [claim, next] = await Promise.all([
        db.claim(runId),
        db.postText(user, { conversationId, text: 'Wait!' }),
      ])
      expect(next.kind).toBe('run')
      expect(next.unreportedWrites).toHaveLength(claim.claimed ? 1 : 0)
    }
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
    const owner = connectAs(database.url, 'authenticated', alone)
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
