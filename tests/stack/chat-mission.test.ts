import { beforeAll, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatReply,
  type ChatUser,
  signUp,
  signUpWithMail,
  withDatabase,
} from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useStarted } from '../../support/use-started.ts'
import { withoutTime } from '../../support/without-time.ts'

const sentence = 'Send an email about the meeting to ada@example.com'
const complete = { to: ['ada@example.com'], subject: 'Meeting', body: 'Shall we meet on Thursday at ten?' }

const chat = useStarted(() => startChatStack())
let user: ChatUser
let reply: ChatReply

beforeAll(async () => {
  user = await signUpWithMail(chat.stack, 'never')
  chat.model.use([
    callTool('smtp_send_email', { subject: 'Meeting' }),
    callTool('smtp_send_email', complete),
    say('I sent the email to ada@example.com.'),
  ])
  reply = await user.post({ id: 'mission', message: sentence, messageId: 'm-1' })
})

const query = (text: string) =>
  withDatabase(chat.stack, (sql) => sql.unsafe(`set search_path to askback; ${text}`)).then(
    (results) => results.at(-1) as unknown as Record<string, unknown>[],
  )

describe(`"${sentence}" with a call that forgets the recipient`, () => {
  it('ends with the final text', () => {
    expect(reply.status).toBe(200)
    expect(reply.answer).toMatchObject({
      conversationId: 'mission',
      runId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'completed',
      text: 'I sent the email to ada@example.com.',
      usage: { inputTokens: 60, outputTokens: 30, modelCalls: 3 },
    })
    expect(reply.answer).not.toHaveProperty('pending')
  })

  it('asks the model who should get it', () => {
    const messages = chat.model.requests[1]?.body.messages ?? []
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining(`Question: ${recipientQuestion}`),
    })
  })

  it('shows both attempts in toolsUsed', () => {
    expect(reply.answer.toolsUsed).toEqual([
      {
        toolCallId: expect.any(String),
        toolName: 'smtp_send_email',
        intent: 1,
        attempt: 1,
        tries: 0,
        input: { subject: 'Meeting' },
        ok: false,
        error: expect.objectContaining({
          ok: false,
          error: expect.stringContaining(recipientQuestion),
          errorType: 'missing_parameter',
          resolver: 'model',
          details: expect.objectContaining({ parameter: 'to' }),
        }),
        startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        durationMs: expect.any(Number),
      },
      {
        toolCallId: expect.any(String),
        toolName: 'smtp_send_email',
        intent: 1,
        attempt: 2,
        tries: 1,
        input: complete,
        ok: true,
        output: expect.objectContaining({ messageId: expect.stringMatching(/^<.+@.+>$/) }),
        summary: 'Sent "Meeting" to "ada@example.com"',
        startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        durationMs: expect.any(Number),
      },
    ])
  })

  it('sends exactly one mail', async () => {
    expect(await chat.stack.inbox.messages()).toEqual([
      expect.objectContaining({
        to: ['ada@example.com'],
        subject: 'Meeting',
        text: expect.stringContaining('Thursday at ten'),
      }),
    ])
  })

  it('asks at temperature 0.5, after the failure at 0.7, then at 0.5 again', () => {
    expect(chat.model.requests.slice(0, 3).map(({ body }) => body.temperature)).toEqual([0.5, 0.7, 0.5])
  })

  it('keeps both invocations in the ledger, the refused one as rejected', async () => {
    const rows = await query(
      'select tool_name, effect, attempt, status, arguments, error_type, parameter, run_id from tool_executions order by attempt',
    )
    expect(rows).toEqual([
      {
        tool_name: 'smtp_send_email',
        effect: 'write',
        attempt: 1,
        status: 'rejected',
        arguments: { subject: 'Meeting' },
        error_type: 'missing_parameter',
        parameter: 'to',
        run_id: reply.answer.runId,
      },
      {
        tool_name: 'smtp_send_email',
        effect: 'write',
        attempt: 2,
        status: 'succeeded',
        arguments: complete,
        error_type: null,
        parameter: null,
        run_id: reply.answer.runId,
      },
    ])
  })

  it('counts in the views as documented', async () => {
    expect(
      await query(
        'SELECT error_type, COUNT(*) AS count FROM tool_execution_errors GROUP BY error_type ORDER BY count DESC',
      ),
    ).toEqual([{ error_type: 'missing_parameter', count: '1' }])
    expect(
      await query(
        'SELECT COUNT(DISTINCT session_id) AS total_errors, COUNT(DISTINCT CASE WHEN retry_succeeded THEN session_id END) AS successful_retries FROM tool_execution_sessions WHERE has_errors = true',
      ),
    ).toEqual([{ total_errors: '1', successful_retries: '1' }])
  })

  it('notes what each model call has used', async () => {
    expect(await query('select model, input_tokens, output_tokens from llm_usage order by id')).toEqual(
      Array(3).fill({ model: 'scripted-model', input_tokens: 20, output_tokens: 10 }),
    )
  })

  it('is a message that AI SDK clients can show', () => {
    const { message, runId } = reply.answer
    expect(message.parts.map((part) => [part.type, part.state])).toEqual([
      ['step-start', undefined],
      ['tool-smtp_send_email', 'output-error'],
      ['data-call', undefined],
      ['data-tool-error', undefined],
      ['step-start', undefined],
      ['tool-smtp_send_email', 'output-available'],
      ['data-call', undefined],
      ['step-start', undefined],
      ['text', 'done'],
    ])
    expect(message).toMatchObject({
      role: 'assistant',
      metadata: { conversationId: 'mission', runId, status: 'completed' },
    })
  })

  it('can be read again, by this user alone', async () => {
    expect(await user.get('/conversations/mission')).toEqual({
      status: 200,
      body: {
        id: 'mission',
        title: sentence,
        status: 'completed',
        messages: [
          { id: 'm-1', role: 'user', parts: [{ type: 'text', text: sentence }] },
          reply.answer.message,
        ],
        pending: [],
      },
    })
    expect(await user.get('/conversations')).toMatchObject({
      status: 200,
      body: { conversations: [{ id: 'mission', title: sentence, open: { count: 0 } }] },
    })
    const other = await signUp(chat.stack)
    expect(await other.get('/conversations/mission')).toMatchObject({
      status: 404,
      body: { error: { code: 'conversation_not_found' } },
    })
    expect(await other.get('/conversations')).toEqual({ status: 200, body: { conversations: [] } })
  })

  it('is what the next request of the conversation sees', async () => {
    chat.model.use([say('To ada@example.com, as you asked.')])
    const seen = chat.model.requests.length
    await user.post({ id: 'mission', message: 'To whom did you send it?' })
    const messages = chat.model.requests[seen]?.body.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(withoutTime(messages[1]?.content)).toBe(sentence)
    expect(JSON.stringify(messages[4])).toContain('ada@example.com')
    expect(messages[6]?.content).toBe('I sent the email to ada@example.com.')
    expect(withoutTime(messages[7]?.content)).toBe('To whom did you send it?')
  })
})

it('sends as much in files as a mail may have', async () => {
  await chat.stack.inbox.clear()
  const content = Buffer.alloc(10 * 1024 * 1024, 'askback').toString('base64')
  const attachments = [{ filename: 'all.bin', content, encoding: 'base64' }]
  chat.model.use([callTool('smtp_send_email', { ...complete, attachments }), say('Sent.')])
  const { answer } = await user.post({ id: 'many-files', message: sentence })
  expect(answer).toMatchObject({ status: 'completed', text: 'Sent.', toolsUsed: [{ ok: true, attempt: 1 }] })
  const [mail] = await chat.stack.inbox.messages()
  expect(mail?.attachments).toMatchObject([{ filename: 'all.bin', size: 10 * 1024 * 1024 }])
})
