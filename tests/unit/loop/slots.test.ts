import { expect, test } from 'vitest'
import { mailTool, recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelScript, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const long = (word: string) => `${word} `.repeat(60).trim()
const meeting = { subject: 'Meeting', body: long('meeting') }
const lunch = { subject: 'Lunch', body: long('lunch') }

/** A scenario whose only tool sends mail. */
async function startMail(stream: boolean, script: ModelScript) {
  const mail = mailTool()
  return { ...(await startScenario({ stream, tools: [mail], script })), mail }
}

plainAndStreamed('slots', (stream) => {
  test('a long text is neither read nor written twice', async () => {
    await using scenario = await startMail(stream, [
      callTool('send_email', meeting),
      callTool('send_email', { to: 'ada@example.com', subject: 'Meeting', body: '<as sent>' }),
      say('Sent.'),
    ])
    const response = await scenario.run()
    expect(scenario.lastToolText(2)).toContain('"body":"<as sent>"')
    expect(scenario.lastToolText(2)).not.toContain('meeting meeting')
    const resolved = { ...meeting, to: 'ada@example.com' }
    expect(scenario.mail.runs).toEqual([resolved])
    expect(response.toolsUsed.at(-1)?.input).toEqual(resolved)
    expect(scenario.ledger.rows.at(-1)?.invocation.arguments).toEqual(resolved)
  })

  test('it stands for the earlier value through a second failed attempt', async () => {
    await using scenario = await startMail(stream, [
      callTool('send_email', meeting),
      callTool('send_email', { to: 'nobody', subject: 'Meeting', body: '<as sent>' }),
      callTool('send_email', { to: 'ada@example.com', subject: 'Meeting', body: '<as sent>' }),
      say('Sent.'),
    ])
    const response = await scenario.run()
    expect(scenario.mail.runs).toEqual([{ ...meeting, to: 'ada@example.com' }])
    expect(response.toolsUsed[1]?.input).toEqual({ ...meeting, to: 'nobody' })
  })

  test.each([
    ['the long text is all that was right', long('meeting')],
    ['it is an item of a list', [long('meeting'), 'short']],
  ])('the corrected call runs as it was shown where %s', async (_, body) => {
    const post = recordingTool({
      name: 'post',
      parameters: {
        type: 'object',
        properties: { body: {}, place: { type: 'string' } },
        required: ['body', 'place'],
      },
    })
    const asShown = JSON.parse(JSON.stringify({ body, place: 'wall' }).replace(long('meeting'), '<as sent>'))
    await using scenario = await startScenario({
      stream,
      tools: [post],
      script: [callTool('post', { body }), callTool('post', asShown), say('Posted.')],
    })
    await scenario.run()
    expect(scenario.lastToolText(2)).toContain('<as sent>')
    expect(post.runs).toEqual([{ body, place: 'wall' }])
  })

  test('a value that must come from the user is never meant by it', async () => {
    const text = long('meeting')
    const post = recordingTool({
      name: 'post',
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', source: 'conversation' }, place: { type: 'string' } },
        required: ['text', 'place'],
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [post],
      script: [
        callTool('post', { text }),
        callTool('post', { text: '<as sent>', place: 'wall' }),
        say('Which text?'),
      ],
    })
    const response = await scenario.run({ input: `Post this: ${text}` })
    expect(post.runs).toEqual([])
    expect(response).toMatchObject({
      status: 'needs_input',
      pending: [{ values: { place: 'wall' }, schema: { required: ['text'] } }],
    })
  })

  test('a list that is still to fill is never meant by it', async () => {
    const send = recordingTool({
      name: 'send_all',
      parameters: {
        type: 'object',
        properties: {
          to: { type: 'array', items: { type: 'string', format: 'email' } },
          body: { type: 'string' },
        },
        required: ['to', 'body'],
      },
    })
    const { body } = meeting
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTool('send_all', { to: ['ada@example.com', 'bob'], body }),
        callTool('send_all', { to: '<as sent>', body }),
        say('Whom is it for?'),
      ],
    })
    const response = await scenario.run()
    expect(send.runs).toEqual([])
    expect(response).toMatchObject({
      status: 'needs_input',
      toolsUsed: [{ attempt: 1 }, { attempt: 2, error: { errorType: 'missing_parameter' } }],
    })
  })

  test.each(['"<as sent>"', ' <AS SENT> ', '`<as sent>`'])('%s means the same as <as sent>', async (body) => {
    const mail = mailTool()
    const to = 'ada@example.com'
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [
        callTool('send_email', meeting),
        callTool('send_email', { ...meeting, to, body }),
        say('Sent.'),
      ],
    })
    await scenario.run()
    expect(mail.runs).toEqual([{ ...meeting, to }])
  })

  test('a form keeps the text behind it and completes the whole call', async () => {
    await using scenario = await startMail(stream, [
      callTool('send_email', meeting),
      callTool('send_email', { subject: 'Meeting', body: '<as sent>' }),
      say('Who is it for?'),
      say('Sent.'),
    ])
    const parked = await scenario.run()
    const toolCallId = parked.pending?.[0]?.toolCallId ?? ''
    expect(parked.pending?.[0]?.values).toEqual(meeting)
    await scenario.resume({
      transcript: parked.transcript,
      answer: { toolCallId, values: { to: 'ada@example.com' } },
    })
    expect(scenario.mail.runs).toEqual([{ ...meeting, to: 'ada@example.com' }])
  })

  test('a slot text sent back is a missing value, also in a later turn', async () => {
    await using scenario = await startMail(stream, [
      callTool('send_email', meeting),
      callTool('send_email', { ...meeting, to: '<recipient email address>' }),
      say('Who is it for?'),
    ])
    const first = await scenario.run({ input: 'Mail about the meeting.' })
    expect(first.toolsUsed[1]).toMatchObject({ ok: false, error: { errorType: 'missing_parameter' } })

    scenario.use([
      callTool('send_email', {
        to: 'ada@example.com',
        subject: '<recipient email address>',
        body: '<as sent>',
      }),
      say('What should it say?'),
    ])
    const second = await scenario.run({
      input: 'To ada@example.com.',
      messages: [{ role: 'user', content: 'Mail about the meeting.' }, ...first.messages],
    })
    expect(scenario.mail.runs).toEqual([])
    expect(second.status).toBe('needs_input')
    expect(second.pending?.[0]?.schema?.required).toEqual(['subject', 'body'])
  })

  test('with two mails open nothing is shortened', async () => {
    await using scenario = await startMail(stream, [
      callTools([
        ['send_email', meeting],
        ['send_email', lunch],
      ]),
      say('Whom are they for?'),
    ])
    await scenario.run()
    const texts = scenario.requests[1]?.body.messages.filter(({ role }) => role === 'tool')
    expect(texts?.[0]?.content).toContain(meeting.body)
    expect(texts?.[1]?.content).toContain(lunch.body)
    expect(JSON.stringify(texts)).not.toContain('<as sent>')
  })

  test('with two mails open <as sent> stands for the text of its own mail, or for none', async () => {
    await using scenario = await startMail(stream, [
      callTool('send_email', meeting),
      callTools([
        ['send_email', { ...meeting, to: 'nobody' }],
        ['send_email', lunch],
      ]),
      callTools([
        ['send_email', { to: 'ada@example.com', subject: 'Meeting', body: '<as sent>' }],
        ['send_email', { to: 'bob@example.com', subject: 'Something else', body: '<as sent>' }],
      ]),
      say('One is sent.'),
    ])
    const response = await scenario.run()
    expect(scenario.mail.runs).toEqual([{ ...meeting, to: 'ada@example.com' }])
    expect(response.toolsUsed.at(-1)).toMatchObject({ ok: false })
  })

  test('the text of a mail that was tried in between is not sent with another subject', async () => {
    const mail = mailTool()
    const to = 'ada@example.com'
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [
        callTool('send_email', meeting),
        callTool('send_email', { ...lunch, to, cc: 'bob' }),
        callTool('send_email', { to, subject: 'Meeting', body: '<as sent>' }),
        say('What should it say?'),
      ],
    })
    await scenario.run()
    expect(mail.runs).toEqual([])
  })

  test('a gap that is filled beside the text does not make it another call', async () => {
    const order = recordingTool({
      name: 'order',
      parameters: {
        type: 'object',
        properties: {
          customer: { type: 'object', properties: { id: { type: 'string' } }, required: ['id', 'name'] },
          note: { type: 'string' },
        },
        required: ['customer', 'note'],
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [order],
      script: [
        callTool('order', { customer: { name: 'Ada' }, note: long('note') }),
        callTool('order', { customer: { id: 'c-1', name: 'Ada' }, note: '<as sent>' }),
        say('Ordered.'),
      ],
    })
    await scenario.run()
    expect(order.runs).toEqual([{ customer: { id: 'c-1', name: 'Ada' }, note: long('note') }])
  })

  test('a call that changes everything else does not inherit the text', async () => {
    await using scenario = await startMail(stream, [
      callTool('send_email', meeting),
      callTool('send_email', { to: 'bob@example.com', subject: 'Lunch', body: '<as sent>' }),
      say('What should it say?'),
    ])
    await scenario.run()
    expect(scenario.mail.runs).toEqual([])
  })

  test('other angle brackets are plain text', async () => {
    const mail = mailTool()
    const html = { to: 'ada@example.com', subject: '<b>Hi</b>', body: 'Dear <your name here>,' }
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [callTool('send_email', html), say('Sent.')],
    })
    await scenario.run()
    expect(mail.runs).toEqual([html])
  })
})
