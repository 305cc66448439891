import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, chatUser, signUpWithMail } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { replyLate } from '../../support/late-reply.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { project } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

// What clients can do to streams that were not written for us, or against us.

const chat = useStarted(() => startChatStack())
beforeEach(() => chat.stack.inbox.clear())

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'
const newId = () => randomUUID().slice(0, 16)
const message = (text: string, id = newId()) => ({ id, role: 'user', parts: [{ type: 'text', text }] })

const newUser = (approval: 'always' | 'never') => signUpWithMail(chat.stack, approval)

const url = (path: string) => `${chat.stack.url}/functions/v1/chat${path}`
const follow = ({ token }: ChatUser, id: string) =>
  fetch(url(`/${id}/stream`), { headers: { authorization: `Bearer ${token}` } })
const stream = ({ token }: ChatUser, body: unknown) =>
  fetch(url(''), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The next replies; the first waits until it is released. */
const held = (replies: ModelServerReply[]) => replyLate(chat.model, replies)

it('clients that do not read, and one that comes back in a loop, hold nobody up', async () => {
  const user = await newUser('never')
  const id = newId()
  const words = 'The quick brown fox. '.repeat(10_000)
  const { arrived, release } = held([say(words, { fragments: { size: 1000 } })])
  const running = stream(user, { id, messages: [message('Write a lot')] })
  await arrived
  const silent: Socket[] = []
  for (let opened = 0; opened < 20; opened++) {
    const socket = connect(Number(new URL(chat.stack.url).port), '127.0.0.1').on('error', () => {})
    socket.write(
      `GET /functions/v1/chat/${id}/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.token}\r\n\r\n`,
    )
    silent.push(socket)
  }
  await Promise.all(silent.map((socket) => once(socket, 'readable')))
  const refused = await follow(user, id)
  expect(refused.status).toBe(429)
  expect(await refused.text()).toBe(
    'This answer is open in 20 places already. Close one of them, then try again.',
  )
  for (const socket of silent.splice(10)) socket.destroy()
  /** As soon as there is a place. */
  const followAgain = async (): Promise<Response> => {
    for (;;) {
      const response = await follow(user, id)
      if (response.status !== 429) return response
      await response.text()
    }
  }
  for (let round = 0; round < 40; round++) {
    const response = await followAgain()
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^data: \{"type":"start"/)
    await reader?.cancel()
  }
  const pid = chat.stack.pids().chat
  release()
  const told = await (await running).text()
  const said = [...told.matchAll(/"type":"text-delta","id":"t1","delta":"([^"]*)"/g)].map(
    ([, delta]) => delta,
  )
  expect(said.join('')).toBe(words)
  expect(told).toMatch(/data: \[DONE\]\n\n$/)
  expect(chat.stack.pids().chat).toBe(pid)
  for (const socket of silent) socket.destroy()
})

it("nobody sees, joins, stops or decides in another user's conversation, whatever ids they know", async () => {
  const [victim, attacker] = [await newUser('always'), await newUser('never')]
  const id = newId()
  chat.model.use([callTool('smtp_send_email', mail), say('Sent.')])
  await victim.post({ id, message: ask })
  const { body } = await victim.get(`/conversations/${id}`)
  const { messages, pending } = body as {
    messages: { id: string; parts: Record<string, unknown>[] }[]
    pending: { toolCallId: string; approvalId: string }[]
  }
  const [{ toolCallId, approvalId } = { toolCallId: '', approvalId: '' }] = pending

  expect((await follow(attacker, id)).status).toBe(204)
  for (const [path, decision] of [
    ['stop', {}],
    ['resume', {}],
    ['approval', { toolCallId, approvalId, decision: 'approve' }],
    ['answer', { toolCallId, values: {} }],
  ] as const) {
    expect((await attacker.post(decision, { path: `/${id}/${path}` })).status, path).toBe(404)
  }
  // As a client of the victim would approve it, with their messages.
  const decided = {
    ...messages[1],
    parts: messages[1]?.parts.map((part) =>
      part.state === 'approval-requested'
        ? { ...part, state: 'approval-responded', approval: { id: approvalId, approved: true } }
        : part,
    ),
  }
  const posted = await stream(attacker, { id, messages: [messages[0], decided], messageId: messages[1]?.id })
  expect(posted.status).toBe(404)
  expect(await posted.text()).toMatch(/^You have no conversation with this id\.$/)
  // The same with a message of their own: it is a conversation of theirs.
  chat.model.use([say('I know nothing of that.')])
  const own = await stream(attacker, { id, messages: [messages[0], decided, message('Go on')] })
  expect(await own.text()).not.toContain(String(messages[1]?.id))
  expect(JSON.stringify(chat.model.requests.at(-1)?.body.messages)).not.toContain('ada@example.com')
  expect(await chat.stack.inbox.messages()).toEqual([])
  expect(await victim.get(`/conversations/${id}`)).toMatchObject({
    body: { status: 'needs_approval', pending: [{ toolCallId, approvalId }] },
  })
})

it('an approval is for the input that was shown, also in a message that claims another one', async () => {
  const user = await newUser('always')
  const id = newId()
  chat.model.use([callTool('smtp_send_email', mail), say('Not sent.')])
  const first = message(ask)
  await (await stream(user, { id, messages: [first] })).text()
  const { body } = await user.get(`/conversations/${id}`)
  const [, answer] = (body as { messages: { id: string; parts: Record<string, unknown>[] }[] }).messages
  const part = answer?.parts.find(({ state }) => state === 'approval-requested')
  const approvalId = String((part?.approval as { id?: string } | undefined)?.id)
  const forged = (approval: object, more: object = {}) => ({
    ...answer,
    parts: [{ ...part, ...more, state: 'approval-responded', approval }],
  })
  // One character more, as an id may end in any: a replaced one is the same id once in 36 times.
  for (const stale of [`${approvalId}x`, String(part?.toolCallId), '__proto__', '']) {
    const messages = [first, forged({ id: stale, approved: true })]
    const told = await (await stream(user, { id, messages, messageId: answer?.id })).text()
    // It is asked again, and closes nothing.
    expect(told).toContain('"type":"start"')
    expect(told).not.toContain('tool-output')
  }
  expect(await chat.stack.inbox.messages()).toEqual([])

  chat.model.use([say('Sent.')])
  const changed = { input: { ...mail, to: ['eve@example.com'] }, output: { ok: true }, toolName: 'x' }
  const messages = [first, forged({ id: approvalId, approved: true }, changed)]
  await (await stream(user, { id, messages, messageId: answer?.id })).text()
  expect((await chat.stack.inbox.messages()).map(({ to }) => to)).toEqual([['ada@example.com']])
})

it('bodies of 32 MiB, a hundred thousand levels deep, or of nothing but keys, cost an answer and no process', async () => {
  const user = await newUser('never')
  chat.model.use(() => say('Hello.'))
  await (await stream(user, { messages: [message('Hello')] })).text()
  const pid = chat.stack.pids().chat
  const padding = 'x'.repeat(31 * 1024 * 1024)
  const large = await Promise.all(
    Array.from({ length: 4 }, () => stream(user, { messages: [message('Hello')], padding })),
  )
  for (const response of large) {
    expect([200, 429]).toContain(response.status)
    await response.text()
  }
  expect(large.some(({ status }) => status === 200)).toBe(true)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, n])))
  const assistant = (parts: string) => `{"id":"a","role":"assistant","parts":${parts}}`
  const hello = JSON.stringify(message('Hello'))
  for (const body of [
    `{"messages":[${hello}],"deep":${deep}}`,
    `{"messages":[${assistant(deep)},${hello}]}`,
    `{"messages":[${assistant(`[{"type":"tool-x","state":"approval-responded","toolCallId":"c","approval":${deep}}]`)},${hello}]}`,
    `{"messages":[{"id":"u","role":"user","parts":[{"type":"text","text":"Hello"}],"metadata":${deep}}]}`,
    `{"messages":[{"id":"u","role":"user","parts":${deep}}]}`,
    `{"messages":${deep}}`,
    `{"messages":[${hello}],"keys":${keys}}`,
    `{"messages":[{"__proto__":{"role":"user"},"parts":[]}]}`,
    `{"messages":[{"role":"user","parts":[{"type":"data-x","data":{"__proto__":{"a":1},"constructor":{}}},{"type":"text","text":"Hello"}]}]}`,
  ]) {
    const response = await stream(user, body)
    expect([200, 400], body.slice(0, 120)).toContain(response.status)
    const text = await response.text()
    if (response.status === 400) expect(text).toMatch(/^[A-Z"].{10,300}\.$/)
  }
  expect(chat.stack.pids().chat).toBe(pid)
})

it('no id is more than a name, in a path or in a body', async () => {
  const user = await newUser('never')
  chat.model.use(() => say('Hello.'))
  const names = [
    '__proto__',
    'constructor',
    'toString',
    '..',
    '.',
    'files',
    'v1',
    'conversations',
    'clock',
    'ag-ui',
    'schedules',
  ]
  const escaped = ['%2e%2e', 'a%2Fb', '%00', '%F0%9F%92%8C', 'x'.repeat(65), "' or 1=1", '%', '%zz']
  for (const id of [...names, ...escaped]) {
    for (const [method, path] of [
      ['GET', `/${id}/stream`],
      ['GET', `/conversations/${id}`],
      ['POST', `/${id}/stop`],
      ['DELETE', `/conversations/${id}`],
    ] as const) {
      const response = await fetch(url(path), { method, headers: { authorization: `Bearer ${user.token}` } })
      expect([204, 404, 400, 403, 405, 200], `${method} ${path}`).toContain(response.status)
      // A path with dots leads elsewhere before it is sent.
      if (response.status === 200) expect(id).toMatch(/^\.\.?$|^%2e%2e$/)
      await response.text()
    }
  }
  for (const id of [...names, ...escaped]) {
    const { status } = await user.post({ id, message: 'Hello', messageId: id.slice(0, 200) })
    expect([200, 400], id).toContain(status)
  }
  const { answer } = await user.post({ id: '__proto__', message: 'Hello again' })
  expect(answer).toMatchObject({ conversationId: '__proto__', text: 'Hello.' })
  for (const toolCallId of names) {
    const decision = decisionOn({ toolCallId, approvalId: toolCallId }, 'approve')
    expect((await user.post(decision, { path: '/__proto__/approval' })).status).toBe(404)
  }
})

it('a session that ends in the middle of a stream ends nothing that was begun', async () => {
  const { id: userId, email } = await newUser('never')
  const claims = { sub: userId, aud: 'authenticated', role: 'authenticated', email }
  const token = jwt(
    // Long enough for its message to arrive, also on a busy machine.
    { ...claims, exp: Math.floor(Date.now() / 1000) + 6 },
    readKeys(chat.stack.dataDirectory).jwtSecret,
  )
  const user = chatUser(chat.stack, { id: userId, email, token })
  const { arrived, release } = held([callTool('smtp_send_email', mail), say('Sent.')])
  const running = await stream(user, { id: 'ended', messages: [message(ask)] })
  await arrived
  await expect.poll(async () => (await user.get('/conversations')).status, { timeout: 10_000 }).toBe(401)
  release()
  const told = await running.text()
  expect(told).toContain('"type":"tool-output-available"')
  expect(told).toMatch(/"delta":"Sent\.".*\[DONE\]\n\n$/s)
  expect(await chat.stack.inbox.messages()).toHaveLength(1)
  const resumed = await follow(user, 'ended')
  expect([resumed.status, resumed.headers.get('x-askback-error')]).toEqual([401, 'unauthorized'])
})

it('a token for OpenAI clients opens no function but for its protocol', async () => {
  const { token } = await newUser('never')
  const settings = `${chat.stack.url}/functions/v1/integration-settings`
  const made = await fetch(`${settings}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"Any client"}',
  })
  const { value } = (await made.json()).token
  const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' }
  for (const name of readdirSync(join(project, 'supabase/functions'))) {
    for (const [method, path] of [
      ['POST', ''],
      ['GET', '/conversations'],
      ['GET', '/c/stream'],
      ['POST', '/c/approval'],
      ['GET', '/tokens'],
      ['POST', '/test-connection'],
    ] as const) {
      const body = method === 'POST' ? '{"action":"send_email","params":{},"message":"Hello"}' : null
      const response = await fetch(`${chat.stack.url}/functions/v1/${name}${path}`, { method, headers, body })
      expect([401, 404], `${method} ${name}${path}`).toContain(response.status)
      await response.text()
    }
  }
  const rest = await fetch(`${chat.stack.url}/rest/v1/conversations`, {
    headers: { ...headers, apikey: value, 'accept-profile': 'askback' },
  })
  expect(rest.status).toBeGreaterThanOrEqual(400)
  await rest.text()
})

function jwt(payload: object, secret: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
}
