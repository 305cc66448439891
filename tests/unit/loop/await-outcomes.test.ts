import { describe, expect, test } from 'vitest'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Write } from '../../../shared/engine/core/write.ts'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Claim, Invocation, Ledger } from '../../../shared/engine/loop/run/ledger.ts'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import { openItems } from '../../../shared/engine/transcript/open-items.ts'
import { mailTool, startScenario, testClock } from '../../../support/agent-scenario.ts'
import { knownWrite } from '../../../support/known-write.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../../support/model-server.ts'
import { decide, mail, stored, withoutTo } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const refused = toolError('execution_error', 'The mail server refused it.')
const lost = toolError('outcome_unknown', 'Question: It may have been sent. Send it again?')
const limits = { toolTimeoutMs: 1000 }

/** A ledger whose every write runs elsewhere, until `end` says how it ended. */
function busyLedger(end: Partial<Write>, heldBy?: string): Ledger {
  let asked = 0
  return {
    ...createMemoryLedger(),
    claim: async ({ toolCallId }) => {
      const write = knownWrite({ toolCallId: heldBy ?? toolCallId, status: 'running' })
      return { claimed: false, status: 'running', write, latest: 0 }
    },
    outcomes: async (_runId, ids) =>
      ids.map((toolCallId) => knownWrite({ toolCallId, ...(++asked < 3 ? { status: 'running' } : end) })),
  }
}

const ends = {
  succeeded: { status: 'succeeded', result: { ok: true, data: { id: 'm-1' } } },
  failed: { status: 'failed', result: refused },
  unknown: { status: 'unknown', result: lost },
} as const satisfies Record<string, Partial<Write>>

plainAndStreamed('a write that runs elsewhere when the run ends', (stream) => {
  const start = (...script: ModelServerReply[]) =>
    startScenario({
      stream,
      tools: [
        mailTool({ summary: 'Sent "{subject}" to {to}' }),
        mailTool({ name: 'save_draft', approval: 'always' }),
      ],
      script,
    })

  test.each([undefined, 'another'])('is told once it has succeeded (it runs as %s)', async (heldBy) => {
    await using scenario = await start(
      callTool('send_email', mail),
      say('It is still being sent.'),
      say('It was sent.'),
    )
    const response = await scenario.run({ ledger: busyLedger(ends.succeeded, heldBy), limits })
    expect(response).toMatchObject({
      status: 'completed',
      text: 'It is still being sent.\n\nDone in the meantime: Send email.',
      toolsUsed: [{ ok: true, output: { id: 'm-1' }, summary: 'Sent "Meeting" to "ada@example.com"' }],
    })
    await scenario.run({ input: 'And?', transcript: stored(response) })
    expect(JSON.stringify(scenario.requests.at(-1)?.body.messages)).toContain(
      'Done in the meantime: Send email.',
    )
  })

  test('is told once it has failed', async () => {
    await using scenario = await start(callTool('send_email', mail), say('It is still being sent.'))
    expect(await scenario.run({ ledger: busyLedger(ends.failed), limits })).toMatchObject({
      status: 'completed',
      text: 'It is still being sent.\n\nNot done: Send email. The mail server refused it.',
      toolsUsed: [{ ok: false, error: { errorType: 'execution_error' } }],
    })
  })

  test.each([
    ['is unknown', ends.unknown],
    ['does not end in the time of a tool', { status: 'running' } as const],
  ])('is put to the user when it %s', async (_, end) => {
    await using scenario = await start(callTool('send_email', mail), say('It is still being sent.'))
    const response = await scenario.run({ ledger: busyLedger(end), limits })
    expect(response).toMatchObject({
      status: 'needs_approval',
      pending: [{ reason: 'unknown', values: mail }],
      toolsUsed: [{ ok: false, error: { errorType: 'outcome_unknown' } }],
    })
    expect(response.text).toContain('It is still being sent.\n\n')
  })

  test('is told when the run waits for somebody else', async () => {
    await using scenario = await start(
      callTools([
        ['send_email', mail],
        ['save_draft', mail],
      ]),
    )
    const response = await scenario.run({ ledger: busyLedger(ends.succeeded), limits })
    expect(response.status).toBe('needs_approval')
    expect(response.text).toMatch(/^Done in the meantime: Send email\.\n/)
    expect(response.pending).toHaveLength(1)
  })

  test('and is unknown is put to the user beside what the run waits for', async () => {
    await using scenario = await start(
      callTools([
        ['send_email', mail],
        ['save_draft', mail],
      ]),
    )
    const response = await scenario.run({ ledger: busyLedger(ends.unknown), limits })
    expect(response.pending).toMatchObject([
      { toolName: 'send_email', reason: 'unknown' },
      { toolName: 'save_draft', reason: 'consent' },
    ])
  })

  describe.each(['succeeded', 'failed', 'unknown'] as const)('and has %s', (end) => {
    const account = {
      succeeded: 'Sent "Meeting" to "ada@example.com".',
      failed:
        'Not done: Send email (to: "ada@example.com", subject: "Meeting", body: "At ten."). The mail server refused it.',
      unknown:
        'This may have been done: Send email (to: "ada@example.com", subject: "Meeting", body: "At ten."). It may have been sent. Send it again?',
    }[end]

    test('is told when the run is stopped', async () => {
      const stop = new AbortController()
      await using scenario = await start(callTool('send_email', mail), { hang: true })
      const running = scenario.run({ ledger: busyLedger(ends[end]), limits, signal: stop.signal })
      await scenario.waitForRequest(2)
      stop.abort()
      const response = await running
      expect(response.status).toBe('failed')
      expect(response.text).toContain('Stopped.\n')
      expect(response.text).toContain(account)
      expect(response.pending).toBeUndefined()
      const { result } = response.transcript.findLast((entry) => entry.type === 'result') ?? {}
      expect(result?.ok).toBe(end === 'succeeded')
    })

    test('is told when the model fails', async () => {
      await using scenario = await start(
        callTool('send_email', mail),
        ...Array(9).fill({ status: 500, body: '{}' }),
      )
      const response = await scenario.run({ ledger: busyLedger(ends[end]), limits })
      expect(response.status).toBe(end === 'unknown' ? 'needs_approval' : 'failed')
      expect(response.text).toContain(account)
    })
  })

  test('closes the item that it goes on with', async () => {
    await using scenario = await start(callTool('send_email', withoutTo), say('To whom?'))
    const asked = await scenario.run()
    scenario.use([callTool('send_email', mail), say('It is being sent.')])
    const ledger = busyLedger(ends.succeeded)
    const sent = await scenario.run({
      input: 'To ada@example.com',
      transcript: stored(asked),
      ledger,
      limits,
    })
    expect(sent).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true }] })
    expect(openItems(stored(asked, sent))).toEqual([])
  })
})

test('a ledger that cannot be asked ends no run: what is not known stays said as it was', async () => {
  await using scenario = await startScenario({
    stream: false,
    tools: [mailTool()],
    script: [callTool('send_email', mail), say('It is being sent.')],
  })
  const outcomes = () => Promise.reject(new Error('no database'))
  const response = await scenario.run({ ledger: { ...busyLedger(ends.succeeded), outcomes }, limits })
  expect(response).toMatchObject({ status: 'completed', text: 'It is being sent.' })
  expect(response.toolsUsed[0]?.error?.error).toContain('still running')
})

test('the same write of another call of the turn is told by the ledger in memory', async () => {
  const clock = testClock()
  const ledger = createMemoryLedger(clock.now)
  let first: Invocation | undefined
  /** Somebody else of the turn claims the write first, and ends it while the model speaks. */
  const shared: Ledger = {
    ...ledger,
    claim: async (invocation): Promise<Claim> => {
      if (!first) {
        first = { ...invocation, id: crypto.randomUUID(), toolCallId: 'other' }
        await ledger.claim(first)
      }
      return ledger.claim(invocation)
    },
  }
  await using scenario = await startScenario({
    stream: false,
    tools: [mailTool()],
    script: async ({ number }) => {
      if (number === 1) return callTool('send_email', mail)
      if (first)
        await ledger.settle(first, { status: 'succeeded', result: { ok: true, data: 'm-1' }, durationMs: 1 })
      return say('It is being sent.')
    },
  })
  const response: AgentResponse = await scenario.run({ ledger: shared, limits })
  expect(response).toMatchObject({
    text: 'It is being sent.\n\nDone in the meantime: Send email.',
    toolsUsed: [{ output: 'm-1' }],
  })
})

test('a write whose process died is told from the ledger, also when its run is stopped before it goes on', async () => {
  await using scenario = await startScenario({
    stream: false,
    tools: [mailTool({ approval: 'always' })],
    script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Sent.')),
  })
  const asked = await scenario.run()
  const sent = await scenario.resume(decide(asked, 'approve'))
  const cut = sent.transcript.findIndex(({ type }) => type === 'result')
  const transcript = [...stored(asked), ...sent.transcript.slice(0, cut)]
  const rest = await scenario.resume({ transcript, signal: AbortSignal.abort() })
  expect(rest.toolsUsed).toMatchObject([{ ok: true }])
  expect(rest.text).toContain('Done: Send email.')
})
