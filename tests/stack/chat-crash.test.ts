import { beforeEach, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { startChatApp } from '../../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatUser,
  connectSmtp,
  expireLeases,
  giveAgent,
  signUp,
  signUpWithMail,
  withDatabase,
} from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { startFunctionServer } from '../../support/function-server.ts'
import { gate } from '../../support/gate.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { useStarted } from '../../support/use-started.ts'

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'

/** Answers in order; the reply of that number is never given. */
function silentAt(chat: ChatStack, number: number, replies: ModelServerReply[]) {
  const seen = chat.model.requests.length
  chat.model.use((request) =>
    request.number - seen === number ? { hang: true } : (replies[request.number - seen - 1] ?? say('…')),
  )
  return chat.model.waitForRequest(seen + number)
}

const newUser = (chat: ChatStack) => signUpWithMail(chat.stack, 'never')

/** Whose mail server is not heard any more once it has a large mail. */
async function newUnheardUser(chat: ChatStack): Promise<{ user: ChatUser; proxy: TcpProxy }> {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'never')
  const proxy = await startTcpProxy(chat.stack.smtp.port, { muteAfter: 100_000 })
  await connectSmtp(chat.stack, user.id, { port: proxy.port })
  return { user, proxy }
}

const killFunction = (chat: ChatStack, name: string) =>
  process.kill(pidOf(chat.stack.pids(), name), 'SIGKILL')

describe('a process that is killed in the middle of a run', () => {
  const chat = useStarted(() => startChatStack())
  beforeEach(() => chat.stack.inbox.clear())

  it('loses no message: the same POST answers it', async () => {
    const user = await newUser(chat)
    const body = { id: 'c', message: 'Hello', messageId: 'm-1' }
    const arrived = silentAt(chat, 1, [])
    const first = user.post(body)
    await arrived
    killFunction(chat, 'chat')
    expect((await first).status).toBe(502)
    // A request that meets the end of the process gets a 502, too.
    const stored = async () => (await user.get('/conversations/c')).body
    await expect.poll(stored).toMatchObject({ messages: [{ id: 'm-1', role: 'user' }] })
    chat.model.use([say('Hello again.')])
    expect((await user.post(body)).answer).toMatchObject({ status: 'completed', text: 'Hello again.' })
  })

  it('sends no second mail: the model is shown what was done', async () => {
    const user = await newUser(chat)
    const body = { id: 'c', message: ask, messageId: 'm-1' }
    const arrived = silentAt(chat, 2, [callTool('smtp_send_email', mail)])
    const first = user.post(body)
    await arrived
    killFunction(chat, 'chat')
    await first
    expect(await chat.stack.inbox.messages()).toHaveLength(1)

    await expireLeases(chat.stack, user.id)
    const seen = chat.model.requests.length
    chat.model.use([callTool('smtp_send_email', mail), say('It is sent.')])
    const { answer } = await user.post(body)
    const messages = chat.model.requests[seen]?.body.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('is told of with what it has done, before anybody posts again', async () => {
    const user = await newUser(chat)
    const arrived = silentAt(chat, 2, [callTool('smtp_send_email', mail)])
    const first = user.post({ id: 'c', message: ask, messageId: 'm-1' })
    await arrived
    killFunction(chat, 'chat')
    await first
    await expireLeases(chat.stack, user.id)
    expect(await user.get('/conversations/c')).toMatchObject({
      body: {
        status: 'failed',
        pending: [],
        messages: [
          { role: 'user' },
          {
            role: 'assistant',
            parts: [
              { type: 'step-start' },
              { type: 'tool-smtp_send_email', state: 'output-available', input: mail },
              { type: 'data-call' },
              { type: 'step-start' },
              { type: 'text', text: 'This was interrupted before it was finished.' },
              { type: 'text', text: 'Sent "Hi" to "ada@example.com".' },
            ],
          },
        ],
      },
    })
  })

  it('is told of also when the mail went out by a form', async () => {
    const user = await newUser(chat)
    const { to, ...rest } = mail
    chat.model.use([callTool('smtp_send_email', rest), say('To whom?')])
    const { answer } = await user.post({ id: 'c', message: 'Say hello' })
    const arrived = silentAt(chat, 1, [])
    const body = { itemId: answer.pending?.[0]?.itemId, values: { to: ['ada@example.com'] } }
    const filled = user.post(body, { path: '/c/answer' })
    await arrived
    killFunction(chat, 'chat')
    await filled
    await expireLeases(chat.stack, user.id)
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    const { body: page } = await user.get('/conversations/c')
    expect(JSON.stringify(page)).toContain('Sent \\"Hi\\" to \\"ada@example.com\\".')
    expect(page).toMatchObject({ pending: [] })
    // And the model of the next turn reads it.
    chat.model.use([say('It is.')])
    const seen = chat.model.requests.length
    await user.post({ id: 'c', message: 'Is it sent?' })
    expect(JSON.stringify(chat.model.requests[seen]?.body.messages)).toContain('accepted')
  })

  it('sends no second mail when it died while the mail was on its way', async () => {
    const { user, proxy } = await newUnheardUser(chat)
    const large = { ...mail, body: 'Hello Ada. '.repeat(20_000) }
    const body = { id: 'c', message: ask, messageId: 'm-1' }
    chat.model.use([callTool('smtp_send_email', large)])
    const first = user.post(body)
    await expect.poll(() => chat.stack.inbox.messages()).toHaveLength(1)
    killFunction(chat, 'smtp-api')
    killFunction(chat, 'chat')
    await first

    await expireLeases(chat.stack, user.id)
    chat.model.use([callTool('smtp_send_email', large), say('Sent.')])
    const { answer } = await user.post(body)
    expect(answer.status).toBe('needs_approval')
    expect(answer.pending).toMatchObject([{ type: 'approval', toolName: 'smtp_send_email' }])
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    await proxy.close()
  })

  it.each([
    ['the run', { status: 'completed', text: 'It was sent once.' }],
    ['the page', { error: { code: 'already_decided' } }],
  ])(
    'sends no second mail on a yes to what %s asked after the first one turned out to be sent',
    async (asker, told) => {
      const { user, proxy } = await newUnheardUser(chat)
      const large = { ...mail, body: 'Hello Ada. '.repeat(20_000) }
      const body = { id: 'c', message: ask, messageId: 'm-1' }
      chat.model.use([callTool('smtp_send_email', large)])
      const first = user.post(body)
      await expect.poll(() => chat.stack.inbox.messages()).toHaveLength(1)
      killFunction(chat, 'chat')
      await first
      await expireLeases(chat.stack, user.id)
      chat.model.use(() => say('It was sent once.'))
      // A request that meets the end of the process gets a 502, and then no run asks.
      if (asker === 'the run') await expect.poll(async () => (await user.post(body)).status).toBe(200)
      const { items } = (await user.get('/open')).body as { items: PendingItem[] }
      expect(items).toMatchObject([{ reason: 'unknown' }])

      proxy.unmute()
      await expect
        .poll(() =>
          withDatabase(
            chat.stack,
            (sql) => sql`select status from askback.tool_executions where user_id = ${user.id}`,
          ),
        )
        .toEqual([{ status: 'succeeded' }])
      const approved = await user.post(decisionOn(items[0], 'approve'), { path: '/c/approval' })
      expect(approved.answer).toMatchObject(told)
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
      await proxy.close()
    },
  )

  describe('while a mail was on its way', () => {
    const large = { ...mail, body: 'Hello Ada. '.repeat(20_000) }
    const body = { id: 'c', message: ask, messageId: 'm-1' }

    /** The mail has gone out, and nobody has heard of it. `attempts`: the model's calls, of which the last one sends it. */
    async function crashInMail(
      attempts: ModelServerReply[] = [callTool('smtp_send_email', large)],
    ): Promise<ChatUser> {
      await chat.stack.inbox.clear()
      const { user, proxy } = await newUnheardUser(chat)
      chat.model.use(attempts)
      const first = user.post(body)
      await expect.poll(() => chat.stack.inbox.messages()).toHaveLength(1)
      killFunction(chat, 'smtp-api')
      killFunction(chat, 'chat')
      await first
      await expireLeases(chat.stack, user.id)
      await proxy.close()
      // What is sent from now on would arrive.
      await withDatabase(chat.stack, (sql) => sql`delete from askback.connections where user_id = ${user.id}`)
      await connectSmtp(chat.stack, user.id)
      return user
    }
    const unknown = {
      status: 'needs_approval',
      text: expect.stringMatching(/again/),
      pending: [{ type: 'approval', toolName: 'smtp_send_email' }],
    }

    it('asks without anybody posting, what, to whom and when, and once', async () => {
      const user = await crashInMail()
      const open = async () => ((await user.get('/open')).body as { items: PendingItem[] }).items
      const [item, ...more] = await open()
      expect(more).toEqual([])
      expect(item).toMatchObject({ type: 'approval', reason: 'unknown', toolName: 'smtp_send_email' })
      expect(item?.question).toMatch(/on \d+ \w+ at \d\d:\d\d.*"Hi" to "ada@example\.com"/)
      chat.model.use(() => say('All right.'))
      const denied = await user.post(decisionOn(item, 'deny'), { path: '/c/approval' })
      expect(denied.answer).toMatchObject({ status: 'completed', text: 'All right.' })
      expect(await open()).toEqual([])
      expect(await user.get('/conversations/c')).toMatchObject({ body: { pending: [] } })
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })

    it('is told of once, with what it was and to whom, though the model had corrected itself before', async () => {
      const { to, ...withoutAddress } = large
      const user = await crashInMail([
        callTool('smtp_send_email', withoutAddress),
        callTool('smtp_send_email', large),
      ])
      const { body: page } = await user.get('/conversations/c')
      const { messages } = page as { messages: { parts: { type: string; text?: string }[] }[] }
      const texts = messages.at(-1)?.parts.flatMap(({ type, text }) => (type === 'text' ? [text] : []))
      expect(texts).toEqual([
        'This was interrupted before it was finished.',
        'This may have been done, but no confirmation arrived: Send "Hi" to "ada@example.com".',
      ])
    })

    it('asks in words that name the action, the recipient and the account', async () => {
      const user = await crashInMail()
      const wanted = {
        asked: 'Send "Hi" to "ada@example.com" again?',
        hint: expect.stringMatching(
          /^This may have been sent on \d+ \w+ at \d\d:\d\d UTC, but no confirmation arrived\.$/,
        ),
        confirm: 'Send "Hi" to "ada@example.com" again?',
        account: 'sender@example.com',
      }
      // Worded by the page, while nobody has gone on with the chat, and by the run that goes on with it.
      expect(await user.get('/open')).toMatchObject({ body: { items: [wanted] } })
      chat.model.use([say('It is sent.')])
      const { answer } = await user.post(body)
      expect(answer.pending).toMatchObject([wanted])
    })

    it('asks before the model writes it again in other words', async () => {
      const user = await crashInMail()
      chat.model.use([callTool('smtp_send_email', { ...mail, body: 'Hello again, Ada.' }), say('Sent.')])
      expect((await user.post(body)).answer).toMatchObject(unknown)
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })

    it('asks before it goes on with a call that holds characters PostgreSQL cannot store', async () => {
      const odd = { ...large, subject: 'Hi \ud83d', body: `${large.body}\u0000` }
      const user = await crashInMail([callTool('smtp_send_email', odd)])
      chat.model.use([say('It is sent.')])
      expect((await user.post(body)).answer).toMatchObject(unknown)
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })

    const rewrite = () => {
      const reworded = { ...mail, body: 'Hello again, Ada.' }
      chat.model.use([callTool('smtp_send_email', reworded), say('Sent.'), say('Sent.')])
    }

    it('asks before the model writes it again in a later turn', async () => {
      const user = await crashInMail()
      rewrite()
      const { answer } = await user.post({ id: 'c', message: 'Good day', messageId: 'm-2' })
      expect(answer).toMatchObject(unknown)
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })

    const question = (text: string) => ({ id: 'm-1', role: 'user', parts: [{ type: 'text', text }] })
    const replacing: [string, object][] = [
      [
        'an edit',
        {
          id: 'c',
          trigger: 'submit-message',
          messageId: 'm-1',
          messages: [question('Say hello to ada@example.com!')],
        },
      ],
      ['another answer', { id: 'c', trigger: 'regenerate-message', messages: [question(ask)] }],
    ]

    it.each(replacing)('asks also after %s, whatever the model says or does', async (_, request) => {
      const user = await crashInMail()
      chat.model.use([say('It is sent.'), say('All right.')])
      const { answer } = await user.post(request)
      expect(answer).toMatchObject(unknown)
      const { toolCallId, approvalId } = answer.pending?.[0] ?? {}
      const denied = await user.post({ toolCallId, approvalId, decision: 'deny' }, { path: '/c/approval' })
      expect(denied.answer).toMatchObject({ status: 'completed', text: 'All right.' })
      rewrite()
      const again = { id: 'c', trigger: 'regenerate-message', messages: [question(ask)] }
      expect((await user.post(again)).answer).toMatchObject(unknown)
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })

    it('and another time after it asks as if it had died once', async () => {
      const user = await crashInMail()
      const next = { id: 'c', message: 'Good day', messageId: 'm-2' }
      const arrived = silentAt(chat, 1, [])
      const second = user.post(next)
      await arrived
      killFunction(chat, 'chat')
      await second
      await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
      await expireLeases(chat.stack, user.id)
      rewrite()
      expect((await user.post(next)).answer).toMatchObject(unknown)
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })

    it('asks the user, whatever the model says of it', async () => {
      const user = await crashInMail()
      chat.model.use([say('It is sent.')])
      expect((await user.post(body)).answer).toMatchObject(unknown)
    })

    it('keeps it in the history, and asks before the model writes it again, however long that has become', async () => {
      const user = await crashInMail()
      chat.model.use([say('It is sent.')])
      expect((await user.post(body)).answer).toMatchObject(unknown)
      chat.model.use(() => say('Noted.'))
      for (let number = 1; number <= 5; number++) {
        const message = `My notes, part ${number}: ${'lorem ipsum '.repeat(5_000)}`
        expect((await user.post({ id: 'c', message })).answer).toMatchObject({ status: 'completed' })
      }
      rewrite()
      const message = 'Did the mail to ada@example.com arrive?'
      const { answer } = await user.post({ id: 'c', message })
      expect(JSON.stringify(chat.model.requests.at(-1)?.body)).toContain('This may have been done')
      expect(answer).toMatchObject(unknown)
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })

    it('asks the user also when the next message is another one', async () => {
      const user = await crashInMail()
      chat.model.use([say('Good day.'), say('All right.'), say('Nothing is left.')])
      const { answer } = await user.post({ id: 'c', message: 'Good day', messageId: 'm-2' })
      expect(answer).toMatchObject(unknown)
      const { toolCallId, approvalId } = answer.pending?.[0] ?? {}
      const denied = await user.post({ toolCallId, approvalId, decision: 'deny' }, { path: '/c/approval' })
      expect(denied.answer).toMatchObject({ status: 'completed', text: 'All right.' })
      const later = await user.post({ id: 'c', message: 'Is anything open?' })
      expect(later.answer).toMatchObject({ status: 'completed', text: 'Nothing is left.' })
      expect(await user.get('/conversations/c')).toMatchObject({ body: { status: 'completed', pending: [] } })
      expect(await chat.stack.inbox.messages()).toHaveLength(1)
    })
  })

  it('that went on by the clock asks before the same mail goes out again', async () => {
    const functions = await startFunctionServer()
    functions.use({
      ok: false,
      error: 'Too many mails, wait a minute.',
      errorType: 'rate_limit_exceeded',
      resolver: 'time',
      retryAfterMs: 60_000,
      details: {},
    })
    const { user, proxy } = await newUnheardUser(chat)
    const large = { ...mail, body: 'Hello Ada. '.repeat(20_000) }
    chat.model.use([callTool('smtp_send_email', large)])
    const app = startChatApp(chat, { functionUrl: (route) => `${functions.url}/${route}` })
    const { answer } = await app.post({ id: 'c', message: ask }, { token: user.token })
    expect(answer.status).toBe('waiting')
    await functions.close()

    const headers = { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) }
    const wake = async () => {
      await withDatabase(chat.stack, async (sql) => {
        await sql`update askback.open_items set resume_at = now() where user_id = ${user.id} and kind = 'wait'`
        // What was woken is not due again for a while.
        await sql`update askback.woken_items set woken_at = now() - interval '1 minute' where user_id = ${user.id}`
      })
      return await user.post({}, { path: '/clock', headers })
    }
    expect((await wake()).answer).toEqual({ resumed: 1 })
    await expect.poll(() => chat.stack.inbox.messages()).toHaveLength(1)
    killFunction(chat, 'smtp-api')
    killFunction(chat, 'chat')
    await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
    await expireLeases(chat.stack, user.id)
    await proxy.close()

    chat.model.use([say('It is sent.')])
    await user.get('/conversations/c')
    expect((await wake()).answer).toEqual({ resumed: 1 })
    await expect
      .poll(() => user.get('/conversations/c'), { timeout: 10_000 })
      .toMatchObject({ body: { status: 'needs_approval', pending: [{ type: 'approval' }] } })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('that went on with an approved call leaves the approval open, and the call runs once', async () => {
    const user = await signUpWithMail(chat.stack, 'always')
    chat.model.use([callTool('smtp_send_email', mail)])
    const { answer } = await user.post({ id: 'c', message: ask })
    const approval = decisionOn(answer.pending?.[0], 'approve')
    const arrived = silentAt(chat, 1, [])
    const first = user.post(approval, { path: '/c/approval' })
    await arrived
    killFunction(chat, 'chat')
    await first
    await expireLeases(chat.stack, user.id)
    chat.model.use([say('It is sent.')])
    const second = await user.post(approval, { path: '/c/approval' })
    expect(second.answer).toMatchObject({
      status: 'completed',
      text: 'It is sent.',
      toolsUsed: [{ ok: true }],
    })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('that was the database is started again, and the run ends as if nothing had been', async () => {
    const user = await newUser(chat)
    const seen = chat.model.requests.length
    const { opened: released, open: release } = gate()
    chat.model.use(async ({ number }) => {
      if (number - seen === 1) return callTool('smtp_send_email', mail)
      await released
      return say('Sent.')
    })
    const running = user.post({ id: 'c', message: ask })
    await chat.model.waitForRequest(seen + 2)
    process.kill(pidOf(chat.stack.pids(), 'postgres'), 'SIGKILL')
    release()
    // Should it take longer than the function waits, the answer says so, and is stored later.
    const { answer } = await running
    expect(answer).toMatchObject({ text: expect.stringMatching(/^Sent\./), toolsUsed: [{ ok: true }] })
    await expect
      .poll(() => user.get('/conversations/c'), { timeout: 30_000 })
      .toMatchObject({ status: 200, body: { status: 'completed', messages: [{}, { role: 'assistant' }] } })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    const rows = await withDatabase(
      chat.stack,
      (sql) => sql`select status from askback.tool_executions where user_id = ${user.id}`,
    )
    expect(rows).toEqual([{ status: 'succeeded' }])
  })
})

describe('a database that stays away', () => {
  it('in the middle of a run: the answer says what is stored, and is stored when it is back', async () => {
    const chat = await startChatStack()
    const proxy = await startTcpProxy(Number(new URL(chat.stack.url).port))
    const app = startChatApp(chat, { url: `http://127.0.0.1:${proxy.port}` })
    const user = await newUser(chat)
    const post = (body: unknown) => app.post(body, { token: user.token })
    const { opened: released, open: release } = gate()
    chat.model.use(async ({ number }) => {
      if (number > 1) return say('I could not send it.')
      await released
      return callTool('smtp_send_email', mail)
    })
    const running = post({ id: 'c', message: ask, messageId: 'm-1' })
    await chat.model.waitForRequest(1)
    await proxy.takeDown()
    release()
    const { status, answer } = await running
    expect([status, answer.status]).toEqual([200, 'failed'])
    expect(answer.text).toMatch(/could not be stored.*Your message is stored/is)
    expect(answer.toolsUsed).toEqual([])
    expect(await post({ message: 'Another' })).toMatchObject({
      status: 503,
      answer: { error: { code: 'database_unavailable', message: expect.stringMatching(/not stored yet/) } },
    })
    expect(await user.get('/conversations/c')).toMatchObject({
      body: { messages: [{ id: 'm-1', role: 'user' }] },
    })

    await proxy.putUp()
    await expect
      .poll(() => user.get('/conversations/c'), { timeout: 10_000 })
      .toMatchObject({ body: { messages: [{ id: 'm-1' }, { role: 'assistant' }] } })
    expect(await chat.stack.inbox.messages()).toHaveLength(0)
    await proxy.close()
    await chat.stop()
  })
})
