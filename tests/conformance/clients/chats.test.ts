import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { startChatApp } from '../../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { callTool, fail, type ModelServerReply, say } from '../../support/model-server.ts'
import { openChat } from './chat-client.ts'
import { readSse, shown } from './read-stream.ts'
import { type ClientMessage, loadVersion, resetsOnResume, versions } from './versions.ts'

let chat: ChatStack
let user: ChatUser
let api: string

beforeAll(async () => {
  chat = await startChatStack()
  api = `${chat.stack.url}/functions/v1/chat`
  user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'always')
  await connectSmtp(chat.stack, user.id)
})
afterAll(() => chat?.stop())
beforeEach(() => chat.stack.inbox.clear())

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const { to: _, ...withoutTo } = mail
const ask = { text: 'Write hello to ada@example.com' }
const newId = () => randomUUID().replaceAll('-', '').slice(0, 16)
const sendMail = callTool('smtp_send_email', mail)
const sendWithoutTo = callTool('smtp_send_email', withoutTo)

const stored = async (id: string) => (await user.get(`/conversations/${id}`)).body as StoredConversation
interface StoredConversation {
  status: string
  messages: ClientMessage[]
  pending: { type: string; toolCallId: string; approvalId?: string }[]
}
const approvalIn = ({ parts }: ClientMessage) =>
  parts.find(({ state }) => state === 'approval-requested')?.approval?.id ?? ''
const isClosed = ({ parts }: ClientMessage) =>
  !parts.some(({ state }) =>
    ['approval-requested', 'approval-responded', 'input-available', 'input-streaming'].includes(state ?? ''),
  )
const text = ({ parts }: ClientMessage) => parts.map((part) => part.text ?? '').join('|')
const mails = async () => (await chat.stack.inbox.messages()).map(({ to, subject }) => [to[0], subject])
const mailToAda = ['ada@example.com', 'Hi']

/** As if the conversation's runs had ended a minute earlier. */
const letAMinutePass = (id: string) =>
  withDatabase(
    chat.stack,
    (sql) =>
      sql`update askback.runs set finished_at = finished_at - interval '61 s' where conversation_id = ${id}`,
  )
const reconnect = (id: string) =>
  fetch(`${api}/${id}/stream`, { headers: { authorization: `Bearer ${user.token}` } })

/** A script whose reply number `number` waits until it is released. */
function held(replies: ModelServerReply[], number: number) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const seen = chat.model.requests.length
  chat.model.use(async (request) => {
    if (request.number - seen === number) await released
    return replies[request.number - seen - 1] ?? say('…')
  })
  return { arrived: chat.model.waitForRequest(seen + number), release }
}

describe.each(versions)('a chat of %s', (version) => {
  const open = async (id = newId(), more: Partial<Parameters<typeof openChat>[1]> = {}) =>
    openChat(await loadVersion(version), { api, token: user.token, id, ...more })
  type Client = Awaited<ReturnType<typeof open>>

  /** What the client shows is what is stored, and nothing more was asked for. */
  async function expectSettled(client: Client, posts: number): Promise<void> {
    await client.until(({ status }) => status === 'ready' || status === 'error')
    expect([client.chat.status, client.chat.error, client.posts()]).toEqual(['ready', undefined, posts])
    const { messages } = await stored(client.chat.id)
    expect(client.chat.messages.map(({ id, role }) => [id, role])).toEqual(
      messages.map(({ id, role }) => [id, role]),
    )
    const last = messages.at(-1) as ClientMessage
    expect(client.last().parts.map(shown)).toEqual(last.parts.map(shown))
    expect(client.last().metadata).toEqual(last.metadata)
  }

  /** A chat whose mail waits for approval. */
  async function awaitApproval(id?: string): Promise<Client> {
    const client = await open(id)
    chat.model.use([sendMail, say('Sent.')])
    await client.chat.sendMessage(ask)
    expect(approvalIn(client.last())).not.toBe('')
    return client
  }

  it('shows a failed attempt and its correction, and the answer as it is stored', async () => {
    const client = await open(newId(), { sendAutomaticallyWhen: 'tool calls' })
    chat.model.use([callTool('scrape_and_summarize', {}), sendWithoutTo, say('Hello.')])
    await client.chat.sendMessage({ text: 'Hello' })
    await expectSettled(client, 1)
    const failed = client.last().parts.filter(({ state }) => state === 'output-error')
    expect(failed.length).toBe(2)
    expect(failed[0]?.errorText).toMatch(/^Question: /)
  })

  it('goes on after an approval, once, also when it is clicked twice', async () => {
    const client = await awaitApproval()
    await expectSettled(client, 1)
    const id = approvalIn(client.last())
    const answer = { id, approved: true }
    await Promise.all([
      client.chat.addToolApprovalResponse(answer),
      client.chat.addToolApprovalResponse(answer),
    ])
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    await expectSettled(client, 2)
    expect(text(client.last())).toMatch(/Sent\.$/)
    expect(await mails()).toEqual([mailToAda])
  })

  it('goes on after a denial', async () => {
    const client = await awaitApproval()
    chat.model.use([say('All right, I will not.')])
    const id = approvalIn(client.last())
    await client.chat.addToolApprovalResponse({ id, approved: false, reason: 'Not today' })
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    await expectSettled(client, 2)
    expect(client.last().parts.some(({ state }) => state === 'output-denied')).toBe(true)
    expect(JSON.stringify(chat.model.requests.at(-1)?.body.messages)).toContain('Not today')
    expect(await mails()).toEqual([])
  })

  it('closes a decided call in every tab, whoever decided first', async () => {
    const first = await awaitApproval()
    const second = await open(first.chat.id, { messages: structuredClone(first.chat.messages) })
    const id = approvalIn(first.last())
    await first.chat.addToolApprovalResponse({ id, approved: true })
    await first.until(({ status }) => status === 'ready' && isClosed(first.last()))
    await second.chat.addToolApprovalResponse({ id, approved: false })
    await second.until(({ status }) => status === 'ready' && isClosed(second.last()))
    await expectSettled(first, 2)
    await expectSettled(second, 1)
    expect(await mails()).toEqual([mailToAda])
  })

  it('goes on in both tabs when they decide at once', async () => {
    const first = await awaitApproval()
    const second = await open(first.chat.id, { messages: structuredClone(first.chat.messages) })
    const id = approvalIn(first.last())
    for (const tab of [first, second]) tab.chat.addToolApprovalResponse({ id, approved: true })
    for (const tab of [first, second]) {
      await tab.until(({ status }) => status === 'ready' && isClosed(tab.last()))
    }
    await expectSettled(first, 2)
    await expectSettled(second, 1)
    expect(await mails()).toEqual([mailToAda])
  })

  it('takes an approval after other messages, where the version sends it', async () => {
    const client = await awaitApproval()
    const asked = client.last().id
    const id = approvalIn(client.last())
    chat.model.use([say('Good morning.'), say('Sent.')])
    await client.chat.sendMessage({ text: 'Good morning' })
    await client.chat.addToolApprovalResponse({ id, approved: true })
    const message = () => client.chat.messages.find((one) => one.id === asked) as ClientMessage
    if (!resetsOnResume.includes(version)) {
      expect([client.posts(), approvalIn(message()), await mails()]).toEqual([2, id, []])
      return
    }
    await client.chat.sendMessage()
    await client.until(({ status }) => status === 'ready' && isClosed(message()))
    expect([client.chat.error, client.posts()]).toEqual([undefined, 3])
    const { messages } = await stored(client.chat.id)
    const kept = messages.find((one) => one.id === asked) as ClientMessage
    expect(message().parts.map(shown)).toEqual(kept.parts.map(shown))
    expect(await mails()).toEqual([mailToAda])
  })

  it('posts nothing again when a decided call is no longer the one that was shown', async () => {
    const client = await awaitApproval()
    const path = `/${client.chat.id}/stop`
    await user.post(undefined, { path })
    await client.chat.addToolApprovalResponse({ id: `${approvalIn(client.last())}0`, approved: true })
    await client.chat.sendMessage()
    await client.until(({ status }) => status === 'ready')
    expect([client.chat.error, client.posts()]).toEqual([undefined, 2])
    expect(await mails()).toEqual([])
  })

  /** As an app resumes: the versions that add to a message drop it first. */
  async function resume(client: Client): Promise<void> {
    if (!resetsOnResume.includes(version) && client.last()?.role === 'assistant') {
      client.chat.messages = client.chat.messages.slice(0, -1)
    }
    await client.chat.resumeStream()
  }

  it('shows a call that was edited in its approval', async () => {
    const client = await awaitApproval()
    const { pending } = await stored(client.chat.id)
    const input = { ...mail, to: ['eve@example.com'], subject: 'Edited' }
    const decided = user.post(
      { toolCallId: pending[0]?.toolCallId, decision: 'approve', input },
      { path: `/${client.chat.id}/approval` },
    )
    await decided
    await resume(client)
    await expectSettled(client, 1)
    const sent = client.last().parts.find(({ state }) => state === 'output-available')
    expect(sent?.input).toMatchObject(input)
    expect(await mails()).toEqual([['eve@example.com', 'Edited']])
  })

  it('shows the call that a form completes, while it goes on', async () => {
    const client = await open()
    chat.model.use([sendWithoutTo, say('Who should get it?')])
    await client.chat.sendMessage({ text: 'Write hello' })
    await expectSettled(client, 1)
    const [question] = (await stored(client.chat.id)).pending
    expect(question?.type).toBe('input')
    const { arrived, release } = held([say('Sent.')], 1)
    const answered = user.post(
      { toolCallId: question?.toolCallId, values: { to: ['ada@example.com'] } },
      { path: `/${client.chat.id}/answer` },
    )
    expect((await answered).answer.status).toBe('needs_approval')
    await resume(client)
    await expectSettled(client, 1)
    const approved = client.chat.addToolApprovalResponse({ id: approvalIn(client.last()), approved: true })
    await arrived
    release()
    await approved
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    await expectSettled(client, 2)
    expect(await mails()).toEqual([mailToAda])
  })

  it('stops: the model is left, both tabs end, and the message stays', async () => {
    const client = await open()
    const seen = chat.model.requests.length
    chat.model.use([say('Once upon a time there was', { hang: true, afterChunks: 3 })])
    client.chat.sendMessage({ text: 'Tell me a story' })
    await client.until(() => client.last()?.parts.some((part) => part.text?.startsWith('Once')))
    const second = await open(client.chat.id, { messages: [client.chat.messages[0] as ClientMessage] })
    second.chat.resumeStream()
    await second.until(() => second.last()?.parts.some((part) => part.text?.startsWith('Once')))
    await client.chat.stop()
    await client.until(({ status }) => status === 'ready')
    const { answer } = await user.post(undefined, { path: `/${client.chat.id}/stop` })
    expect(answer).toMatchObject({ stopped: true })
    expect(await chat.model.requests[seen]?.ended).toEqual({ aborted: true })
    await second.until(({ status }) => status === 'ready')
    expect(second.chat.error).toBeUndefined()
    expect(text(second.last())).toMatch(/^\|Once upon.*Stopped\./s)
    expect((await stored(client.chat.id)).messages.length).toBe(2)
    expect([client.posts(), second.posts()]).toEqual([1, 0])
    chat.model.use([say('Good.')])
    await second.chat.sendMessage({ text: 'Thank you' })
    expect(text(second.last())).toBe('|Good.')
  })

  it('goes on without its client, who comes back to the whole message', async () => {
    const client = await open()
    const { arrived, release } = held([callTool('scrape_and_summarize', {}), say('All of it.')], 2)
    const sent = client.chat.sendMessage({ text: 'Look around' })
    await arrived
    client.goOffline(true)
    await sent
    expect(client.chat.status).toBe('error')
    await client.chat.resumeStream()
    expect(client.chat.status).toBe('error')
    client.goOffline(false)
    const back = resume(client)
    release()
    await back
    await expectSettled(client, 1)
    expect(text(client.last())).toMatch(/All of it\./)
  })

  it('comes back to an end that nobody has read, however late', async () => {
    const client = await open()
    const { arrived, release } = held([say('At last.')], 1)
    const sent = client.chat.sendMessage({ text: 'Take your time' })
    await arrived
    client.goOffline(true)
    await sent
    release()
    await expect.poll(async () => (await stored(client.chat.id)).status).toBe('completed')
    await letAMinutePass(client.chat.id)
    client.goOffline(false)
    await resume(client)
    await expectSettled(client, 1)
    expect(text(client.last())).toBe('|At last.')
    await expect.poll(async () => (await reconnect(client.chat.id)).status).toBe(204)
  })

  it('is told the end again for a minute, then there is nothing to resume', async () => {
    const client = await open()
    await client.chat.resumeStream()
    expect([client.chat.status, client.chat.error]).toEqual(['ready', undefined])
    chat.model.use([say('Hello.')])
    await client.chat.sendMessage({ text: 'Hello' })
    await resume(client)
    await expectSettled(client, 1)
    await letAMinutePass(client.chat.id)
    const response = await reconnect(client.chat.id)
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('ends the answer to a message when another one is sent', async () => {
    const client = await open()
    const { arrived, release } = held([say('Never.'), say('Second.')], 1)
    const first = client.chat.sendMessage({ text: 'One' })
    await arrived
    await client.chat.sendMessage({ text: 'Two' })
    release()
    await first
    await client.until(({ status }) => status === 'ready')
    expect([client.chat.error, client.posts()]).toEqual([undefined, 2])
    const { messages } = await stored(client.chat.id)
    expect(messages.map(text)).toEqual(['One', expect.stringContaining('Stopped.'), 'Two', '|Second.'])
  })

  it('regenerates and edits', async () => {
    const client = await open()
    chat.model.use([say('One.'), say('Two.'), say('Three.')])
    await client.chat.sendMessage({ text: 'A number' })
    await client.chat.regenerate()
    await expectSettled(client, 2)
    expect(text(client.last())).toBe('|Two.')
    const messageId = client.chat.messages[0]?.id ?? ''
    await client.chat.sendMessage({ text: 'Another number', messageId })
    await expectSettled(client, 3)
    expect(text(client.last())).toBe('|Three.')
  })

  it('sends a message again that was written offline', async () => {
    const client = await open()
    chat.model.use([say('Here I am.')])
    client.goOffline(true)
    await client.chat.sendMessage({ text: 'Anybody?' })
    expect(client.chat.status).toBe('error')
    client.goOffline(false)
    await client.chat.regenerate()
    await expectSettled(client, 2)
  })

  it('shows a sentence when the model is down, and goes on when it is back', async () => {
    const client = await open()
    chat.model.use(() => fail(400, { errorMessage: 'sk-secret is wrong' }))
    await client.chat.sendMessage({ text: 'Hello' })
    expect(client.chat.status).toBe('error')
    expect(client.chat.error?.message).toMatch(/\.$/)
    expect(client.chat.error?.message).not.toMatch(/sk-|[{}]|scripted-model|\d/)
    chat.model.use([say('Hello.')])
    await client.chat.regenerate()
    await expectSettled(client, 2)
  })

  it('shows another process what is stored, as it is stored', async () => {
    const elsewhere = startChatApp(chat)
    const client = await awaitApproval()
    const { arrived, release } = held([say('Sent.')], 1)
    await client.chat.addToolApprovalResponse({ id: approvalIn(client.last()), approved: true })
    await arrived
    const joined = elsewhere.get(`/${client.chat.id}/stream`, user.token)
    release()
    await client.until(({ status }) => status === 'ready' && isClosed(client.last()))
    const response = await joined
    expect(response.status).toBe(200)
    const { message, problems } = await readSse(await loadVersion(version), response.body as never)
    expect(problems).toEqual([])
    const { messages } = await stored(client.chat.id)
    expect(message.parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
    expect(message.metadata?.status).toBe('completed')
  })
})

it('the same POST of two tabs is one run, told alike to both, at once and again later', async () => {
  const body = {
    id: newId(),
    messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    trigger: 'submit-message',
  }
  const post = () =>
    fetch(api, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const seen = chat.model.requests.length
  const { arrived, release } = held([say('Hello you.')], 1)
  const tabs = [await post(), await post()]
  await arrived
  const texts = await Promise.all(
    tabs.map(async (tab) => {
      const reader = tab.body?.pipeThrough(new TextDecoderStream()).getReader()
      let all = (await reader?.read())?.value ?? ''
      // The model has not said a word.
      expect(all).toMatch(/^data: \{"type":"start","messageId":/)
      release()
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) all += next.value
      return all
    }),
  )
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).toMatch(/"delta":"Hello/)
  expect(texts[0]).toMatch(/data: \[DONE\]\n\n$/)
  const again = await readSse(await loadVersion('ai-7'), (await post()).body as never)
  const { messages } = await stored(body.id)
  expect(again.message.id).toBe(messages.at(-1)?.id)
  expect(again.message.parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
  expect(chat.model.requests.length).toBe(seen + 1)
})

it('the JSON form is streamed to who asks for it, and the other way round', async () => {
  chat.model.use([say('Streamed.'), say('Whole.')])
  const send = (accept: string, body: unknown) =>
    fetch(api, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    })
  const streamed = await send('text/event-stream', { message: 'Hello' })
  const { message } = await readSse(await loadVersion('ai-6-floor'), streamed.body as never)
  expect(text(message)).toBe('|Streamed.')
  const ui = { message: { id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] } }
  expect(await (await send('application/json', ui)).json()).toMatchObject({ text: 'Whole.' })
})

it('supabase.functions.invoke hands on a stream while it is written', async () => {
  const supabase = createClient(chat.stack.url, chat.stack.keys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
    accessToken: async () => user.token,
  })
  const ai = await loadVersion('ai-7')
  chat.model.use([sendWithoutTo, say('Who should get it?')])
  const id = newId()
  const message = { id: newId(), role: 'user', parts: [{ type: 'text', text: 'Write hello' }] }
  const { data, error } = await supabase.functions.invoke('chat', { body: { id, message } })
  expect(error).toBeNull()
  const read = await readSse(ai, (data as Response).body as never)
  expect(read.problems).toEqual([])
  const { messages } = await stored(id)
  expect(read.message.parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
})
