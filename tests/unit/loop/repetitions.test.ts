import { expect, test } from 'vitest'
import type { Ledger } from '../../../shared/engine/loop/run/ledger.ts'
import { mailTool, recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { knownWrite } from '../../../support/known-write.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { approvedMail, decide, mail } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

plainAndStreamed('repetitions', (stream) => {
  test('a write of an earlier run of the same turn asks before it runs again, also in other words', async () => {
    const recipient = { type: 'string', format: 'email', source: 'conversation' } as const
    const parameters = {
      type: 'object',
      properties: { to: recipient, body: { type: 'string' } },
      required: ['to'],
    }
    const send = recordingTool({ name: 'send_email', parameters })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTool('send_email', { to: 'ada@example.com', body: 'In other words.' }),
        say('Sent again.'),
      ],
    })
    const parked = await scenario.run({
      input: 'Mail ada@example.com.',
      priorWrites: [
        {
          toolName: 'send_email',
          arguments: { to: 'ada@example.com', body: 'Hello.' },
          result: { id: 'm-1' },
        },
      ],
    })
    expect(parked.status).toBe('needs_approval')
    const { messages = [] } = scenario.requests[0]?.body ?? {}
    expect(JSON.stringify(messages[0])).not.toContain('Already done')
    expect(messages.at(-1)?.content).toMatch(
      /^\(Not from the user: it is .*\nAlready done for this message; .*:\n- send_email .* -> \{"id":"m-1"\}\)\n\nMail ada@example\.com\.$/,
    )
    expect(send.runs).toEqual([])
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(1)
  })

  test('approving a repetition claims one more than the ledger has', async () => {
    const send = mailTool()
    const repetitions: number[] = []
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent again.')],
    })
    const { claim } = scenario.ledger
    const ledger: Ledger = {
      ...scenario.ledger,
      claim: async (invocation) => {
        repetitions.push(invocation.repetition)
        return invocation.repetition < 2
          ? { claimed: false, status: 'succeeded', write: knownWrite(), latest: 1 }
          : claim(invocation)
      },
    }
    const priorWrites = [{ toolName: 'send_email', arguments: mail, repetition: 1 }]
    for (const prior of [{ priorWrites }, {}]) {
      scenario.use([callTool('send_email', mail), say('Sent again.')])
      const parked = await scenario.run({ ledger, ...prior })
      expect(parked.status).toBe('needs_approval')
      const response = await scenario.resume({ ...decide(parked, 'approve'), ledger })
      expect(response.status).toBe('completed')
    }
    expect(send.runs).toHaveLength(2)
    expect(repetitions).toEqual([2, 0, 2])
  })

  test('a write that was approved and repeated in the same run is not asked about again', async () => {
    const send = approvedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), callTool('send_email', mail), say('Sent.')],
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(1)
    expect(scenario.ledger.rows.map(({ status }) => status)).toEqual(['succeeded', 'cancelled'])
  })

  test('a write to somebody else is not a repetition', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTool('send_email', { to: 'bob@example.com', subject: 'Lunch', body: 'At noon.' }),
        say('Sent.'),
      ],
    })
    const response = await scenario.run({ priorWrites: [{ toolName: 'send_email', arguments: mail }] })
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(1)
  })

  test('a model that repeats what the user would not send again is refused', async () => {
    const send = mailTool({ execute: () => Promise.reject(new Error('lost')) })
    const { to, subject, body } = mail
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number, body: request }) => {
        if (request.tool_choice === 'none') return say('I leave it at that.')
        return callTool('send_email', number === 1 ? mail : { body, subject, to })
      },
    })
    const parked = await scenario.run()
    const response = await scenario.resume(decide(parked, 'deny'))
    expect(response).toMatchObject({ status: 'completed', text: 'I leave it at that.' })
    expect(send.runs).toHaveLength(1)
  })
})
