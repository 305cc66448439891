import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatReply, type ChatUser, signUpWithMail } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { chatHeaders } from '../../support/open-webui.ts'
import { answered, asked, OpenAiPerson } from '../../support/openai-person.ts'
import { useStarted } from '../../support/use-started.ts'

// What a card waits for, and what becomes of it when the user asks for something more, over HTTP.

const chat = useStarted(() => startChatStack())

const invoice = { to: ['ada@example.com'], subject: 'Invoice 17', body: 'Please find it below.' }
const lunch = { to: ['ada@example.com'], subject: 'Lunch?', body: 'Lunch on Friday?' }
const bobs = { ...invoice, to: ['bob@example.com'] }
const stillWaiting = 'Still waiting: Send "Invoice 17" to "ada@example.com".'

const send = (mail: object) => callTool('smtp_send_email', mail)
const decide = (user: ChatUser, body: object) => user.post(body, { path: '/c/approval' })
const mails = async () => (await chat.stack.inbox.messages()).map(({ to, subject }) => [subject, ...to])
const pendingOf = (reply: ChatReply) => reply.answer.pending ?? []
const subjectsOf = (reply: ChatReply) =>
  pendingOf(reply).map(({ values }) => (values as { subject?: string }).subject)

/** A user in whose conversation `c` one mail after the other was asked for. */
async function openCards(...asks: [says: string, reply: ModelServerReply][]) {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'always')
  const replies: ChatReply[] = []
  for (const [message, reply] of asks) {
    chat.model.use([reply, say('Fine.')])
    replies.push(await user.post({ id: 'c', message }))
  }
  chat.model.use(() => say('Done.'))
  return { user, replies }
}

const twoMails = () =>
  openCards(
    ['Send invoice 17 to ada@example.com', send(invoice)],
    ['Also send her a second mail: lunch on Friday?', send(lunch)],
  )

test('a second mail to the same person leaves the first open, and its card says so', async () => {
  const { user, replies } = await twoMails()
  const [first, second] = replies
  expect(subjectsOf(second as ChatReply)).toEqual(['Lunch?', 'Invoice 17'])
  const [newer, older] = pendingOf(second as ChatReply)
  expect(older?.itemId).toBe(pendingOf(first as ChatReply)[0]?.itemId)
  expect(newer).toMatchObject({ hint: stillWaiting, stillWaiting: [{ code: 'still_waiting' }] })
  const listed = (await user.get('/open')).body as { items: object[] }
  expect(listed.items).toMatchObject([{ itemId: older?.itemId }, { hint: stillWaiting }])
  await decide(user, decisionOn(older, 'deny'))
  const rest = (await user.get('/open')).body as { items: object[] }
  expect(rest.items).toMatchObject([{ itemId: newer?.itemId }])
  expect(JSON.stringify(rest.items)).not.toContain('Still waiting')
})

test.each([
  ['the newer card first', [0, 1]],
  ['the older card first', [1, 0]],
] as const)('a yes to both sends two mails and asks nothing more, %s', async (_, order) => {
  const { user, replies } = await twoMails()
  const cards = pendingOf(replies.at(-1) as ChatReply)
  const sent: object[] = []
  for (const index of order) {
    const reply = await decide(user, decisionOn(cards[index], 'approve'))
    expect(reply.answer).toMatchObject({ status: 'completed' })
    sent.push([index === 0 ? 'Lunch?' : 'Invoice 17', 'ada@example.com'])
  }
  expect(await mails()).toEqual(sent)
  expect((await user.get('/open')).body).toEqual({ items: [] })
})

test('a yes to both at once sends two mails and asks nothing more', async () => {
  const { user, replies } = await twoMails()
  const cards = pendingOf(replies.at(-1) as ChatReply)
  const both = await Promise.all(cards.map((card) => decide(user, decisionOn(card, 'approve'))))
  for (const { error } of both.filter(({ answer }) => answer?.status !== 'completed'))
    expect(error?.code).toBe('still_running')
  // One that came while the other was working is pressed again.
  for (const card of cards) await decide(user, decisionOn(card, 'approve'))
  expect((await mails()).sort()).toEqual([
    ['Invoice 17', 'ada@example.com'],
    ['Lunch?', 'ada@example.com'],
  ])
  expect((await user.get('/open')).body).toEqual({ items: [] })
})

test('a yes to the second asks where it was edited into the first', async () => {
  const { user, replies } = await twoMails()
  const [newer, older] = pendingOf(replies.at(-1) as ChatReply)
  await decide(user, decisionOn(newer, 'approve', { input: invoice }))
  const asks = await decide(user, decisionOn(older, 'approve'))
  expect(pendingOf(asks)).toMatchObject([{ reason: 'repetition' }])
  expect(await mails()).toHaveLength(1)
})

test('a card that gave way to somebody else can be asked again, once, and leaves the newer one open', async () => {
  const { user, replies } = await openCards(
    ['Send invoice 17 to ada@example.com', send(invoice)],
    ['And to bob@example.com', send(bobs)],
  )
  const [first, second] = replies as [ChatReply, ChatReply]
  const [adas] = pendingOf(first)
  expect(pendingOf(second)).toMatchObject([{ values: bobs }])
  expect(pendingOf(second)).toHaveLength(1)
  const anew = await decide(user, decisionOn(adas, 'approve'))
  expect(anew.status).toBe(200)
  expect(await mails()).toEqual([])
  expect(pendingOf(anew).map(({ values }) => values)).toEqual(expect.arrayContaining([invoice, bobs]))
  expect(pendingOf(anew)).toHaveLength(2)
  const again = pendingOf(anew).find(({ toolCallId }) => toolCallId === adas?.toolCallId)
  for (const card of [again, pendingOf(second)[0]]) await decide(user, decisionOn(card, 'approve'))
  expect((await mails()).map(([, to]) => to)).toEqual(['ada@example.com', 'bob@example.com'])
  expect((await user.get('/open')).body).toEqual({ items: [] })
})

test('a card that a correction for the same person has replaced cannot be pressed any more', async () => {
  const { user, replies } = await openCards(
    ['Send invoice 17 to ada@example.com', send(invoice)],
    ['No, it is 480 euros', send({ ...invoice, body: 'It is 480 euros.' })],
  )
  const [first, second] = replies as [ChatReply, ChatReply]
  expect(pendingOf(second)).toHaveLength(1)
  const late = await decide(user, decisionOn(pendingOf(first)[0], 'approve'))
  expect(late.error?.code).toBe('already_decided')
  expect(await mails()).toEqual([])
})

test('an edited message takes its card with it, and the others stay', async () => {
  const { user, replies } = await twoMails()
  const dinner = { ...lunch, subject: 'Dinner?', body: 'Dinner on Friday?' }
  const { body } = await user.get('/conversations/c')
  const messages = (body as { messages: { id: string; role: string }[] }).messages
  const edited = messages.findLast(({ role }) => role === 'user')
  chat.model.use([send(dinner), say('Fine.')])
  const reply = await user.post({
    id: 'c',
    messageId: edited?.id,
    trigger: 'submit-message',
    message: { id: edited?.id, role: 'user', parts: [{ type: 'text', text: 'Ask her for dinner' }] },
  })
  expect(reply.status).toBe(200)
  const open = (await user.get('/open')).body as { items: { values: { subject: string }; hint?: string }[] }
  expect(open.items.map(({ values }) => values.subject)).toEqual(['Invoice 17', 'Dinner?'])
  expect(open.items[1]?.hint).toBe(stillWaiting)
  expect(replies).toHaveLength(2)
})

test('an OpenAI client reads what still waits', async () => {
  await chat.stack.inbox.clear()
  const person = await OpenAiPerson.arrive(chat)
  const conversation = randomUUID()
  const how = (message: string) => ({
    model: person.cautious,
    headers: chatHeaders(conversation, message),
  })
  const first = asked('Send invoice 17 to ada@example.com')
  chat.model.use([send(invoice)])
  const told = await person.ask([first], how('m1'))
  chat.model.use([send(lunch)])
  const history = [first, answered(told.content), asked('Also send her a second mail: lunch on Friday?')]
  const more = await person.ask(history, how('m2'))
  expect(more.content).toContain('Send "Lunch?" to "ada@example.com"?')
  expect(more.content.split(stillWaiting)).toHaveLength(2)
})
