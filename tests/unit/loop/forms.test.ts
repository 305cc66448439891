import { expect, test } from 'vitest'
import { mailTool, recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { idOf, mail, stored, withoutTo } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

plainAndStreamed('forms', (stream) => {
  test('the answer to a form completes the exact call without asking the model first', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number <= 3 ? callTool('send_email', withoutTo) : say('Sent.')),
    })
    const parked = await scenario.run()
    const answer = { toolCallId: idOf(parked), values: { to: 'ada@example.com' } }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    expect(send.runs).toEqual([mail])
    expect(response).toMatchObject({ status: 'completed', text: 'Sent.' })
    expect(scenario.requests).toHaveLength(4)
  })

  test('a list with nothing but an empty text leaves its parameter open, and the same is asked again', async () => {
    const question = 'Who should I send this email to?'
    const list = { type: 'array', items: { type: 'string', format: 'email' }, question }
    const send = recordingTool({
      name: 'send_email',
      parameters: {
        type: 'object',
        properties: { to: list, subject: { type: 'string' } },
        required: ['to', 'subject'],
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ number }) => (number <= 3 ? callTool('send_email', { subject: 'Meeting' }) : say('Sent.')),
    })
    const parked = await scenario.run()
    const answer = { toolCallId: idOf(parked), values: { to: [''] } }
    const { pending } = await scenario.resume({ transcript: stored(parked), answer })
    expect(send.runs).toEqual([])
    expect(pending).toMatchObject([
      { asked: expect.stringContaining(question), values: { subject: 'Meeting' } },
    ])
    expect(pending?.[0]?.values).not.toHaveProperty('to')
  })

  test('a form for places inside lists shows no slot, and its answer is the next attempt', async () => {
    const person = { type: 'string', format: 'email' }
    const properties = { to: { type: 'array', items: person }, subject: { type: 'string' } }
    const send = recordingTool({
      name: 'send_email',
      parameters: { type: 'object', properties, required: ['to', 'subject'] },
    })
    const call = { to: ['ada@example.com', 'bob'], subject: 'Meeting' }
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', call), say('What is the address of Bob?'), say('Sent.')],
    })
    const parked = await scenario.run()
    expect(parked.pending?.[0]).toMatchObject({
      schema: { properties: { 'to[1]': person }, required: ['to[1]'] },
      values: { to: ['ada@example.com', null], subject: 'Meeting' },
    })
    const answer = { toolCallId: idOf(parked), values: { 'to[1]': 'bob@example.com' } }
    const response = await scenario.resume({ transcript: parked.transcript, answer })
    expect(send.runs).toEqual([{ to: ['ada@example.com', 'bob@example.com'], subject: 'Meeting' }])
    expect(response.toolsUsed).toMatchObject([{ ok: true, attempt: 2 }])
  })

  test.each([
    'bob@example.com\u0007',
    'a\u0007b@example.com',
    'general\u0000 bob@example.com,',
    'bob@example.com?subject=1',
  ])('what a person has typed into it is theirs, however odd: %j', async (channel) => {
    const text = { type: 'string' as const }
    const send = recordingTool({
      name: 'send',
      effect: 'write',
      parameters: {
        type: 'object',
        properties: { channel: { ...text, source: 'conversation' }, body: text },
        required: ['channel', 'body'],
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send', { body: 'Hi', channel: 'invented' }), say('Which one?'), say('Done.')],
    })
    const parked = await scenario.run()
    const answer = { toolCallId: idOf(parked), values: { channel } }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    expect([response.status, send.runs]).toEqual(['completed', [{ body: 'Hi', channel }]])
  })

  test('an answer that does not fit is asked again, and keeps what was right', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', { body: 'At ten.' }), say('Who and what?'), say('Sent.')],
    })
    const parked = await scenario.run()
    const values = { to: 'nobody', subject: 'Meeting' }
    const again = await scenario.resume({
      transcript: parked.transcript,
      answer: { toolCallId: idOf(parked), values },
    })
    expect(again).toMatchObject({ status: 'needs_input', pending: [{ values: { subject: 'Meeting' } }] })
    expect(Object.keys(again.pending?.[0]?.schema?.properties ?? {})).toEqual(['to'])
    const answer = { toolCallId: idOf(again), values: { to: 'ada@example.com' } }
    expect(
      (await scenario.resume({ transcript: [...parked.transcript, ...again.transcript], answer })).status,
    ).toBe('completed')
    expect(send.runs).toEqual([mail])
  })

  test('the answer to a form of a tool that the agent has lost since makes no call of another one', async () => {
    const send = mailTool()
    const other = recordingTool({ name: 'send_emails', parameters: send.specification.parameters })
    await using scenario = await startScenario({
      stream,
      tools: [send, other],
      script: ({ number }) => (number <= 3 ? callTool('send_email', withoutTo) : say('It is gone.')),
    })
    const parked = await scenario.run()
    const response = await scenario.resume({
      transcript: stored(parked),
      agent: { name: 'Agent', instructions: 'Help.', tools: [other.specification] },
      answer: { toolCallId: idOf(parked), values: { to: 'ada@example.com' } },
    })
    expect(response.status).toBe('completed')
    expect(response.toolsUsed).toMatchObject([
      { ok: false, error: { error: 'This is no longer available to this assistant.' } },
    ])
    expect([send.runs, other.runs]).toEqual([[], []])
  })
})
