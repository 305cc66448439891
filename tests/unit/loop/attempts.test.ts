import { expect, test } from 'vitest'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const complete = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
const { to: _to, ...withoutTo } = complete

plainAndStreamed('attempts', (stream) => {
  test('a missing parameter becomes a question, and the second call runs', async () => {
    const mail = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [callTool('send_email', withoutTo), callTool('send_email', complete), say('Sent.')],
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'completed', text: 'Sent.' })
    expect(mail.runs).toEqual([complete])
    expect(scenario.lastToolText(2)).toBe(
      [
        'Question: Who should I send this email to? Please provide the recipient email address.',
        'send_email, attempt 1 of 3: missing_parameter "to" (string, email).',
        'Call it again like this, filled in from the conversation: {"to":"<recipient email address>","subject":"Meeting","body":"At ten."}',
        'If the conversation does not say it, ask the user; never invent it.',
      ].join('\n'),
    )
    expect(response.toolsUsed).toMatchObject([
      { toolName: 'send_email', attempt: 1, ok: false, error: { errorType: 'missing_parameter' } },
      { toolName: 'send_email', attempt: 2, ok: true, input: complete, output: { done: 1 } },
    ])
    expect(scenario.ledger.rows.map((row) => row.status)).toEqual(['rejected', 'succeeded'])
  })

  test('the first call runs at 0.5, a retry at 0.7, and 0.5 again after success', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [callTool('send_email', withoutTo), callTool('send_email', complete), say('Sent.')],
    })
    await scenario.run()
    expect(scenario.requests.map(({ body }) => body.temperature)).toEqual([0.5, 0.7, 0.5])
  })

  test('after the third failed attempt the user is asked instead of a fourth guess', async () => {
    const mail = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: () => callTool('send_email', withoutTo),
    })
    const response = await scenario.run()
    expect(response).toMatchObject({
      status: 'needs_input',
      text: 'Who should I send this email to? Please provide the recipient email address.',
      pending: [
        {
          type: 'input',
          toolName: 'send_email',
          schema: { properties: { to: { type: 'string', format: 'email' } }, required: ['to'] },
          values: withoutTo,
        },
      ],
    })
    expect(scenario.requests).toHaveLength(3)
    expect(response.toolsUsed.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(mail.runs).toEqual([])
  })

  test('the budget survives renamed tools, new call ids and calls in between', async () => {
    const mail = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [mail, searchTool()],
      script: [
        callTool('sendEmail', withoutTo),
        callTool('web_search', { query: 'address' }),
        callTool('send_emails', { ...withoutTo, subject: 'Other' }),
        callTool('web_search', { query: 'more' }),
        callTool('send_email', withoutTo),
      ],
    })
    const response = await scenario.run()
    expect(response.status).toBe('needs_input')
    expect(response.toolsUsed.filter(({ ok }) => !ok).map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  })

  test('two mails have a budget each, told apart by their arguments', async () => {
    const mail = mailTool()
    const lunch = { subject: 'Lunch', body: 'At noon.' }
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [
        callTools([
          ['send_email', withoutTo],
          ['send_email', lunch],
        ]),
        callTools([
          ['send_email', { ...lunch, to: 'nobody' }],
          ['send_email', complete],
        ]),
        callTool('send_email', { ...lunch, to: 'bob@example.com' }),
        say('Both are sent.'),
      ],
    })
    const response = await scenario.run()
    expect(response.toolsUsed.map(({ attempt, ok }) => [attempt, ok])).toEqual([
      [1, false],
      [1, false],
      [2, false],
      [2, true],
      [3, true],
    ])
    expect(mail.runs).toEqual([complete, { ...lunch, to: 'bob@example.com' }])
  })

  test('success closes an intent: the next failure is a first attempt', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [
        callTool('send_email', withoutTo),
        callTool('send_email', complete),
        callTool('send_email', { subject: 'Next', body: 'x' }),
        say('Who is the next one for?'),
      ],
    })
    const response = await scenario.run()
    expect(response.toolsUsed.map(({ attempt }) => attempt)).toEqual([1, 2, 1])
  })

  test('an error type may have fewer attempts', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: () => callTool('send_email', withoutTo),
    })
    const response = await scenario.run({ limits: { attemptsByType: { missing_parameter: 1 } } })
    expect(response.status).toBe('needs_input')
    expect(scenario.requests).toHaveLength(1)
  })

  test('the same arguments failing again get the fullest feedback at once, and cost one attempt', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [
        callTool('send_email', withoutTo),
        callTool('send_email', { body: 'At ten.', subject: 'Meeting' }),
        callTool('send_email', complete),
        say('Sent.'),
      ],
    })
    const response = await scenario.run()
    expect(scenario.lastToolText(3)).toContain('attempt 2 of 3')
    expect(scenario.lastToolText(3)).toContain('Earlier attempts: 1. missing_parameter "to".')
    expect(response.status).toBe('completed')
  })

  test('a tool that never existed is answered with the tools there are, closest first', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool(), searchTool()],
      script: [callTool('analyze_dom', {}), say('I cannot do that.')],
    })
    const response = await scenario.run()
    expect(scenario.lastToolText(2)).toMatch(
      /^Question: There is no tool "analyze_dom"\. .*\nAttempt 1 of 3: tool_not_found\.$/,
    )
    // Small models copy what they read often.
    expect(scenario.lastToolText(2).split('analyze_dom')).toHaveLength(2)
    expect(scenario.lastToolText(2)).toContain('web_search')
    expect(response).toMatchObject({ status: 'completed', text: 'I cannot do that.' })
  })

  test('a call without a name is told so, and so is the user', async () => {
    const nameless = { toolCalls: [{ name: '', arguments: '{}' }] }
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: [nameless, nameless, nameless, say('')],
    })
    const response = await scenario.run()
    expect(scenario.lastToolText(2)).toMatch(
      /^Question: The call names no tool\. Please use one of: web_search\.\nAttempt 1 of 3/,
    )
    expect(response.text).toContain('Not done: No tool here can do this.')
  })

  test('names that resemble nothing share one budget, and the run ends failed', async () => {
    let call = 0
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: ({ body }) =>
        body.tool_choice === 'none' ? say('There is no such tool.') : callTool(`zz_${call++}`, {}),
    })
    const response = await scenario.run()
    expect(response).toMatchObject({ status: 'failed', text: 'There is no such tool.' })
    expect(scenario.requests).toHaveLength(4)
  })

  test('words of the model while a call misses something are the text beside the form', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [callTool('send_email', withoutTo), say('Whom is it for?')],
    })
    const response = await scenario.run()
    expect(response).toMatchObject({
      status: 'needs_input',
      text: 'Whom is it for?',
      pending: [{ type: 'input', toolName: 'send_email' }],
    })
  })
})
