import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PendingItem } from '../../supabase/functions/chat/answer/open-item.ts'
import { type ChatApp, startChatApp } from '../../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatUser,
  connectSmtp,
  expireLeases,
  giveAgent,
  signUp,
  withDatabase,
} from '../../support/chat-user.ts'
import { connectGmail } from '../../support/connect-google.ts'
import { decisionOn } from '../../support/decision.ts'
import { tellsUnread, waitForDelivery } from '../../support/frozen-delivery.ts'
import { gate } from '../../support/gate.ts'
import { type GmailServer, gmailScopes, startGmailServer } from '../../support/gmail-server.ts'
import { callTool, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { pause } from '../../support/slow-mail-server.ts'
import { some } from '../../support/test-all.ts'

// A process that stands still keeps its connections and its memory: when it goes on, another one may have done its work.

let chat: ChatStack
let gmail: GmailServer
const account = 'ada@gmail.com'
let other: ChatApp
let user: ChatUser
let agents: { always: string; never: string }
const frozen = new Set<number>()

beforeAll(async () => {
  gmail = await startGmailServer()
  chat = await startChatStack({ GMAIL_API_BASE_URL: gmail.url })
  await withDatabase(chat.stack, (sql) =>
    sql.unsafe(`
      create table public.tickets (title text);
      alter table public.tickets enable row level security;
      create function public.open_ticket(title text) returns void language sql security definer set search_path = '' as
        $$ insert into public.tickets values ($1) $$;
      select askback.offer_function('open_ticket', approval => 'never', allow_definer => true)`),
  )
  other = startChatApp(chat)
  user = await signUp(chat.stack)
  agents = {
    always: await giveAgent(chat.stack, user.id, 'always'),
    never: await giveAgent(chat.stack, user.id, 'never'),
  }
  await connectSmtp(chat.stack, user.id)
  await connectGmail(chat.stack, user.id, gmail, { email: account, scopes: [gmailScopes.compose] })
})
afterEach(() => frozen.forEach(goOn))
afterAll(async () => {
  await chat?.stop()
  await gmail?.close()
})

function freeze(name = 'chat'): () => void {
  const pid = pidOf(chat.stack.pids(), name)
  process.kill(pid, 'SIGSTOP')
  frozen.add(pid)
  return () => goOn(pid)
}

function goOn(pid: number): void {
  if (frozen.delete(pid)) process.kill(pid, 'SIGCONT')
}

/** A conversation about a mail to somebody whom no other one writes to. */
function begin(approval: 'always' | 'never' = 'never') {
  const to = `${randomUUID()}@example.com`
  const id = randomUUID()
  return {
    id,
    to,
    call: callTool('smtp_send_email', { to: [to], subject: 'Hi', body: 'Hello' }),
    body: { id, agentId: agents[approval], message: `Say hello to ${to}`, messageId: 'm-1' },
    mails: async () =>
      (await chat.stack.inbox.messages()).filter((mail) => JSON.stringify(mail).includes(to)).length,
    status: async () => {
      const [row] = await withDatabase(
        chat.stack,
        (sql) => sql`
          select status from askback.runs where conversation_id = ${id} order by started_at desc limit 1`,
      )
      return row?.status
    },
    page: async () => JSON.stringify((await user.get(`/conversations/${id}`)).body),
    pending: async () =>
      ((await user.get(`/conversations/${id}`)).body as { pending: PendingItem[] }).pending,
  }
}

/** The model's first answer never comes; another process that asks gets these. */
function modelIsSilentOnce(...replies: ReturnType<typeof say>[]) {
  const seen = chat.model.requests.length
  chat.model.use(({ number }) =>
    number - seen === 1 ? { hang: true } : (replies[number - seen - 2] ?? say('…')),
  )
  return chat.model.waitForRequest(seen + 1)
}

const falseWords = /Nothing (more )?was carried out|Stopped|may have been/

const headers = () => ({ authorization: `Bearer ${user.token}`, 'content-type': 'application/json' })

/** How clients ask, and what they end up with. */
const clients: [name: string, ask: (one: ReturnType<typeof begin>, ui: object) => Promise<string>][] = [
  ['that waits for JSON', async ({ body }) => JSON.stringify((await user.post(body)).answer)],
  [
    'of the AI SDK',
    async (_, ui) => {
      const url = `${chat.stack.url}/functions/v1/chat`
      return (await fetch(url, { method: 'POST', headers: headers(), body: JSON.stringify(ui) })).text()
    },
  ],
  ...[false, true].map((stream): (typeof clients)[number] => [
    `of the OpenAI protocol that ${stream ? 'reads a stream' : 'waits for all'}`,
    async ({ to }) => {
      const url = `${chat.stack.url}/functions/v1/chat/v1/chat/completions`
      const body = JSON.stringify({ ...completion(to), stream })
      return (await fetch(url, { method: 'POST', headers: headers(), body })).text()
    },
  ]),
]
const completion = (to: string) => ({
  model: agents.never,
  messages: [{ role: 'user', content: `Say hello to ${to}` }],
})

describe.each(clients)(
  'a client %s, whose process stood still while another one had its run',
  (name, ask) => {
    const isOpenAi = name.includes('OpenAI')
    const elsewhere = (one: ReturnType<typeof begin>, ui: object) =>
      other.fetch(
        new Request(`http://localhost/chat${isOpenAi ? '/v1/chat/completions' : ''}`, {
          method: 'POST',
          headers: { ...headers(), ...(name.includes('JSON') ? { accept: 'application/json' } : {}) },
          body: JSON.stringify(isOpenAi ? completion(one.to) : name.includes('JSON') ? one.body : ui),
        }),
      )

    it.each(['has ended it', 'is still at work'])('is told what came of it when that %s', async (when) => {
      const one = begin()
      const ui = {
        id: one.id,
        agentId: agents.never,
        trigger: 'submit-message',
        messages: [{ id: 'm-1', role: 'user', parts: [{ type: 'text', text: one.body.message }] }],
      }
      const { opened, open } = gate()
      const seen = chat.model.requests.length
      chat.model.use(async ({ number }) => {
        if (number - seen === 1) return { hang: true }
        if (number - seen === 2) return one.call
        await opened
        return say('It is sent.')
      })
      const answer = ask(one, ui)
      await chat.model.waitForRequest(seen + 1)
      const release = freeze()
      await expireLeases(chat.stack, user.id)
      const taken = Promise.resolve(elsewhere(one, ui)).then((response) => response.text())
      await expect.poll(one.mails).toBe(1)
      if (when === 'is still at work') {
        release()
        // The frozen process hears that it has lost its run, and asks what becomes of it.
        await expect.poll(() => chat.stack.output()).toContain('run-lost')
      }
      open()
      await taken
      release()
      const told = await answer
      expect(told).toContain('It is sent.')
      expect(told).not.toMatch(falseWords)
      expect(await one.mails()).toBe(1)
      expect(await one.page()).not.toMatch(falseWords)
    })
  },
)

describe('a process that stood still for longer than its lease', () => {
  it('goes on with its run, if nobody has begun another one', async () => {
    const one = begin()
    const { opened, open } = gate()
    const seen = chat.model.requests.length
    chat.model.use(async ({ number }) => {
      if (number - seen === 1) await opened
      return number - seen === 1 ? one.call : say('It is sent.')
    })
    const answer = user.post(one.body)
    await chat.model.waitForRequest(seen + 1)
    const release = freeze()
    await expireLeases(chat.stack, user.id)
    expect((await other.get(`/conversations/${one.id}`, user.token)).status).toBe(200)
    await withDatabase(chat.stack, (sql) => sql`select askback_private.due_runs(20)`)
    expect(await one.status()).toBe('interrupted')
    open()
    release()
    expect((await answer).answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    expect(await one.mails()).toBe(1)
  })

  it('does nothing more, and says that it was stopped, if its user has stopped it', async () => {
    const one = begin()
    const arrived = modelIsSilentOnce()
    const answer = user.post(one.body)
    await arrived
    const release = freeze()
    await expireLeases(chat.stack, user.id)
    await withDatabase(chat.stack, (sql) => sql`select askback_private.due_runs(20)`)
    const stopped = await other.post({}, { token: user.token, path: `/${one.id}/stop` })
    expect(stopped).toMatchObject({ status: 200, answer: { stopped: true } })
    release()
    expect((await answer).answer).toMatchObject({
      status: 'failed',
      text: 'Stopped.\nNothing was carried out.',
    })
    expect(await one.mails()).toBe(0)
  })
})

describe('a press whose process stands still', () => {
  it('is carried out by another one, once, and its client is told so', async () => {
    const one = begin('always')
    const path = `/${one.id}/approval`
    chat.model.use([one.call])
    await user.post(one.body)
    const [item] = await one.pending()
    const { opened, open } = gate()
    const seen = chat.model.requests.length
    chat.model.use(async ({ number }) => {
      if (number - seen === 1) await opened
      return say('It is sent.')
    })
    const answer = user.post(decisionOn(item, 'approve'), { path })
    await chat.model.waitForRequest(seen + 1)
    const release = freeze()
    await expireLeases(chat.stack, user.id)
    open()
    const again = await other.post(decisionOn(item, 'approve'), { token: user.token, path })
    expect(again.answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    release()
    expect((await answer).answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    expect(await one.mails()).toBe(1)
    expect(await one.page()).not.toMatch(falseWords)
  })
})

/** Longer than a heartbeat, than a run's lease, than a claim's. */
describe.each(some([3, 8, 16, 42], 1))(
  'a press whose process stands still for %i s',
  (seconds) => {
    /** What has been done of a yes by then. */
    const moments = [
      'is on its way',
      'has claimed the mail, and its function has not taken it',
      'is being sent',
    ]

    it.each(moments)('is told of truly, and sends one mail, when it %s', async (moment) => {
      const one = begin('always')
      const path = `/${one.id}/approval`
      chat.model.use(({ body }) =>
        body.messages.some(({ role }) => role === 'tool') ? say('It is sent.') : one.call,
      )
      await user.post(one.body)
      const [item] = await one.pending()
      // Its process has to be there to stand still.
      const api = `${chat.stack.url}/functions/v1/smtp-api`
      await fetch(api, { method: 'POST', headers: headers(), body: '{}' })
      const letFunctionGo = moment === 'is on its way' ? undefined : freeze('smtp-api')
      const answer = user.post(decisionOn(item, 'approve'), { path })
      const claims = () =>
        withDatabase(
          chat.stack,
          (sql) => sql`select status from askback.tool_executions where conversation_id = ${one.id}`,
        )
      if (letFunctionGo) await expect.poll(claims).toMatchObject([{ status: 'running' }])
      if (moment === 'is being sent') letFunctionGo?.()
      const release = freeze()
      const ended = pause(seconds * 1000).then(release)
      await pause(1000)
      const again = other.post(decisionOn(item, 'approve'), { token: user.token, path })
      await ended
      letFunctionGo?.()
      const told = [(await answer).answer, (await again).answer]
      const mails = await one.mails()
      const said = `${JSON.stringify(told)} ${await one.page()}`
      expect(said).not.toMatch(/Stopped|may have been/)
      expect(told.map(({ status }) => status)).toEqual(['completed', 'completed'])
      expect(mails).toBe(1)
      expect(await one.pending()).toEqual([])
    })
  },
  180_000,
)

/** The chat dies while the function that it has called stands still, and the claim's time runs out. */
if (!tellsUnread)
  console.log('Late deliveries are not tried here: only Linux tells when a request has arrived.')
describe.skipIf(!tellsUnread).each(['smtp-api', 'gmail-api', 'database-api'])(
  'a call that %s has not taken before its claim was given up',
  (name) => {
    async function giveUp() {
      const one = begin()
      const { id } = one
      const calls = new Map([
        ['smtp-api', one.call],
        ['gmail-api', callTool('gmail_send_email', { to: [one.to], subject: 'Hi', body: 'Hello' })],
        ['database-api', callTool('open_ticket', { title: id })],
      ])
      // Its process has to be there to stand still.
      await fetch(`${chat.stack.url}/functions/v1/${name}`, {
        method: 'POST',
        headers: headers(),
        body: '{}',
      })
      chat.model.use([calls.get(name) ?? say('…')])
      const letGo = freeze(name)
      const answer = user.post(one.body)
      const claims = () =>
        withDatabase(
          chat.stack,
          (sql) => sql`select status, delivery_id from askback.tool_executions where conversation_id = ${id}`,
        )
      await expect.poll(claims).toMatchObject([{ status: 'running', delivery_id: null }])
      // A chat that dies between its claim and its request would leave no delivery.
      await waitForDelivery(pidOf(chat.stack.pids(), name))
      process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
      await answer
      // The stack has to have seen its end, or the next request goes to it.
      await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
      await expireLeases(chat.stack, user.id)
      const effects = async () => {
        const box = gmail.mailbox(account)
        const letters = [...box.sent, ...[...box.drafts.keys()].map(box.draft)]
        const tickets = await withDatabase(
          chat.stack,
          (sql) => sql`select from public.tickets where title = ${id}`,
        )
        return (await one.mails()) + letters.filter(({ raw }) => raw.includes(one.to)).length + tickets.length
      }
      return { one, letGo, claims, effects }
    }

    it('is told of as not done, and its late delivery is refused', async () => {
      const { one, letGo, claims, effects } = await giveUp()
      expect(await one.pending()).toEqual([])
      const page = await one.page()
      expect(page).toContain('This was interrupted before it was finished.')
      expect(page).toContain('Nothing was carried out.')
      expect(page).not.toContain('may have been')
      letGo()
      // Nothing but the delivery looks at the claim.
      await expect.poll(claims).toMatchObject([{ status: 'failed', delivery_id: null }])
      expect(await effects()).toBe(0)
      expect(await one.page()).not.toContain('may have been')
    })

    it('is made once when the message is sent again, whichever delivery comes first', async () => {
      const { one, letGo, effects } = await giveUp()
      chat.model.use([say('It is done.')])
      const again = user.post(one.body)
      letGo()
      expect((await again).answer).toMatchObject({ status: 'completed', text: 'It is done.' })
      expect(await effects()).toBe(1)
      expect(await one.page()).not.toMatch(falseWords)
    })
  },
)
