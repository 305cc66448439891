import { expect, test } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatReply, type ChatUser, signUpWithMail } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

// A call that lacks a value and needs approval asks for both at once, over HTTP.

const chat = useStarted(() => startChatStack())

const rest = { subject: 'Hi', body: 'Hello Ada' }
const values = { to: ['ada@example.com'] }

/** A user whose conversation `c` waits for a recipient and for an approval. */
async function asked(...then: ReturnType<typeof say>[]) {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([callTool('smtp_send_email', rest), say('To whom?'), ...then])
  const { answer } = await user.post({ id: 'c', message: 'Send a mail that says hello' })
  expect(answer).toMatchObject({ status: 'needs_input', pending: [{ type: 'input' }] })
  const [item] = answer.pending ?? []
  return { user, item }
}

const decide = (user: ChatUser, body: object) => user.post(body, { path: '/c/approval' })
const mails = () => chat.stack.inbox.messages()
const pendingOf = (reply: ChatReply) => reply.answer.pending ?? []

test('the item shows the call, the open fields and what will be done', async () => {
  const { user, item } = await asked()
  expect(item).toMatchObject({
    approvalId: item?.itemId,
    code: 'value_missing',
    why: { code: 'approve' },
    reason: 'consent',
    confirm: 'Send "Hi" to "…"?',
    button: 'Send email',
    account: expect.stringContaining('@'),
    values: rest,
    schema: { required: ['to'] },
    expiresAt: expect.any(String),
  })
  expect((await user.get('/open')).body).toMatchObject({ items: [{ ...item, conversationId: 'c' }] })
})

test('one decision fills in and approves, and twice is once', async () => {
  const { user, item } = await asked(say('Sent.'))
  const approval = decisionOn(item, 'approve', { values })
  const replies = await Promise.all([decide(user, approval), decide(user, approval)])
  expect(replies.map(({ answer }) => [answer.status, answer.text])).toEqual(
    Array(2).fill(['completed', 'Sent.']),
  )
  expect((await decide(user, decisionOn(item, 'deny'))).error?.code).toBe('already_decided')
  expect(await mails()).toMatchObject([{ subject: 'Hi', to: values.to }])
})

test('an old client that answers with values only is asked to approve', async () => {
  const { user, item } = await asked(say('Sent.'))
  const filled = await user.post({ itemId: item?.itemId, values }, { path: '/c/answer' })
  const [approval] = pendingOf(filled)
  expect(approval).toMatchObject({ type: 'approval', values: { ...values, ...rest } })
  expect(await mails()).toEqual([])
  expect((await decide(user, decisionOn(approval, 'approve'))).answer.status).toBe('completed')
  expect(await mails()).toHaveLength(1)
})

test('it is denied without being filled in, with a reason that the model reads', async () => {
  const { user, item } = await asked(say('All right.'))
  const { answer } = await decide(user, decisionOn(item, 'deny', { reason: 'Too early.' }))
  expect(answer).toMatchObject({ status: 'completed', text: 'All right.' })
  expect(JSON.stringify(chat.model.requests.at(-1)?.body.messages)).toContain('Too early.')
  expect(await mails()).toEqual([])
})

test('a yes without the values asks again', async () => {
  const { user, item } = await asked()
  const again = await decide(user, decisionOn(item, 'approve'))
  expect(pendingOf(again)).toMatchObject([{ type: 'input', reason: 'consent' }])
  expect(await mails()).toEqual([])
})

test('other values can be changed with it, and the message says so', async () => {
  const { user, item } = await asked(say('Sent.'))
  const input = { ...rest, subject: 'Hello' }
  const { answer } = await decide(user, decisionOn(item, 'approve', { values, input }))
  expect(await mails()).toMatchObject([{ subject: 'Hello', to: values.to }])
  expect(answer.message.parts).toContainEqual(
    expect.objectContaining({
      type: 'data-call',
      data: expect.objectContaining({ edited: [{ name: 'subject', before: 'Hi' }] }),
    }),
  )
})

test('in the stream of the AI SDK it is a question with what will be done, and no approval of a part', async () => {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([callTool('smtp_send_email', rest), say('To whom?')])
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Send a mail' }] }
  const response = await fetch(`${chat.stack.url}/functions/v1/chat`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${user.token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ id: 'c', messages: [message] }),
  })
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
  const parts: { type: string }[] = lines.map((line) => JSON.parse(line.slice('data: '.length)))
  expect(parts.find(({ type }) => type === 'data-question')).toMatchObject({
    data: { type: 'needs_input', confirm: 'Send "Hi" to "…"?', approvalId: expect.any(String) },
  })
  expect(parts.some(({ type }) => type === 'tool-approval-request')).toBe(false)
})
