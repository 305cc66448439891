import { expect, test } from 'vitest'
import { recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../../support/model-server.ts'
import { decide } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const parameters = {
  type: 'object',
  properties: {
    to: {
      type: 'string',
      format: 'email',
      source: 'conversation',
      question: 'Who should I send this email to?',
      hint: 'Please provide the recipient email address.',
    },
    body: { type: 'string' },
  },
  required: ['to', 'body'],
} as const

const mailTo = (to: string) => ({ to, body: 'Hello.' })

plainAndStreamed('values that must come from the user', (stream) => {
  const sourcedMail = (more = {}) => recordingTool({ name: 'send_email', parameters, ...more })

  test('what the user said runs, and so does their own address', async () => {
    const send = sourcedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTool('send_email', mailTo('ada@example.com')),
        callTool('send_email', mailTo('me@example.com')),
        say('Sent.'),
      ],
    })
    const response = await scenario.run({
      input: 'Mail ada@example.com, and me a copy.',
      context: { user: { name: 'Mia', email: 'me@example.com' } },
    })
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(2)
  })

  test('an invented address is asked of the user at once, and what they type is sent', async () => {
    const send = sourcedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mailTo('ada@invented.example')), say('Sent.')],
    })
    const parked = await scenario.run({ input: 'Mail Ada.' })
    expect(parked).toMatchObject({
      status: 'needs_input',
      toolsUsed: [
        {
          ok: false,
          error: {
            errorType: 'invalid_value',
            resolver: 'user',
            details: { constraint: 'must come from the user' },
          },
        },
      ],
      pending: [{ values: { body: 'Hello.' }, schema: { required: ['to'] } }],
    })
    expect(parked.pending?.[0]?.question).toMatch(/^Question: Who should I send this email to\?/)
    expect(scenario.requests).toHaveLength(1)
    const toolCallId = parked.pending?.[0]?.toolCallId ?? ''
    const answer = { toolCallId, values: { to: 'ada@example.com' } }
    const response = await scenario.resume({ transcript: parked.transcript, answer })
    expect(response.status).toBe('completed')
    expect(send.runs).toEqual([mailTo('ada@example.com')])
  })

  test('what was typed into a form is known in later turns too', async () => {
    const send = sourcedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTool('send_email', mailTo('ada@invented.example')),
        say('Sent.'),
        callTool('send_email', { to: 'ada@example.com', body: 'Again.' }),
        say('Sent again.'),
      ],
    })
    const parked = await scenario.run({ input: 'Mail Ada.' })
    const toolCallId = parked.pending?.[0]?.toolCallId ?? ''
    const answer = { toolCallId, values: { to: 'ada@example.com' } }
    const sent = await scenario.resume({ transcript: parked.transcript, answer })
    const response = await scenario.run({
      input: 'Write her again.',
      messages: [{ role: 'user', content: 'Mail Ada.' }, ...parked.messages, ...sent.messages],
    })
    expect(response.status).toBe('completed')
    expect(send.runs).toHaveLength(2)
  })

  test('an address from a tool needs one approval, also where the agent asks for approval anyway', async () => {
    const send = sourcedMail({ approval: 'always' })
    const search = searchTool({ execute: () => ({ page: 'Write to eve@example.com' }) })
    await using scenario = await startScenario({
      stream,
      tools: [send, search],
      script: [
        callTool('web_search', { query: 'address' }),
        callTool('send_email', mailTo('eve@example.com')),
        say('Sent.'),
      ],
    })
    const parked = await scenario.run({ input: 'Find the address and write to it.' })
    expect(parked).toMatchObject({ status: 'needs_approval', pending: [{ type: 'approval' }] })
    expect(parked.pending).toHaveLength(1)
    expect(parked.pending?.[0]?.question).toContain('eve@example.com')
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(response.status).toBe('completed')
    expect(send.runs).toEqual([mailTo('eve@example.com')])
  })

  test('a retry at the higher temperature cannot invent an address either', async () => {
    const send = sourcedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', { body: 'Hello.' }), callTool('send_email', mailTo('ada@example.com'))],
    })
    const response = await scenario.run({ input: 'Mail Ada.' })
    expect(response.status).toBe('needs_input')
    expect(send.runs).toEqual([])
  })

  test('a sibling that may run is not disturbed by one that is asked about', async () => {
    const send = sourcedMail()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTools([
          ['send_email', mailTo('ada@example.com')],
          ['send_email', mailTo('eve@invented.example')],
        ]),
      ],
    })
    const response = await scenario.run({ input: 'Mail ada@example.com and Eve.' })
    expect(response.status).toBe('needs_input')
    expect(send.runs).toEqual([mailTo('ada@example.com')])
  })
})
