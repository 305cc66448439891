import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { createClient } from '@supabase/supabase-js'
import { beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, fail, say, startModelServer } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { findQuietPort } from '../../support/quiet-port.ts'
import { startStack } from '../../support/stack.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { useStarted } from '../../support/use-started.ts'

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'

const chat = useStarted(() => startChatStack())
beforeEach(() => chat.stack.inbox.clear())

/** A user with an agent that asks nobody, and a connection to the inbox or to another server. */
async function newUser(smtp: { port?: number; password?: string } | null = {}): Promise<ChatUser> {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'never')
  if (smtp) await connectSmtp(chat.stack, user.id, smtp)
  return user
}

async function storedTexts(user: ChatUser, id: string): Promise<string[]> {
  const { body } = await user.get(`/conversations/${id}`)
  const { messages } = body as { messages: { parts: { text?: string }[] }[] }
  return messages.map(({ parts }) => parts.flatMap(({ text }) => text ?? []).join('\n'))
}

describe('an account that is deleted while its agent works', () => {
  it('ends the answer, keeps no row of it, and lets nothing come late', async () => {
    const user = await newUser()
    chat.model.use(() =>
      say('Once upon a time there was a story. '.repeat(5), { hang: true, afterChunks: 3 }),
    )
    const before = chat.model.requests.length
    const answer = user.post({ id: 'story', message: 'Tell me a long story' })
    await chat.model.waitForRequest(before + 1)
    const deleted = await fetch(`${chat.stack.url}/functions/v1/integration-settings/account`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: user.email }),
    })
    expect([deleted.status, await deleted.json()]).toEqual([200, { deleted: true, notRevoked: [] }])
    // Its text says that it was stopped, or, when the account was gone before that was stored, that nobody is there.
    expect([200, 401]).toContain((await answer).status)
    const left = await withDatabase(
      chat.stack,
      (sql) => sql`
        select 'user' from auth.users where id = ${user.id}
        union all select 'conversation' from askback.conversations where user_id = ${user.id}
        union all select 'usage' from askback.llm_usage where user_id = ${user.id}`,
    )
    expect(left).toHaveLength(0)
    expect(await user.post({ message: 'Are you there?' })).toMatchObject({
      status: 401,
      error: { message: 'This account no longer exists. Sign in again.' },
    })
  })
})

describe('a model that fails', () => {
  /** What people are told while they wait for the answer to a message, and the answer. */
  async function listen(user: ChatUser, message: string): Promise<{ told: unknown[]; text: string }> {
    const response = await fetch(`${chat.stack.url}/functions/v1/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.token}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({
        id: randomUUID(),
        messages: [{ id: randomUUID(), role: 'user', parts: [{ type: 'text', text: message }] }],
        trigger: 'submit-message',
      }),
    })
    const parts = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) =>
      JSON.parse(json),
    )
    const told = parts.filter(({ type }) => type === 'data-notice')
    return { told, text: parts.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('') }
  }

  it('is told of after the second time, before its answer', async () => {
    const user = await newUser(null)
    chat.model.use([fail(503), fail(503), say('Hello.')])
    expect(await listen(user, 'Hello')).toEqual({
      told: [
        {
          type: 'data-notice',
          data: { code: 'model_not_responding', text: 'The model isn’t responding; trying again …' },
          transient: true,
        },
      ],
      text: 'Hello.',
    })
  })

  it('is not told of after the first time', async () => {
    const user = await newUser(null)
    chat.model.use([fail(503), say('Hello.')])
    expect(await listen(user, 'Hello')).toEqual({ told: [], text: 'Hello.' })
  })
})

describe('a request', () => {
  it('that is too large, or no JSON, is refused in words, and nothing is stored', async () => {
    const user = await newUser(null)
    const mebibyte = 1024 * 1024
    const cases = [
      [{ message: 'Hello', padding: 'x'.repeat(9 * mebibyte) }, 413, 'body_too_large'],
      [{ message: 'x'.repeat(mebibyte + 1) }, 413, 'message_too_large'],
      ['{"message": "Hel', 400, 'invalid_json'],
      ['', 400, 'invalid_json'],
    ] as const
    for (const [body, status, code] of cases) {
      expect(await user.post(body)).toMatchObject({
        status,
        error: { code, message: expect.stringMatching(/\.$/) },
      })
    }
    expect((await user.get('/conversations')).body).toEqual({ conversations: [] })
  })

  it('of exactly 1 MiB of text is answered', async () => {
    const user = await newUser(null)
    chat.model.use([say('That was long.')])
    expect((await user.post({ message: 'x'.repeat(1024 * 1024) })).answer).toMatchObject({
      text: 'That was long.',
    })
  })

  it('with characters that PostgreSQL cannot store is answered, and recognised when it comes again', async () => {
    const user = await newUser(null)
    chat.model.use([say('Understood.')])
    const body = { id: 'odd', message: 'a\u0000b \ud83d c \u{1F600}', messageId: 'm-\u0000' }
    const { answer } = await user.post(body)
    expect(answer).toMatchObject({ status: 'completed', text: 'Understood.' })
    expect((await user.post(body)).answer.runId).toBe(answer.runId)
    expect(await storedTexts(user, 'odd')).toEqual(['a\uFFFDb \uFFFD c \u{1F600}', 'Understood.'])
  })

  it('by the unmodified supabase-js is answered, and its errors can be read', async () => {
    const user = await newUser(null)
    const client = createClient(chat.stack.url, chat.stack.keys.publishableKey, {
      accessToken: async () => user.token,
      realtime: { transport: WebSocket as never },
    })
    chat.model.use([say('Hello.')])
    const { data } = await client.functions.invoke('chat', { body: { message: 'Hi', id: 'invoked' } })
    expect(data).toMatchObject({ conversationId: 'invoked', status: 'completed', text: 'Hello.' })
    expect(
      (await client.functions.invoke('chat/conversations/invoked', { method: 'GET' })).data,
    ).toMatchObject({ id: 'invoked' })
    expect((await client.functions.invoke('chat/invoked/stop', { method: 'POST' })).data).toMatchObject({
      stopped: false,
    })
    const { error } = await client.functions.invoke('chat', { body: { message: '' } })
    expect(await error.context.json()).toMatchObject({ error: { code: 'empty_message' } })
  })
})

describe('a language model', () => {
  it('that is not configured is 503 without the names of settings, and the message is kept', async () => {
    const stack = await startStack({ env: { LLM_PROVIDER: 'none' } })
    try {
      const user = await signUp(stack)
      const reply = await user.post({ id: 'c', message: 'Hello' })
      expect(reply).toMatchObject({
        status: 503,
        error: { code: 'model_not_configured', message: expect.not.stringMatching(/[A-Z]_[A-Z]/) },
      })
      expect(await user.get('/conversations/c')).toMatchObject({
        body: { messages: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      })
    } finally {
      await stack.stop()
    }
  })

  it('whose server answers 500 every time is tried three times, and the run ends with a text', async () => {
    const user = await newUser()
    const seen = chat.model.requests.length
    chat.model.use(() => fail(500))
    const { status, answer } = await user.post({ id: 'c', message: 'Hello' })
    expect([status, answer.status]).toEqual([200, 'failed'])
    expect(answer.text).toMatch(/model/i)
    expect(chat.model.requests.length - seen).toBe(3)
    expect(await storedTexts(user, 'c')).toEqual(['Hello', answer.text])
  })

  it('whose server recovers in between is not noticed', async () => {
    const user = await newUser()
    chat.model.use([fail(500), fail(429, { headers: { 'retry-after': '0' } }), say('Hello.')])
    expect((await user.post({ message: 'Hello' })).answer).toMatchObject({
      status: 'completed',
      text: 'Hello.',
    })
  })

  it('that refuses the key is 502, and the same message goes on later', async () => {
    const user = await newUser()
    chat.model.use([fail(401), say('Hello.')])
    const body = { id: 'c', message: 'Hello', messageId: 'm-1' }
    const reply = await user.post(body)
    expect(reply).toMatchObject({
      status: 502,
      error: { code: 'model_unavailable', message: expect.stringMatching(/key/i) },
    })
    expect(await storedTexts(user, 'c')).toEqual(['Hello'])
    expect((await user.post(body)).answer).toMatchObject({ status: 'completed', text: 'Hello.' })
    expect(await storedTexts(user, 'c')).toEqual(['Hello', 'Hello.'])
  })

  it('that breaks down after a tool has run leaves an account of what was done', async () => {
    const user = await newUser()
    let calls = 0
    chat.model.use(() => (++calls === 1 ? callTool('smtp_send_email', mail) : fail(500)))
    const { status, answer } = await user.post({ message: ask })
    expect([status, answer.status]).toEqual([200, 'failed'])
    expect(answer.text).toMatch(/\nSent "Hi" to "ada@example\.com"\.$/)
    expect(answer.toolsUsed).toMatchObject([{ toolName: 'smtp_send_email', ok: true }])
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('whose server is gone is 503 at the first call, and the same message goes on when it is back', async () => {
    const port = await findQuietPort()
    const stack = await startStack({
      env: {
        LLM_PROVIDER: 'any',
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
        OPENAI_API_KEY: 'any',
        OPENAI_MODEL: 'scripted-model',
      },
    })
    try {
      const user = await signUp(stack)
      const body = { id: 'c', message: 'Hello', messageId: 'm-1' }
      expect(await user.post(body)).toMatchObject({ status: 503, error: { code: 'model_unavailable' } })
      const again = await startModelServer([say('Back again.')], { port })
      expect((await user.post(body)).answer).toMatchObject({ status: 'completed', text: 'Back again.' })
      await again.close()
    } finally {
      await stack.stop()
    }
  })
})

describe('a mail server', () => {
  it('that is not connected asks for a connection, and the waiting call goes on with it', async () => {
    const user = await newUser(null)
    chat.model.use([callTool('smtp_send_email', mail), say('Sent.')])
    const { answer } = await user.post({ id: 'c', message: ask })
    expect(answer).toMatchObject({
      status: 'needs_connection',
      pending: [
        {
          type: 'connection',
          toolName: 'smtp_send_email',
          question: 'Question: Connect a mail account first.',
        },
      ],
    })
    await connectSmtp(chat.stack, user.id)
    const requests = chat.model.requests.length
    const resumed = await user.post('', { path: '/c/resume' })
    expect(resumed.answer).toMatchObject({
      status: 'completed',
      text: 'Sent.',
      toolsUsed: [{ ok: true, input: mail }],
    })
    expect(chat.model.requests.length - requests).toBe(1)
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    // Asked once more, it is the same answer, and nothing runs again.
    expect((await user.post('', { path: '/c/resume' })).answer.runId).toBe(resumed.answer.runId)
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('that refuses the password asks for the connection again', async () => {
    const user = await newUser({ password: 'wrong' })
    chat.model.use([callTool('smtp_send_email', mail)])
    const { answer } = await user.post({ message: ask })
    expect(answer).toMatchObject({
      status: 'needs_connection',
      toolsUsed: [{ ok: false, error: { errorType: 'authentication_error' } }],
    })
    expect(JSON.stringify(answer)).not.toContain('wrong"')
  })

  it('that nobody runs any more is told honestly: nothing was sent', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const user = await newUser({ port })
    chat.model.use([
      callTool('smtp_send_email', mail),
      say('Your mail server does not answer; nothing was sent.'),
    ])
    const { answer } = await user.post({ message: ask })
    expect(answer).toMatchObject({
      status: 'completed',
      toolsUsed: [{ ok: false, error: { errorType: 'unavailable' } }],
    })
    const rows = await withDatabase(
      chat.stack,
      (sql) => sql`select status from askback.tool_executions where user_id = ${user.id}`,
    )
    expect(rows).toEqual([{ status: 'failed' }])
  })

  it('whose function is killed while it sends leaves one question, and nothing is sent twice', async () => {
    const large = { ...mail, body: 'Hello Ada. '.repeat(20_000) }
    const proxy = await startTcpProxy(chat.stack.smtp.port, { muteAfter: 100_000 })
    const user = await newUser({ port: proxy.port })
    chat.model.use([callTool('smtp_send_email', large), say('I leave it at that.')])
    const reply = user.post({ id: 'c', message: ask })
    await expect.poll(() => chat.stack.inbox.messages(), { timeout: 10_000 }).toHaveLength(1)
    process.kill(pidOf(chat.stack.pids(), 'smtp-api'), 'SIGKILL')
    const { answer } = await reply
    expect(answer).toMatchObject({
      status: 'needs_approval',
      pending: [{ type: 'approval', toolName: 'smtp_send_email' }],
    })
    expect(answer.text).toMatch(/may/i)
    const { answer: denied } = await user.post(decisionOn(answer.pending?.[0], 'deny'), {
      path: '/c/approval',
    })
    expect(denied.status).toBe('completed')
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    await proxy.close()
  })

  it('whose function hangs before it has begun is given up after 30 s, and the late call is refused', async () => {
    const user = await newUser()
    chat.model.use([
      callTool('smtp_send_email', mail),
      say('The mail function does not answer; nothing was sent.'),
    ])
    // Started, so that there is a process to hold.
    await fetch(`${chat.stack.url}/functions/v1/smtp-api`, { method: 'POST' })
    const pid = pidOf(chat.stack.pids(), 'smtp-api')
    process.kill(pid, 'SIGSTOP')
    try {
      const { answer } = await user.post({ message: ask })
      expect(answer).toMatchObject({
        status: 'completed',
        toolsUsed: [{ ok: false, error: { errorType: 'unavailable' } }],
      })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    // It takes the calls in order: when this one is answered, the late one has been.
    chat.model.use([callTool('smtp_send_email', { ...mail, subject: 'Later' }), say('Sent.')])
    await user.post({ message: ask })
    expect((await chat.stack.inbox.messages()).map(({ subject }) => subject)).toEqual(['Later'])
  })
})
