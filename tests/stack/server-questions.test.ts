import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerReply } from '../../shared/engine/core/server-question.ts'
import { formRequest, serverAsks } from '../../support/asking-tool.ts'
import { type ChatApp, startChatApp } from '../../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { type FunctionServer, startFunctionServer } from '../../support/function-server.ts'
import { callTool, say } from '../../support/model-server.ts'

// A server asks in the middle of a write: its question waits in the database, and another process answers it.

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const question = serverAsks(
  { who: formRequest('Who travels?', { name: { type: 'string' } }) },
  'state-canary',
)
const done = { ok: true, data: { messageId: '<1@example.com>' } }

let chat: ChatStack
let functions: FunctionServer
let user: ChatUser

beforeAll(async () => {
  chat = await startChatStack()
  functions = await startFunctionServer()
  user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'never')
  await connectSmtp(chat.stack, user.id)
})
afterAll(async () => {
  await functions?.close()
  await chat?.stop()
})

/** Another process of the chat function each time. */
const startApp = () => startChatApp(chat, { functionUrl: (route) => `${functions.url}/${route}` })
const post = (app: ChatApp, id: string, route: string, body: object) =>
  app.post(body, { token: user.token, path: `/${id}/${route}` })
const replies = () =>
  functions.calls.map(({ body }) => (body as unknown as { reply?: ServerReply }).reply?.responses)

/** A conversation in which the server has asked. */
async function asked(id: string) {
  functions.use(question, done)
  functions.calls.length = 0
  chat.model.use([callTool('smtp_send_email', mail), say('Sent.')])
  const { answer } = await startApp().post(
    { id, message: 'Say hello to ada@example.com' },
    { token: user.token },
  )
  expect(answer).toMatchObject({ status: 'needs_input', pending: [{ server: { host: 'example.com' } }] })
  expect(JSON.stringify(answer)).not.toContain('canary')
  return answer.pending?.[0]?.itemId ?? ''
}

test('another process answers, the server gets it once, and nobody else reads it', async () => {
  const itemId = await asked('other')
  const values = { name: 'Ada Canary' }
  const { answer } = await post(startApp(), 'other', 'answer', { itemId, values })
  expect(answer).toMatchObject({ status: 'completed', text: 'Sent.' })
  expect(functions.calls.map(({ body }) => (body as unknown as { reply?: unknown }).reply)).toEqual([
    undefined,
    { state: 'state-canary', responses: { who: { action: 'accept', content: values } } },
  ])
  const told = JSON.stringify([chat.model.requests.map(({ body }) => body), answer])
  expect(told).not.toMatch(/canary/i)
  const [row] = await withDatabase(
    chat.stack,
    (sql) => sql`
      select
        (select string_agg(entry::text, '') from askback.entries where conversation_id = 'other') as entries,
        (select string_agg(result::text, '') from askback.tool_executions where conversation_id = 'other') as ledger
    `,
  )
  expect(row?.entries).toContain('Who travels?')
  expect(`${row?.entries}${row?.ledger}`).not.toMatch(/canary/i)
})

test('a server that gets no answer is told so', async () => {
  const itemId = await asked('declined')
  const { answer } = await post(startApp(), 'declined', 'skip', { itemId })
  expect(answer.status).toBe('completed')
  expect(replies()).toEqual([undefined, { who: { action: 'decline' } }])
})

test('two tabs that answer alike are answered alike, and the server is answered once', async () => {
  const itemId = await asked('alike')
  const body = { itemId, values: { name: 'Ada' } }
  const both = await Promise.all([1, 2].map(() => post(startApp(), 'alike', 'answer', body)))
  expect(both.map(({ answer }) => answer.status)).toEqual(['completed', 'completed'])
  expect(replies()).toHaveLength(2)
})

test('of two tabs that answer differently one is told that it was too late', async () => {
  const itemId = await asked('differently')
  const both = await Promise.all(
    ['Ada', 'Grace'].map((name) => post(startApp(), 'differently', 'answer', { itemId, values: { name } })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(replies()).toHaveLength(2)
})

test('what was answered is found by no search', async () => {
  const itemId = await asked('searched')
  await post(startApp(), 'searched', 'answer', { itemId, values: { name: 'Xylophonist' } })
  const found = await startApp().get('/conversations?q=Xylophonist', user.token)
  expect(await found.json()).toMatchObject({ conversations: [] })
})
