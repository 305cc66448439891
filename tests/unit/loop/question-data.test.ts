import { expect, test } from 'vitest'
import { mailTool, recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, fail, say } from '../../../support/model-server.ts'
import { approvedMail, mail } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const ends = (end: { type: string } | undefined) => (end as { ours?: unknown[] } | undefined)?.ours

plainAndStreamed('a question is data', (stream) => {
  test('of a form: what is asked, what belongs there, what else is needed, and the sentence of these', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [mailTool({ title: 'Send email' })],
      script: [callTool('send_email', { body: 'At ten.' }), say('Who gets it?')],
    })
    const { pending } = await scenario.run()
    expect(pending).toMatchObject([
      {
        type: 'input',
        title: 'Send email',
        code: 'value_missing',
        codeValues: {
          tool: 'Send email',
          toolName: 'send_email',
          field: 'to',
          parameter: 'to',
          also: ['subject'],
        },
        asked: 'Who should I send this email to?',
        hint: 'Please provide the recipient email address.',
        alsoNeeded: ['subject'],
        question:
          'Question: Who should I send this email to? Please provide the recipient email address. Also needed: subject.',
      },
    ])
  })

  test('of a form whose call had a name that does not exist: about the field, not about the name', async () => {
    const { to: _, ...rest } = mail
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [callTool('send_email', { ...rest, zzz_place: 'Ada' }), say('Who gets it?')],
    })
    const { pending = [] } = await scenario.run()
    expect(pending).toMatchObject([{ code: 'value_missing', asked: 'Who should I send this email to?' }])
    expect(JSON.stringify(pending.map(({ asked, hint, question }) => [asked, hint, question]))).not.toContain(
      'zzz_place',
    )
  })

  test('of an approval: what is done, and the verb on its button', async () => {
    const send = approvedMail()
    Object.assign(send.specification, { confirm: 'Send "{subject}" to {to}?', button: 'Send email' })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail)],
    })
    const { pending, text } = await scenario.run()
    expect(pending).toMatchObject([
      {
        code: 'approve',
        asked: 'Send "Meeting" to "ada@example.com"?',
        confirm: 'Send "Meeting" to "ada@example.com"?',
        button: 'Send email',
      },
    ])
    expect(text).toBe('Send "Meeting" to "ada@example.com"?')
  })

  test('of a value nobody said: the question of its parameter, and which value that is', async () => {
    const pay = recordingTool({
      name: 'pay',
      parameters: {
        type: 'object',
        properties: { account: { type: 'string', source: 'conversation', question: 'Which account?' } },
        required: ['account'],
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [pay],
      script: [callTool('pay', { account: 'X-1' })],
    })
    expect((await scenario.run()).pending).toMatchObject([
      {
        code: 'value_not_said',
        codeValues: { field: 'account', value: 'X-1' },
        asked: 'Which account?',
        hint: expect.stringMatching(/You have not told me "X-1"\.$/),
      },
    ])
  })
})

plainAndStreamed('our own sentences', (stream) => {
  test('stand beside the words of a model that was cut off, each with its code', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool()],
      script: () => ({ ...say('It is da'), finishReason: 'length' }),
    })
    const response = await scenario.run()
    expect(response.transcript.at(-1)).toMatchObject({
      type: 'run-end',
      text: 'It is da',
      ours: [{ code: 'cut_off' }],
    })
    expect(response.text).toMatch(/^It is da\n\n\(This answer was cut off/)
  })

  test('give an account of a run whose model went away', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [searchTool({ title: 'Search' })],
      script: ({ number }) => (number === 1 ? callTool('web_search', { query: 'a' }) : fail(500)),
    })
    const response = await scenario.run()
    expect(ends(response.transcript.at(-1))).toMatchObject([
      { code: 'model_unavailable' },
      { code: 'done', values: { tools: ['Search'] } },
    ])
  })

  test('say whom a run waits for, and about which call', async () => {
    await using scenario = await startScenario({
      stream,
      tools: [approvedMail()],
      script: [callTool('send_email', mail)],
    })
    const { transcript, pending, messages } = await scenario.run()
    expect(ends(transcript.at(-1))).toEqual([
      {
        code: 'approve',
        values: { tool: 'Send email', toolName: 'send_email', besides: ['to', 'subject', 'body'] },
        toolCallId: pending?.[0]?.toolCallId,
      },
    ])
    // The model reads them in English, whoever reads the answer.
    expect(messages.at(-1)).toMatchObject({ content: expect.stringMatching(/^Send email \(/) })
  })
})
