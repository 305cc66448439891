import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { type ChatApp, startChatApp } from '../../support/chat-app.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatReply,
  type ChatUser,
  connectSmtp,
  giveAgent,
  signUp,
  signUpWithMail,
  withDatabase,
} from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { gate } from '../../support/gate.ts'
import { replyLate } from '../../support/late-reply.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { findQuietPort } from '../../support/quiet-port.ts'
import { pause, type SlowMailServer, startSlowMailServer } from '../../support/slow-mail-server.ts'
import { copyTemplate } from '../../support/template.ts'
import { useStarted } from '../../support/use-started.ts'

// Whatever a person presses, types or loses, and however often: one mail.

const chat = useStarted(() => startChatStack())
let other: ChatApp
beforeAll(async () => {
  other = startChatApp(chat)
})

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'
const call = callTool('smtp_send_email', mail)

async function newUser(approval: 'always' | 'never' = 'always'): Promise<ChatUser> {
  await chat.stack.inbox.clear()
  return await signUpWithMail(chat.stack, approval)
}

/** A user whose conversation `c` waits for the approval of a mail. */
async function asked(...then: ModelServerReply[]) {
  const user = await newUser()
  chat.model.use([call, ...then])
  const { answer } = await user.post({ id: 'c', message: ask, messageId: 'm-1' })
  expect(answer.status).toBe('needs_approval')
  const [item] = answer.pending ?? []
  const approve = (user: ChatUser) => decide(user, decisionOn(item, 'approve'))
  return { user, answer, item, approve }
}

const decide = (user: ChatUser, body: object) => user.post(body, { path: '/c/approval' })
const mails = () => chat.stack.inbox.messages()
const pendingOf = (reply: ChatReply) => (reply.answer.pending ?? []) as PendingItem[]

/** The next model request waits until it is released. */
const held = (replies: ModelServerReply[]) => replyLate(chat.model, replies)

describe('one mail, however it is answered twice:', () => {
  const { to: _, ...rest } = mail
  /** A form asks for the recipient. */
  async function form() {
    const user = await newUser('never')
    chat.model.use(Array(3).fill(callTool('smtp_send_email', rest)))
    const first = await user.post({ id: 'c', message: 'Send a mail that says hello' })
    expect(first.answer.status).toBe('needs_input')
    const [item] = pendingOf(first)
    const fill = () =>
      user.post({ itemId: item?.itemId, values: { to: ['ada@example.com'] } }, { path: '/c/answer' })
    return { user, item, fill }
  }

  it('in the chat what a form asks, and then in the form', async () => {
    const { user, fill } = await form()
    chat.model.use([call, say('Sent.')])
    const inChat = await user.post({ id: 'c', message: 'To ada@example.com' })
    expect(inChat.answer).toMatchObject({ status: 'completed', text: 'Sent.' })
    expect(inChat.answer.pending ?? []).toEqual([])
    expect(await fill()).toMatchObject({ status: 409, error: { code: 'already_decided' } })
    expect(await mails()).toHaveLength(1)
  })

  it('in the form while the chat answer is being worked on', async () => {
    const { user, fill } = await form()
    const { arrived, release } = held([call, say('Sent.'), say('Sent.'), say('Sent.')])
    const inChat = user.post({ id: 'c', message: 'To ada@example.com' })
    await arrived
    const inForm = fill()
    release()
    expect((await inChat).answer.status).toBe('completed')
    expect((await inForm).status).toBe(409)
    expect(await mails()).toHaveLength(1)
  })

  it('in the form first, and in the chat while it is being sent', async () => {
    const { user, fill } = await form()
    const { arrived, release } = held([say('Sent.'), call, say('It is sent already.')])
    const inForm = fill()
    await arrived
    const inChat = user.post({ id: 'c', message: 'To ada@example.com' })
    release()
    await inForm
    const { answer } = await inChat
    expect(answer.pending).toMatchObject([{ type: 'approval', reason: 'repetition' }])
    expect(await mails()).toHaveLength(1)
  })

  it('with "yes, send it please" in the chat, and then with the old button', async () => {
    const { user, answer, item } = await asked()
    chat.model.use([call])
    const inChat = await user.post({ id: 'c', message: 'yes, send it please' })
    const [again, ...more] = pendingOf(inChat)
    expect(inChat.answer.status).toBe('needs_approval')
    expect(more).toEqual([])
    expect(again?.approvalId).not.toBe(item?.approvalId)
    expect(await decide(user, decisionOn(item, 'approve'))).toMatchObject({
      status: 409,
      error: { code: 'already_decided' },
    })

    const parts = answer.message.parts.map((part) =>
      part.toolCallId === item?.toolCallId
        ? {
            ...part,
            state: 'approval-responded',
            approval: { id: item?.approvalId, approved: true },
          }
        : part,
    )
    const clicked = await user.post({
      id: 'c',
      trigger: 'submit-message',
      messageId: answer.message.id,
      messages: [{ ...answer.message, parts }],
    })
    expect(clicked.status).toBe(200)
    expect(JSON.stringify(clicked.answer.message.parts)).toContain('Asked again below.')
    expect(await mails()).toHaveLength(0)

    chat.model.use([say('It is sent.')])
    expect((await decide(user, decisionOn(again, 'approve'))).answer).toMatchObject({
      status: 'completed',
      text: 'It is sent.',
    })
    expect(await mails()).toHaveLength(1)
    expect((await user.get('/conversations/c')).body).toMatchObject({ pending: [] })
  })

  it('in two tabs that two processes serve', async () => {
    const { user, item, approve } = await asked(say('It is sent.'))
    const elsewhere = other.post(decisionOn(item, 'approve'), { token: user.token, path: '/c/approval' })
    const replies = await Promise.all([approve(user), elsewhere])
    for (const { status, answer } of replies) {
      expect(status).toBe(200)
      expect(answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    }
    expect(await mails()).toHaveLength(1)
  })

  it('by a double click', async () => {
    const { user, approve } = await asked(say('It is sent.'))
    const replies = await Promise.all([approve(user), approve(user), approve(user)])
    for (const { answer } of [...replies, await approve(user)]) {
      expect(answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    }
    expect(await mails()).toHaveLength(1)
  })

  it('by another answer of the model', async () => {
    const { user, approve } = await asked(say('It is sent.'))
    await approve(user)
    chat.model.use([call, say('Not again.')])
    const messages = [{ id: 'm-1', role: 'user', parts: [{ type: 'text', text: ask }] }]
    const again = await user.post({ id: 'c', trigger: 'regenerate-message', messages })
    expect(pendingOf(again)).toMatchObject([{ type: 'approval', reason: 'repetition' }])
    expect(pendingOf(again)[0]?.question).toMatch(/on \d+ \w+ at \d\d:\d\d.*"Hi" to "ada@example\.com"/)
    expect((await approve(user)).status).not.toBe(500)
    expect(await mails()).toHaveLength(1)
    await decide(user, decisionOn(pendingOf(again)[0], 'deny'))
    expect(await mails()).toHaveLength(1)
  })

  it('before and after another answer of the model: the older card is closed', async () => {
    const { user, approve, item } = await asked()
    chat.model.use([call])
    const messages = [{ id: 'm-1', role: 'user', parts: [{ type: 'text', text: ask }] }]
    const again = await user.post({ id: 'c', trigger: 'regenerate-message', messages })
    expect(pendingOf(again)).toHaveLength(1)
    expect(pendingOf(again)[0]?.approvalId).not.toBe(item?.approvalId)
    expect(await approve(user)).toMatchObject({ status: 409, error: { code: 'already_decided' } })
    chat.model.use([say('It is sent.')])
    await decide(user, decisionOn(pendingOf(again)[0], 'approve'))
    expect(await mails()).toHaveLength(1)
  })
})

describe('with a mail server of its own', () => {
  let server: SlowMailServer
  /** The mail server takes a mail once this is over. */
  let accepting: () => Promise<unknown> = async () => {}
  beforeAll(async () => {
    server = await startSlowMailServer(async (stage) => void (stage === 'message' && (await accepting())))
  })
  afterAll(() => server?.close())

  it('a client that times out and repeats its click sends one mail, however slow the mail server is', async () => {
    const own = await startChatStack()
    server.trustIn(own.stack)
    accepting = () => pause(25_000)
    const user = await signUp(own.stack)
    await giveAgent(own.stack, user.id, 'always')
    await server.connect(own.stack, user.id)
    own.model.use((request) => (request.number === 1 ? call : say('I do not know.')))
    const { answer } = await user.post({ id: 'c', message: ask })
    const approval = decisionOn(answer.pending?.[0], 'approve')
    const impatient = async () => {
      const response = await fetch(`${own.stack.url}/functions/v1/chat/c/approval`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(approval),
        signal: AbortSignal.timeout(3_000),
      }).catch(() => undefined)
      return response?.status
    }
    const statuses: (number | undefined)[] = []
    for (let times = 0; times < 10; times++) statuses.push(await impatient())
    expect(statuses).toContain(undefined)
    expect(server.mails).toHaveLength(1)

    // It never heard from the server: what it asks now is another question, which the old yes does not answer.
    const last = await decide(user, approval)
    expect(last.status).toBe(200)
    expect(server.mails).toHaveLength(1)
    const { body } = await user.get('/conversations/c')
    const { pending } = body as { pending: PendingItem[] }
    expect(pending).toMatchObject([{ type: 'approval', reason: 'unknown' }])
    expect(pending[0]?.approvalId).not.toBe(approval.approvalId)
    expect(pending[0]?.question).toMatch(/"Hi".*ada@example\.com/)
    await own.stop()
  }, 120_000)

  it('a yes whose run was to stop, and died, is told of with what it has done', async () => {
    const own = await startChatStack()
    server.trustIn(own.stack)
    const taken = gate()
    accepting = () => taken.opened
    const before = server.mails.length
    const user = await signUp(own.stack)
    await giveAgent(own.stack, user.id, 'always')
    await server.connect(own.stack, user.id)
    own.model.use([call])
    const { answer } = await user.post({ id: 'c', message: ask })
    const approval = decisionOn(answer.pending?.[0], 'approve')
    const lost = decide(user, approval)
    await expect.poll(() => server.mails.length, { timeout: 10_000 }).toBe(before + 1)
    await withDatabase(
      own.stack,
      (sql) => sql`update askback.runs set status = 'stopping' where status = 'running'`,
    )
    process.kill(pidOf(own.stack.pids(), 'chat'), 'SIGKILL')
    await lost
    taken.open()
    const written = () =>
      withDatabase(own.stack, async (sql) => [...(await sql`select status from askback.tool_executions`)])
    await expect.poll(written, { timeout: 10_000 }).toEqual([{ status: 'succeeded' }])
    await withDatabase(own.stack, (sql) => sql`update askback.runs set lease_expires_at = now()`)

    const again = await decide(user, approval)
    expect(again).toMatchObject({ status: 200, answer: { status: 'failed', toolsUsed: [{ ok: true }] } })
    expect(again.answer.text).toBe(
      'This was interrupted before it was finished.\nSent "Hi" to "ada@example.com".',
    )
    expect(server.mails).toHaveLength(before + 1)
    await own.stop()
  }, 60_000)

  it('a yes that outlives the stack is carried out once', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'askback-test-'))
    await copyTemplate(dataDirectory)
    const port = String(await findQuietPort())
    const first = await startChatStack({ ASKBACK_PORT: port }, { dataDirectory })
    server.trustIn(first.stack)
    accepting = async () => {}
    const before = server.mails.length
    const user = await signUp(first.stack)
    await giveAgent(first.stack, user.id, 'always')
    await server.connect(first.stack, user.id)
    first.model.use([call])
    const { answer } = await user.post({ id: 'c', message: ask })
    const approval = decisionOn(answer.pending?.[0], 'approve')
    first.model.use([{ hang: true }])
    const lost = decide(user, approval).catch(() => undefined)
    await first.model.waitForRequest(2)
    await first.stack.kill()
    await lost
    await first.model.close()

    const second = await startChatStack({ ASKBACK_PORT: port }, { dataDirectory })
    server.trustIn(second.stack)
    await withDatabase(second.stack, async (sql) => {
      await sql`update askback.runs set lease_expires_at = now() where lease_expires_at > now()`
    })
    second.model.use([say('It is sent.')])
    const again = await decide(user, approval)
    expect(again).toMatchObject({ status: 200, answer: { status: 'completed', text: 'It is sent.' } })
    expect((await decide(user, approval)).answer.text).toBe('It is sent.')
    expect(server.mails).toHaveLength(before + 1)
    await second.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }, 120_000)
})

describe('a decision', () => {
  it('names what it decides, and counts once', async () => {
    const { user, item } = await asked(say('All right.'))
    const { approvalId: _, ...nameless } = decisionOn(item, 'approve')
    expect(await decide(user, nameless)).toMatchObject({
      status: 400,
      error: { code: 'approval_id_missing', message: expect.stringContaining('"approvalId"') },
    })
    expect(await decide(user, { ...decisionOn(item, 'approve'), approvalId: 'never-was' })).toMatchObject({
      status: 404,
      error: { code: 'item_not_found' },
    })
    const denied = await decide(user, decisionOn(item, 'deny'))
    expect(denied).toMatchObject({ status: 200, answer: { status: 'completed', text: 'All right.' } })
    expect(await decide(user, decisionOn(item, 'approve'))).toMatchObject({
      status: 409,
      error: { code: 'already_decided' },
    })
    expect((await decide(user, decisionOn(item, 'deny'))).answer).toEqual(denied.answer)
    expect(await mails()).toHaveLength(0)
  })

  it('keeps why, for whoever reads the conversation later, and counts once whatever is said of why', async () => {
    const { user, item } = await asked(say('All right.'))
    const denied = await decide(user, decisionOn(item, 'deny', { reason: 'Not today.' }))
    const { body } = await user.get(`/conversations/${denied.answer.conversationId}?times=true`)
    expect((body as { decided: object[] }).decided).toMatchObject([
      { decision: 'deny', reason: 'Not today.' },
    ])
    const again = await decide(user, decisionOn(item, 'deny', { reason: 'Not ever.' }))
    expect(again.answer).toEqual(denied.answer)
  })

  it('on an approval that was open too long asks anew, and does not carry it out', async () => {
    const { user, item } = await asked()
    await withDatabase(chat.stack, async (sql) => {
      await sql`update askback.open_items set expires_at = now() - interval '1 second' where user_id = ${user.id}`
    })
    expect((await user.get('/open')).body).toEqual({ items: [] })
    const late = await decide(user, decisionOn(item, 'approve'))
    expect(late).toMatchObject({ status: 200, answer: { status: 'needs_approval' } })
    const [again, ...more] = pendingOf(late)
    expect(more).toEqual([])
    expect(again?.approvalId).not.toBe(item?.approvalId)
    expect(await mails()).toHaveLength(0)
    chat.model.use([say('It is sent.')])
    expect((await decide(user, decisionOn(again, 'approve'))).answer.status).toBe('completed')
    expect(await mails()).toHaveLength(1)
  })

  it('to skip a question lets the model go on without it, and the form is over', async () => {
    const user = await newUser('never')
    const { to: _, ...rest } = mail
    chat.model.use([...Array(3).fill(callTool('smtp_send_email', rest)), say('All right, no mail.')])
    const first = await user.post({ id: 'c', message: 'Send a mail that says hello' })
    const [item] = pendingOf(first)
    const skip = () => user.post({ itemId: item?.itemId }, { path: '/c/skip' })
    const skipped = await skip()
    expect(skipped).toMatchObject({
      status: 200,
      answer: { status: 'completed', text: 'All right, no mail.' },
    })
    expect((await skip()).answer).toEqual(skipped.answer)
    const filled = await user.post({ itemId: item?.itemId, values: { to: mail.to } }, { path: '/c/answer' })
    expect(filled).toMatchObject({ status: 409, error: { code: 'already_decided' } })
    expect(await mails()).toHaveLength(0)
  })

  it('to connect goes on with the card that it came from; another mail that waited asks first', async () => {
    await chat.stack.inbox.clear()
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'never')
    const toBob = { to: ['bob@example.com'], subject: 'Invoice', body: 'Dear Bob' }
    chat.model.use([
      callTools([
        ['smtp_send_email', mail],
        ['smtp_send_email', toBob],
      ]),
    ])
    const first = await user.post({ id: 'c', message: `${ask}, and the invoice to bob@example.com` })
    const cards = pendingOf(first)
    expect(cards.map(({ type }) => type)).toEqual(['connection', 'connection'])
    await connectSmtp(chat.stack, user.id)
    chat.model.use([say('Ada has it.'), say('Bob has it.')])
    const ofBob = cards.find(({ values }) => JSON.stringify(values).includes('bob@'))
    const connected = await user.post({ itemId: ofBob?.itemId }, { path: '/c/resume' })
    expect((await mails()).map(({ to }) => to)).toEqual([['bob@example.com']])
    const [left, ...more] = pendingOf(connected)
    expect(more).toEqual([])
    expect(left).toMatchObject({ type: 'approval', values: mail })
    await decide(user, decisionOn(left, 'approve'))
    expect((await mails()).map(({ to }) => to)).toEqual([['bob@example.com'], ['ada@example.com']])
  })

  it('is seen by another tab in the list of all that is open, within 2 s', async () => {
    const user = await newUser()
    chat.model.use([call, callTool('smtp_send_email', { ...mail, subject: 'Second' })])
    await user.post({ id: 'one', message: ask })
    const { answer } = await user.post({ id: 'two', message: ask })
    const open = async () =>
      ((await user.get('/open')).body as { items: (PendingItem & { conversationId: string })[] }).items
    expect((await open()).map(({ conversationId, type }) => [conversationId, type])).toEqual([
      ['one', 'approval'],
      ['two', 'approval'],
    ])
    expect((await user.get('/conversations')).body).toMatchObject({
      conversations: [
        { id: 'two', open: { count: 1, kinds: ['approval'] } },
        { id: 'one', open: { count: 1, kinds: ['approval'] } },
      ],
    })
    const { arrived, release } = held([say('It is sent.')])
    const decided = user.post(decisionOn(answer.pending?.[0], 'approve'), { path: '/two/approval' })
    await arrived
    // Also while the run that carries it out still works.
    await expect
      .poll(async () => (await open()).map(({ conversationId }) => conversationId), { timeout: 2_000 })
      .toEqual(['one'])
    release()
    await decided
    expect(await mails()).toMatchObject([{ subject: 'Second' }])
  })
})
