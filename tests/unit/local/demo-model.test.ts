import OpenAI from 'openai'
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import { describe, expect, test } from 'vitest'
import { answerAsDemo, demoNotice } from '../../../local/demo/answer.ts'
import { answerAsDemoModel } from '../../../local/demo/model.ts'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { emailParameters } from '../../../shared/integrations/email/email-parameters.ts'
import { runSettings } from '../../../support/agent-scenario.ts'

const url = 'http://127.0.0.1/demo-model/v1'
const serve: typeof fetch = (input, init) => Promise.resolve(answerAsDemoModel(new Request(input, init)))

/** The engine with the demo model and one e-mail tool that keeps what it sent. */
function setUp(stream = false) {
  const sent: unknown[] = []
  const sendEmail = defineTool({
    name: 'smtp_send_email',
    description: 'Sends an e-mail.',
    parameters: emailParameters,
    effect: 'write',
    execute(args) {
      sent.push(args)
      return { ok: true, data: { messageId: '<1@example.com>', accepted: args.to } }
    },
  })
  const transcript: Entry[] = []
  const run = (input: string, before: { transcript?: Entry[]; messages?: readonly ChatMessage[] }) =>
    runAgent({
      ...runSettings({
        tools: [sendEmail],
        model: createModelClient({ baseURL: url, apiKey: 'demo', model: 'demo', fetch: serve }),
      }),
      input,
      ...before,
      stream,
    })
  const say = async (input: string) => {
    const answer = await run(input, { transcript })
    transcript.push(...answer.transcript)
    return answer
  }
  /** As clients ask that send all of a conversation again. */
  const ask = (messages: readonly ChatMessage[]) =>
    run(String(messages.at(-1)?.content), { messages: messages.slice(0, -1) })
  return { sent, say, ask }
}

describe('the conversation of errors, with the engine', () => {
  for (const stream of [false, true]) {
    const kind = stream ? 'streamed' : 'plain'

    test(`an address in the message is found after the question, ${kind}`, async () => {
      const { sent, say } = setUp(stream)
      const answer = await say('Send an email about the meeting to ada@example.com')
      expect(answer.status).toBe('completed')
      expect(answer.toolsUsed.map(({ attempt, ok }) => [attempt, ok])).toEqual([
        [1, false],
        [2, true],
      ])
      expect(answer.toolsUsed[0]?.error).toMatchObject({ errorType: 'missing_parameter' })
      expect(sent).toEqual([
        { to: ['ada@example.com'], subject: 'Meeting', body: expect.stringContaining('about the meeting') },
      ])
      expect(answer.text).toContain('I sent the email “Meeting” to ada@example.com.')
      expect(answer.text).toContain(demoNotice)
    })

    test(`without an address the user is asked, and the answer completes the call, ${kind}`, async () => {
      const { sent, say } = setUp(stream)
      const question = await say('Send an email about the meeting to Ada')
      expect(question.status).toBe('needs_input')
      expect(question.text).toContain('Who should I send this email to?')
      expect(question.text).toContain(demoNotice)
      expect(sent).toEqual([])
      const answer = await say('ada@example.com')
      expect(answer.status).toBe('completed')
      expect(answer.text).toBe('I sent the email “Meeting” to ada@example.com.')
      expect(sent).toMatchObject([{ to: ['ada@example.com'], subject: 'Meeting' }])
    })
  }

  test('a text too long to be written twice is sent whole', async () => {
    const { sent, say } = setUp()
    const body = `This is a long text. ${'It goes on. '.repeat(40)}`.trim()
    await say(`Send an email to ada@example.com saying "${body}"`)
    expect(sent).toMatchObject([{ body }])
  })

  test('an address that the tool refuses is asked for again, not sent in a circle', async () => {
    const { sent, say } = setUp()
    const answer = await say('Send an email about lunch to ada@example..com')
    expect(answer.status).toBe('needs_input')
    expect(answer.toolsUsed).toHaveLength(2)
    expect(sent).toEqual([])
  })

  test('the second e-mail of a conversation goes at once', async () => {
    const { sent, say } = setUp()
    await say('Send an email about the meeting to ada@example.com')
    const answer = await say('Send an email about lunch to bob@example.com, cc carol@example.com')
    expect(answer.toolsUsed).toHaveLength(1)
    expect(sent[1]).toMatchObject({ to: ['bob@example.com'], cc: ['carol@example.com'], subject: 'Lunch' })
    expect(answer.text).not.toContain(demoNotice)
  })

  for (const stream of [false, true]) {
    test(`several e-mails of one request go at once, and each is told of, stream: ${stream}`, async () => {
      const { sent, say } = setUp(stream)
      const answer = await say(
        'Send three emails: to anna@example.com that lunch is at noon, to ben@example.com that tea is at four, and to carla@example..com',
      )
      expect(sent).toMatchObject([
        { to: ['anna@example.com'], body: 'lunch is at noon' },
        { to: ['ben@example.com'], body: 'tea is at four' },
      ])
      expect(answer.text).toContain('I sent the email “Hello” to anna@example.com.')
      expect(answer.text).toContain('I sent the email “Hello” to ben@example.com.')
      expect(answer.text).toContain('carla@example..com')
    })

    test(`a question that stands only in a client's history is answered too, stream: ${stream}`, async () => {
      const { sent, ask } = setUp(stream)
      const asked = 'Send an email about the meeting'
      const question = await ask([{ role: 'user', content: asked }])
      const history: ChatMessage[] = [
        { role: 'user', content: asked },
        { role: 'assistant', content: `${question.text}\n\nAnswer it here: http://127.0.0.1/chat/1` },
        { role: 'user', content: 'to Ada please' },
      ]
      const again = await ask(history)
      expect(again.text).toBe('Who should I send this email to? Please provide the recipient email address.')
      history.push({ role: 'assistant', content: again.text }, { role: 'user', content: 'ada@example.com' })
      const answer = await ask(history)
      expect(answer.text).toBe('I sent the email “Meeting” to ada@example.com.')
      expect(sent).toMatchObject([{ to: ['ada@example.com'], subject: 'Meeting' }])
      const done: ChatMessage[] = [
        { role: 'assistant', content: answer.text },
        { role: 'user', content: 'bob@example.com' },
      ]
      expect((await ask([...history, ...done])).text).toContain('That is all I can do for “Send an email')
      expect(sent).toHaveLength(1)
    })
  }

  test('anything else gets to know what it can do', async () => {
    const { say } = setUp()
    const answer = await say('What is the weather?')
    expect(answer.status).toBe('completed')
    expect(answer.text).toContain('`Send an email about the meeting to ada@example.com`')
    expect(answer.text).toContain(demoNotice)
  })
})

describe('single answers', () => {
  const tool: ChatCompletionFunctionTool = { type: 'function', function: { name: 'smtp_send_email' } }
  const called = (args: string, ...results: string[]): ChatMessage[] => [
    { role: 'user', content: [{ type: 'text', text: 'Send an email about the meeting to ada@example.com' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: results.map((_, index) => ({
        id: `c${index}`,
        type: 'function',
        function: { name: 'smtp_send_email', arguments: args },
      })),
    },
    ...results.map((content, index) => ({ role: 'tool' as const, tool_call_id: `c${index}`, content })),
  ]

  test('the corrected call keeps "<as sent>" and what needs no filling', () => {
    const feedback = [
      'Question: Who should I send this email to? Please provide the recipient email address.',
      'smtp_send_email, attempt 1 of 3: missing_parameter "to" (array).',
      'Call it again like this, filled in from the conversation: {"to":["<recipient email address>"],"subject":"Meeting","body":"<as sent>"}',
      'If the conversation does not say it, ask the user; never invent it.',
    ].join('\n')
    expect(answerAsDemo(called('{"subject":"Meeting"}', feedback), [tool])).toEqual({
      calls: [
        {
          name: 'smtp_send_email',
          arguments: { to: ['ada@example.com'], subject: 'Meeting', body: '<as sent>' },
        },
      ],
    })
  })

  test('the name of another tool is taken from the correction, when it is offered', () => {
    const feedback = [
      'Question: There is no tool smtp_sendmail. Did you mean smtp_send_email?',
      'Attempt 1 of 3: tool_not_found.',
      'Call smtp_send_email like this: {"to":["ada@example.com"],"subject":"Meeting","body":"Hi"}',
    ].join('\n')
    expect(answerAsDemo(called('{}', feedback), [tool])).toMatchObject({
      calls: [{ name: 'smtp_send_email' }],
    })
    expect(answerAsDemo(called('{}', feedback), [])).toMatchObject({
      text: expect.stringContaining('Did you mean'),
    })
  })

  test('what it cannot resolve it says, without the word Question', () => {
    const denied =
      'You did not allow this.\nsmtp_send_email: approval_denied. Calling it again does not help; tell the user.'
    for (const result of [denied, '{"ok":false,"error":"Question: You did not allow this."}']) {
      expect(answerAsDemo(called('{"to":["ada@example.com"]}', result), [tool])).toEqual({
        text: `You did not allow this.\n\n${demoNotice}`,
      })
    }
  })

  test('recipients that were not accepted are named', () => {
    const result = '{"accepted":["ada@example.com"],"refused":["bob@example.com"]}'
    expect(answerAsDemo(called('{"subject":"Hi"}', result), [tool])).toEqual({
      text: `I sent the email “Hi” to ada@example.com. Not accepted: bob@example.com.\n\n${demoNotice}`,
    })
  })

  test('without an e-mail tool it says so', () => {
    expect(answerAsDemo([{ role: 'user', content: 'Send an email to ada@example.com' }], [])).toMatchObject({
      text: expect.stringContaining('no tool for it'),
    })
  })
})

describe('as a server', () => {
  const client = new OpenAI({ baseURL: url, apiKey: 'demo', fetch: serve })
  const messages = [{ role: 'user' as const, content: 'Send an email about the meeting to ada@example.com' }]
  const tools = [{ type: 'function' as const, function: { name: 'smtp_send_email' } }]

  test('the unmodified openai client reads it, plain and streamed alike', async () => {
    const plain = await client.chat.completions.create({ model: 'demo', messages, tools })
    const streamed = await client.chat.completions
      .stream({ model: 'demo', messages, tools, stream_options: { include_usage: true } })
      .finalChatCompletion()
    for (const { choices, usage } of [plain, streamed]) {
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ function: { name: 'smtp_send_email' } }] },
      })
      const [call] = choices[0]?.message.tool_calls ?? []
      expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).not.toHaveProperty('to')
      expect(usage?.total_tokens).toBeGreaterThan(0)
    }
    const words = await client.chat.completions
      .stream({ model: 'demo', messages: [{ role: 'user', content: 'Hi' }] })
      .finalChatCompletion()
    expect(words.choices[0]?.message.content).toContain(demoNotice)
    expect((await client.models.list()).data).toHaveLength(1)
  })

  test('tool_choice none gets words', async () => {
    const completion = await client.chat.completions.create({
      model: 'demo',
      messages,
      tools,
      tool_choice: 'none',
    })
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined()
    expect(completion.choices[0]?.message.content).not.toBe('')
  })

  test('what is no request is refused with a sentence', async () => {
    const post = (body: string) => serve(`${url}/chat/completions`, { method: 'POST', body })
    for (const body of ['{', 'null', '{}', '{"messages": "hi"}']) expect((await post(body)).status).toBe(400)
    expect((await serve(`${url}/embeddings`, { method: 'POST', body: '{}' })).status).toBe(404)
  })
})

describe('what a person has decided', () => {
  const emailTool: ChatCompletionFunctionTool = { type: 'function', function: { name: 'smtp_send_email' } }
  const request = { role: 'user', content: 'Send an email about the meeting to ada@example.com' } as const
  const call = {
    role: 'assistant',
    tool_calls: [
      {
        id: '1',
        type: 'function',
        function: { name: 'smtp_send_email', arguments: '{"subject":"Meeting"}' },
      },
    ],
  } as const
  const held = { role: 'tool', tool_call_id: '1', content: 'This waits for the user.' } as const
  const done = { role: 'tool', tool_call_id: '1', content: '{"accepted":["ada@example.com"]}' } as const

  test('goes on with the request when a call was approved', () => {
    const messages = [request, { role: 'user', content: 'Yes, call smtp_send_email.' }, call, done] as const
    expect(answerAsDemo(messages as never, [emailTool])).toEqual({
      text: expect.stringContaining('I sent the email “Meeting” to ada@example.com.'),
    })
  })

  test('does not try again what was denied', () => {
    const messages = [
      request,
      call,
      held,
      { role: 'user', content: 'No, do not call smtp_send_email.' },
    ] as const
    expect(answerAsDemo(messages as never, [emailTool])).toEqual({
      text: expect.stringContaining('OK, I didn’t send the email.'),
    })
  })

  test('does not say that nothing was done when one of several calls was denied', () => {
    const [first] = call.tool_calls
    const both = { ...call, tool_calls: [first, { ...first, id: '2' }] }
    const results = [held, { ...held, tool_call_id: '2' }]
    const approved = [{ role: 'user', content: 'Yes, call smtp_send_email.' }, call, done]
    const denied = { role: 'user', content: 'No, do not call smtp_send_email.' }
    const messages = [request, both, ...results, ...approved, denied]
    expect(answerAsDemo(messages as never, [emailTool])).toEqual({
      text: expect.stringContaining('OK, I left that out.'),
    })
  })

  test('says what it did not do when something was skipped', () => {
    const skip =
      'Go on without this: do not call smtp_send_email for it. Do what you can, and say what was left out.'
    const messages = [request, call, held, { role: 'user', content: skip }] as const
    expect(answerAsDemo(messages as never, [emailTool])).toEqual({
      text: expect.stringContaining('OK, I didn’t send the email.'),
    })
  })
})
