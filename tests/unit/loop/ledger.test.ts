import { describe, expect, test } from 'vitest'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import type { Claim, Invocation, Ledger } from '../../../shared/engine/loop/run/ledger.ts'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import { mailTool, startScenario } from '../../../support/agent-scenario.ts'
import { knownWrite } from '../../../support/known-write.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { decide } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
const write = (more: Partial<Invocation> = {}): Invocation => ({
  id: '1',
  runId: 'run-1',
  toolCallId: 'call-1',
  toolName: 'send_email',
  effect: 'write',
  attempt: 1,
  intent: 1,
  arguments: mail,
  repairs: [],
  repetition: 0,
  ...more,
})
const done = { ok: true as const, data: { id: 'm-1' } }
const lost = {
  ok: false as const,
  error: 'Question: Again?',
  errorType: 'outcome_unknown' as const,
  resolver: 'user' as const,
  details: {},
}

test('a write is claimed once, whatever the order of its arguments', async () => {
  const ledger = createMemoryLedger()
  const first = await ledger.claim(write())
  expect(first.claimed).toBe(true)
  const { to, subject, body } = mail
  expect(await ledger.claim(write({ arguments: { body, subject, to } }))).toMatchObject({
    claimed: false,
    status: 'running',
  })
  await ledger.settle(write(), { status: 'succeeded', result: done, durationMs: 1 })
  expect(await ledger.claim(write())).toMatchObject({
    claimed: false,
    status: 'succeeded',
    write: { result: done },
    latest: 0,
  })
})

test('another run, another tool, other arguments and an approved repetition are other writes', async () => {
  const ledger = createMemoryLedger()
  await ledger.claim(write())
  for (const other of [
    { runId: 'run-2' },
    { toolName: 'create_draft' },
    { arguments: { ...mail, subject: 'Lunch' } },
    { repetition: 1 },
  ]) {
    expect((await ledger.claim(write(other))).claimed).toBe(true)
  }
  expect(await ledger.claim(write())).toMatchObject({ latest: 1 })
})

test('what provably did not run is claimed again under the same key', async () => {
  const ledger = createMemoryLedger()
  const first = await ledger.claim(write())
  await ledger.settle(write(), { status: 'failed', result: lost, durationMs: 1 })
  expect(await ledger.claim(write())).toEqual(first)
})

test('a call made again after its unknown first try turned out to be carried out is not carried out again', async () => {
  const ledger = createMemoryLedger()
  await ledger.claim(write())
  await ledger.settle(write(), { status: 'unknown', result: lost, durationMs: 1 })
  await ledger.settle(write(), { status: 'succeeded', result: done, durationMs: 1 })
  expect(await ledger.claim(write({ repetition: 1 }))).toMatchObject({
    claimed: false,
    status: 'succeeded',
    write: { result: done, toolCallId: write().toolCallId },
  })
  expect((await ledger.claim(write({ toolCallId: 'call-2', repetition: 1 }))).claimed).toBe(true)
  // Also if the second try had begun before, and failed.
  const again = write({ toolCallId: 'call-2', repetition: 1 })
  await ledger.settle(again, { status: 'failed', result: lost, durationMs: 1 })
  expect(await ledger.claim(write({ repetition: 1 }))).toMatchObject({ claimed: false, status: 'succeeded' })
})

test('an unknown outcome may become certain, a certain one stays', async () => {
  const ledger = createMemoryLedger()
  await ledger.claim(write())
  await ledger.settle(write(), { status: 'unknown', result: lost, durationMs: 1 })
  await ledger.settle(write(), { status: 'succeeded', result: done, durationMs: 1 })
  await ledger.settle(write(), { status: 'failed', result: lost, durationMs: 1 })
  expect(ledger.rows.map(({ status }) => status)).toEqual(['succeeded'])
})

plainAndStreamed('what the ledger knows of a write', (stream) => {
  const scenarioWith = (verification: Verification | undefined) => {
    const asked: string[] = []
    const send = mailTool()
    const tool = verification
      ? {
          ...send,
          verify: async (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
            asked.push(idempotencyKey)
            return verification
          },
        }
      : send
    const script = [callTool('send_email', mail), say('Done.')]
    return { send, asked, start: () => startScenario({ stream, tools: [tool], script }) }
  }
  /** A ledger in which this write of an earlier run has an unknown outcome. */
  const withUnknown = (ledger: Ledger): Ledger => {
    let settled = false
    const refused = new Set<string>()
    return {
      ...ledger,
      claim: async (invocation): Promise<Claim> => {
        if (settled || invocation.repetition > 0) return ledger.claim(invocation)
        refused.add(invocation.id)
        const earlier = knownWrite({ status: 'unknown', result: lost, idempotencyKey: 'earlier-key' })
        return { claimed: false, status: 'unknown', write: earlier, latest: 0 }
      },
      // A stored ledger knows the earlier row by the invocation that was refused because of it.
      settle: async (invocation, outcome) => {
        if (refused.has(invocation.id)) settled = true
        else await ledger.settle(invocation, outcome)
      },
    }
  }

  test('an unknown one that the provider says was sent is a success', async () => {
    const { send, asked, start } = scenarioWith('sent')
    await using scenario = await start()
    const response = await scenario.run({ ledger: withUnknown(createMemoryLedger()) })
    expect(response).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(asked).toEqual(['earlier-key'])
    expect(send.runs).toEqual([])
  })

  test('one that the provider says was not sent runs', async () => {
    const { send, start } = scenarioWith('not_sent')
    await using scenario = await start()
    const response = await scenario.run({ ledger: withUnknown(createMemoryLedger()) })
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(1)
  })

  test.each(['unknown', undefined, 'maybe'])(
    'one that nobody knows about (%s) is asked about',
    async (says) => {
      const { send, start } = scenarioWith(says as Verification | undefined)
      await using scenario = await start()
      const ledger = withUnknown(createMemoryLedger())
      const parked = await scenario.run({ ledger })
      expect(parked).toMatchObject({ status: 'needs_approval', pending: [{ type: 'approval' }] })
      expect(send.runs).toEqual([])
      const response = await scenario.resume({ ...decide(parked, 'approve'), ledger })
      expect(response.status).toBe('completed')
      expect(send.runs).toHaveLength(1)
    },
  )

  test.each([
    ['approve', 'sent', true, 0],
    ['approve', 'not_sent', true, 1],
    ['deny', 'sent', true, 0],
    ['deny', 'not_sent', false, 0],
  ] as const)(
    'the provider is asked again before "%s" is carried out, and says %s',
    async (decision, says, ok, runs) => {
      const send = mailTool()
      let verification: Verification = 'unknown'
      const tool = { ...send, verify: async () => verification }
      const script = [callTool('send_email', mail), say('Done.')]
      await using scenario = await startScenario({ stream, tools: [tool], script })
      const ledger: Ledger = {
        ...withUnknown(createMemoryLedger()),
        outcomes: async (_, ids) =>
          ids.map((toolCallId) =>
            knownWrite({ toolCallId, status: 'unknown', idempotencyKey: 'earlier-key' }),
          ),
      }
      const parked = await scenario.run({ ledger })
      expect(parked.status).toBe('needs_approval')
      verification = says
      const response = await scenario.resume({ ...decide(parked, decision), ledger })
      expect(response).toMatchObject({ status: 'completed', toolsUsed: [{ ok }] })
      expect(send.runs).toHaveLength(runs)
    },
  )

  test('one that was not sent does not run while that cannot be noted', async () => {
    const { send, start } = scenarioWith('not_sent')
    await using scenario = await start()
    const settle = () => Promise.reject(new Error('no database'))
    const response = await scenario.run({ ledger: { ...withUnknown(createMemoryLedger()), settle } })
    expect(response.status).toBe('needs_approval')
    expect(send.runs).toEqual([])
  })

  test('one that is still running elsewhere is waited for, and answered when it ends', async () => {
    const { send, start } = scenarioWith(undefined)
    await using scenario = await start()
    let asked = 0
    const ledger: Ledger = {
      ...createMemoryLedger(),
      claim: async () => {
        const status = ++asked < 4 ? 'running' : 'succeeded'
        return { claimed: false, status, write: knownWrite({ status, result: done }), latest: 0 }
      },
    }
    const parked = await scenario.run({ ledger })
    expect(scenario.clock.slept).toEqual([50, 100, 200])
    expect(parked.status).toBe('needs_approval')
    expect(send.runs).toEqual([])
  })

  test('one that never ends elsewhere is not run, and said to be running', async () => {
    const { send, start } = scenarioWith(undefined)
    await using scenario = await start()
    const ledger: Ledger = {
      ...createMemoryLedger(),
      claim: async () => ({
        ...{ claimed: false, status: 'running', latest: 0 },
        write: knownWrite({ status: 'running' }),
      }),
    }
    const response = await scenario.run({ ledger, limits: { toolTimeoutMs: 5000 } })
    expect(response).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(scenario.lastToolText(2)).toContain('still running')
    expect(send.runs).toEqual([])
  })
})

describe('a write that is made again, because nobody knows what became of it,', () => {
  const unknown = { status: 'unknown', result: lost, durationMs: 1 } as const
  const keyOf = (claim: Claim) => (claim.claimed ? claim.idempotencyKey : undefined)

  test('keeps the key of its provider once, and is known as the second try', async () => {
    const ledger = createMemoryLedger()
    const first = await ledger.claim(write())
    await ledger.settle(write(), unknown)
    const second = await ledger.claim(write({ repetition: 1 }))
    expect(second).toEqual({ claimed: true, idempotencyKey: keyOf(first), isSecond: true })
    await ledger.settle(write({ repetition: 1 }), unknown)
    const third = await ledger.claim(write({ repetition: 2 }))
    expect(third).toMatchObject({ claimed: true, isSecond: true })
    expect(keyOf(third)).not.toBe(keyOf(first))
  })

  test('gets a new key after an edit, a success, or a day', async () => {
    let now = 0
    const ledger = createMemoryLedger(() => now)
    const first = await ledger.claim(write())
    await ledger.settle(write(), unknown)
    const told = { runId: 'later', toolCallId: 'call-9', coveredUntil: new Date(1).toISOString() }
    const edited = await ledger.claim(write({ ...told, arguments: { to: 'bob@example.com' } }))
    expect(edited).toEqual({ claimed: true, idempotencyKey: expect.any(String) })
    expect(keyOf(edited)).not.toBe(keyOf(first))
    now = 25 * 3_600_000
    const late = await ledger.claim(write({ ...told, coveredUntil: new Date(now).toISOString() }))
    expect(late).toEqual({ claimed: true, idempotencyKey: expect.any(String) })
    expect(keyOf(late)).not.toBe(keyOf(first))
    await ledger.settle(write({ ...told }), { status: 'succeeded', result: done, durationMs: 1 })
    const again = await ledger.claim(write({ ...told, toolCallId: 'call-10', repetition: 1 }))
    expect(again).not.toHaveProperty('isSecond')
    expect(keyOf(again)).not.toBe(keyOf(late))
  })
})
