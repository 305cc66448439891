import { describe, expect, it } from 'vitest'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { gate } from '../../support/gate.ts'
import { consent } from '../../support/google-oauth-server.ts'
import { callTools, type ModelScript, say } from '../../support/model-server.ts'
import { newClient } from '../../support/openai-person.ts'
import { isTestAll } from '../../support/test-all.ts'
import { useStarted } from '../../support/use-started.ts'

// An answer lacks three accounts: what is decided about one leaves the cards of the others as they are.

const chat = useStarted(() => startChatStack({ ASKBACK_SIMULATE: 'google,search' }))

const question = 'Search for tea, and send what you find to ada@simulated.example and to bob@example.com'
const calls = {
  gmail_send_email: { to: ['ada@simulated.example'], subject: 'Tea', body: 'It is good.' },
  web_search: { query: 'tea' },
  smtp_send_email: { to: ['bob@example.com'], subject: 'Tea', body: 'It is good.' },
}
type Name = keyof typeof calls
const names = Object.keys(calls) as Name[]

/** Makes these calls for each message that asks for it, and has one word for all others. */
const once =
  (...asked: [string, object][]): ModelScript =>
  ({ body }) => {
    const last = body.messages.at(-1)
    const isAsked = last?.role === 'user' && String(last.content).includes(question)
    return isAsked ? callTools(asked) : say('Done.')
  }

interface Item extends PendingItem {
  conversationId: string
}

/** Somebody without any account, whose chat `c` waits for three. */
async function newcomer(approval: 'always' | 'never' = 'always') {
  await chat.stack.inbox.clear()
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, approval)
  return user
}

async function askForThree(user: ChatUser) {
  chat.model.use(once(...Object.entries(calls)))
  const { answer } = await user.post({ id: 'c', message: question })
  expect(answer.status).toBe('needs_connection')
  expect(answer.pending?.map(({ toolName, type }) => [toolName, type])).toEqual(
    names.map((name) => [name, 'connection']),
  )
}

async function openOf(user: ChatUser): Promise<Item[]> {
  return ((await user.get('/open')).body as { items: Item[] }).items
}

const find = async (user: ChatUser, name: string) =>
  (await openOf(user)).find(({ toolName }) => toolName === name)
const idsOf = (items: PendingItem[] = []) => items.map(({ itemId }) => itemId).sort()
const without = (items: Item[], name: string) => items.filter(({ toolName }) => toolName !== name)

async function settings(user: ChatUser, path: string, body: object) {
  const response = await fetch(`${chat.stack.url}/functions/v1/integration-settings${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = await response.json()
  expect([json, response.ok]).toEqual([json, true])
  return json
}

/** Connects the account that a tool lacks, as its user does it in the settings. */
async function connect(user: ChatUser, name: Name) {
  if (name === 'web_search')
    return await settings(user, '/connections', { provider: 'brave', values: { api_key: 'any' } })
  if (name === 'smtp_send_email') {
    const { host, port, user: login, password } = chat.stack.smtp
    const values = { host, port, user: login, password, from: 'ada@example.com' }
    return await settings(user, '/connections', { provider: 'smtp', values })
  }
  const returnTo = `${chat.stack.url}/settings/integrations`
  const begun = await settings(user, '/oauth/start', { provider: 'gmail', tools: [name], returnTo })
  const back = await fetch(await consent(begun.url, { account: 'ada@simulated.example' }), {
    redirect: 'manual',
  })
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code')
  return await settings(user, '/oauth/complete', { code })
}

/** What has become of a card: its kind, or nothing. */
const becomes = (user: ChatUser, name: Name, type: string | undefined) =>
  expect.poll(async () => (await find(user, name))?.type, { timeout: 20_000 }).toBe(type)

/** Connects it, and waits until its card has gone on. */
async function connectAndWait(user: ChatUser, name: Name, approval = true) {
  await connect(user, name)
  await becomes(user, name, name === 'web_search' || !approval ? undefined : 'approval')
}

const skip = (user: ChatUser, item: Item | undefined) =>
  user.post({ itemId: item?.itemId }, { path: `/${item?.conversationId}/skip` })
const decide = (user: ChatUser, item: Item | undefined, decision: 'approve' | 'deny') =>
  user.post(decisionOn(item, decision), { path: `/${item?.conversationId}/approval` })

const [a, b, c] = ['gmail_send_email', 'web_search', 'smtp_send_email'] as const
const orders = [
  [a, b, c],
  [c, b, a],
  [b, c, a],
  [a, c, b],
  [b, a, c],
  [c, a, b],
].slice(0, isTestAll ? 6 : 2)

describe('with three missing accounts', () => {
  for (const order of orders) {
    it(`each is connected, and its call goes on alone: ${order.join(', ')}`, async () => {
      const user = await newcomer()
      await askForThree(user)
      for (const name of order) {
        const before = without(await openOf(user), name)
        await connectAndWait(user, name)
        expect(without(await openOf(user), name)).toEqual(before)
        const item = await find(user, name)
        if (item) await decide(user, item, name === 'smtp_send_email' ? 'approve' : 'deny')
        expect(await openOf(user)).toEqual(before)
      }
      expect((await chat.stack.inbox.messages()).map(({ to }) => to)).toEqual([['bob@example.com']])
      expect((await user.get('/conversations/c')).body).toMatchObject({ status: 'completed' })
    })

    it(`each is skipped with the id that was shown first: ${order.join(', ')}`, async () => {
      const user = await newcomer()
      await askForThree(user)
      const shown = await openOf(user)
      const [first, ...others] = order
      await connectAndWait(user, first ?? a)
      for (const name of others) {
        const before = without(await openOf(user), name)
        const reply = await skip(
          user,
          shown.find(({ toolName }) => toolName === name),
        )
        expect(reply.status).toBe(200)
        expect(await openOf(user)).toEqual(before)
      }
    })
  }

  it('goes on with each of two that are connected at the same moment', async () => {
    const user = await newcomer('never')
    await askForThree(user)
    const last = await find(user, 'web_search')
    await Promise.all([connect(user, 'gmail_send_email'), connect(user, 'smtp_send_email')])
    await becomes(user, 'gmail_send_email', undefined)
    await becomes(user, 'smtp_send_email', undefined)
    // A card is gone when its call goes on, which is before the mail has arrived.
    await expect.poll(() => chat.stack.inbox.messages(), { timeout: 20_000 }).toHaveLength(1)
    expect(await openOf(user)).toEqual([last])
  })

  it('keeps a card for which somebody says that it is connected, though it is not', async () => {
    const user = await newcomer()
    await askForThree(user)
    const before = await openOf(user)
    for (const { itemId } of before) {
      const { status, answer } = await user.post({ itemId }, { path: '/c/resume' })
      expect([status, answer.status]).toEqual([200, 'needs_connection'])
      expect(idsOf(answer.pending)).toEqual(idsOf(before))
    }
    expect(await openOf(user)).toEqual(before)
    const page = (await user.get('/conversations/c')).body as { pending: Item[] }
    expect(idsOf(page.pending)).toEqual(idsOf(before))
    expect((await skip(user, before[0])).status).toBe(200)
    expect(await openOf(user)).toEqual(before.slice(1))
  })

  it('waits with what was connected until the chat has answered another message', async () => {
    const user = await newcomer()
    await askForThree(user)
    const before = await openOf(user)
    const { opened, open } = gate()
    chat.model.use(async () => {
      await opened
      return say('It is late.')
    })
    const started = chat.model.waitForRequest(chat.model.requests.length + 1)
    const other = user.post({ id: 'c', message: 'What time is it?' })
    await started
    await connect(user, 'smtp_send_email')
    expect(await openOf(user)).toEqual(before)
    open()
    expect((await other).answer.text).toBe('It is late.')
    await becomes(user, 'smtp_send_email', 'approval')
    expect(without(await openOf(user), 'smtp_send_email')).toEqual(without(before, 'smtp_send_email'))
  })
})

describe('over the protocol of OpenAI', () => {
  it('names all that is missing at once, and each goes on alone', async () => {
    const user = await newcomer()
    const agent = await giveAgent(chat.stack, user.id, 'always')
    const client = await newClient(chat, user)
    chat.model.use(once(...Object.entries(calls)))
    const reply = await client.chat.completions.create({
      model: agent,
      messages: [{ role: 'user', content: question }],
    })
    const content = reply.choices[0]?.message.content ?? ''
    for (const name of ['Gmail', 'mail account', 'Serper']) expect(content).toContain(name)
    expect((await openOf(user)).map(({ type }) => type)).toEqual(Array(3).fill('connection'))
    for (const name of names) {
      const before = without(await openOf(user), name)
      await connectAndWait(user, name)
      expect(without(await openOf(user), name)).toEqual(before)
    }
    for (const item of await openOf(user)) {
      const before = (await openOf(user)).filter(({ itemId }) => itemId !== item.itemId)
      expect((await decide(user, item, 'approve')).status).toBe(200)
      expect(await openOf(user)).toEqual(before)
    }
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('leaves the others as they are when a form is answered', async () => {
    const user = await newcomer()
    const agent = await giveAgent(chat.stack, user.id, 'always')
    const client = await newClient(chat, user)
    const { to: _, ...rest } = calls.smtp_send_email
    const to = ['eve@example.com']
    chat.model.use(once(['gmail_send_email', calls.gmail_send_email], ['smtp_send_email', { ...rest, to }]))
    await client.chat.completions.create({ model: agent, messages: [{ role: 'user', content: question }] })
    const form = (await openOf(user)).find(({ type }) => type === 'input')
    const before = (await openOf(user)).filter(({ type }) => type !== 'input')
    expect(before.map(({ type }) => type)).toEqual(['connection'])
    const values = { to: ['bob@example.com'] }
    const path = `/${form?.conversationId}/answer`
    expect((await user.post({ itemId: form?.itemId, values }, { path })).status).toBe(200)
    const after = await openOf(user)
    expect(after.map(({ type }) => type)).toEqual(['connection', 'connection'])
    expect(after.filter(({ toolName }) => toolName === 'gmail_send_email')).toEqual(before)
  })
})
