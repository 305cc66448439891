import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { formRequest, pageRequest } from '../../support/asking-tool.ts'
import { startChatApp } from '../../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { gate } from '../../support/gate.ts'
import { startGrantedProgram } from '../../support/granted-program.ts'
import { addServer } from '../../support/mcp-server-row.ts'
import { type Asks, startToolServer } from '../../support/mcp-tool-server.ts'
import { callTool, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { copyTemplate } from '../../support/template.ts'
import { useStarted } from '../../support/use-started.ts'

// A server of MCP asks in the middle of a write: its question waits in the database, for anybody who answers it.

const book = {
  name: 'book',
  description: 'Books a trip.',
  inputSchema: { type: 'object' as const, properties: { to: { type: 'string' } }, required: ['to'] },
}
const who = formRequest('Who travels?', { name: { type: 'string', default: 'Nobody' } }, ['name'])
const question: Asks = { inputRequests: { who }, requestState: 'state-canary' }

const directory = mkdtempSync(join(tmpdir(), 'askback-test-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const dataDirectory = join(directory, 'data')
const start = async () => {
  if (!existsSync(dataDirectory)) await copyTemplate(dataDirectory)
  return await startChatStack({}, { dataDirectory })
}

const chat = useStarted(start)
const served = useStarted(() => startToolServer([book]))
beforeEach(() => {
  served.calls.length = 0
  served.answer(({ inputResponses }) => (inputResponses ? 'Booked.' : question))
})

/** A user for whom the server has asked, after they have approved the call. */
async function asked() {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'always')
  const { url, tools } = served
  await withDatabase(chat.stack, (sql) => addServer(sql, { userId: user.id, name: 'trips', url, tools }))
  chat.model.use([callTool('trips__book', { to: 'Lisbon' }), ...Array(9).fill(say('That is it.'))])
  const first = await user.post({ id: 'c', message: 'Book a trip to Lisbon' })
  const { answer } = await user.post(decisionOn(first.answer.pending?.[0], 'approve'), {
    path: '/c/approval',
  })
  return { user, answer, item: answer.pending?.[0] }
}
const answer = (user: ChatUser, itemId: string | undefined, values: object) =>
  user.post({ itemId, values }, { path: '/c/answer' })
const replies = () => served.calls.map(({ inputResponses, requestState }) => [inputResponses, requestState])
const accepted = (content: object) => [{ who: { action: 'accept', content } }, 'state-canary']

test('what a server asks is a form of its own, and its answer goes there and nowhere else', async () => {
  const { user, item, answer: waiting } = await asked()
  expect(waiting.status).toBe('needs_input')
  expect(item).toMatchObject({
    type: 'input',
    asked: `${served.host} asks: "Who travels?"`,
    server: { host: served.host, requests: [{ message: 'Who travels?', fields: ['name'] }] },
    schema: { properties: { name: { default: 'Nobody' } }, required: ['name'] },
  })
  const { answer: done } = await answer(user, item?.itemId, { name: 'Ada Canary' })
  expect(done).toMatchObject({ status: 'completed', text: 'That is it.' })
  expect(replies()).toEqual([[undefined, undefined], accepted({ name: 'Ada Canary' })])
  expect(JSON.stringify([chat.model.requests.map(({ body }) => body), waiting, done])).not.toMatch(/canary/i)
  const [row] = await withDatabase(
    chat.stack,
    (sql) => sql`
      select
        (select string_agg(entry::text, '') from askback.entries where user_id = ${user.id}) as entries,
        (select string_agg(result::text, '') from askback.tool_executions where user_id = ${user.id}) as ledger
    `,
  )
  expect(row?.entries).toContain('Who travels?')
  expect(`${row?.entries}${row?.ledger}`).not.toMatch(/canary/i)
  const found = await user.get('/conversations?q=Canary')
  expect(found.body).toMatchObject({ conversations: [] })
})

test('a user who does not want to answer is heard by the server', async () => {
  const { user, item } = await asked()
  const { answer: done } = await user.post({ itemId: item?.itemId }, { path: '/c/skip' })
  expect(done.status).toBe('completed')
  expect(replies().at(-1)).toEqual([{ who: { action: 'decline' } }, 'state-canary'])
})

test('two tabs that answer at once, alike or not, answer once', async () => {
  const alike = await asked()
  const same = { name: 'Ada' }
  const both = await Promise.all([1, 2].map(() => answer(alike.user, alike.item?.itemId, same)))
  expect(both.map(({ answer: { status } }) => status)).toEqual(['completed', 'completed'])
  expect(replies()).toHaveLength(2)
  const other = await asked()
  const either = await Promise.all(
    ['Ada', 'Grace'].map((name) => answer(other.user, other.item?.itemId, { name })),
  )
  expect(either.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(replies()).toHaveLength(4)
})

test('a server that was removed in the meantime is not answered, and the user is told', async () => {
  const { user, item } = await asked()
  await withDatabase(chat.stack, (sql) => sql`delete from askback.mcp_servers where user_id = ${user.id}`)
  const { answer: over } = await answer(user, item?.itemId, { name: 'Ada' })
  expect([over.status, over.pending]).toEqual(['completed', undefined])
  expect(over.toolsUsed[0]?.error).toMatchObject({ resolver: 'nobody' })
  expect(served.calls).toHaveLength(1)
})

test('a reply whose result is lost with the process that sent it is not sent again', async () => {
  const { user, item } = await asked()
  const arrived = new Promise<void>((resolve) =>
    served.answer(() => {
      resolve()
      return new Promise(() => {})
    }),
  )
  const answered = answer(user, item?.itemId, { name: 'Ada' })
  await arrived
  process.kill(pidOf(chat.stack.pids(), 'mcp-client'), 'SIGKILL')
  const { answer: unsure } = await answered
  expect(unsure).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'unknown' }] })
  expect(served.calls).toHaveLength(2)
})

test('a reply is sent once although the process that sent it dies, and its result is found', async () => {
  const { user, item } = await asked()
  const [arrived, goOn] = [gate(), gate()]
  served.answer(async () => {
    arrived.open()
    await goOn.opened
    return 'Booked.'
  })
  const first = answer(user, item?.itemId, { name: 'Ada' }).catch(() => {})
  await arrived.opened
  process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
  goOn.open()
  await first
  await expireLeases(chat.stack, user.id)
  const { answer: done } = await answer(user, item?.itemId, { name: 'Ada' })
  expect(done).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true, output: 'Booked.' }] })
  expect(served.calls).toHaveLength(2)
})

test('a program over MCP asks it only if its user lets it show approvals, and else leads to its page', async () => {
  const tools = [{ ...book, name: 'find', annotations: { readOnlyHint: true } }]
  await withDatabase(chat.stack, (sql) =>
    addServer(sql, { name: 'hotels', url: served.url, tools, trusted: true }),
  )
  const canAsk = { elicitation: { form: {}, url: {} } }
  const modes = []
  for (const forms of [false, true]) {
    const program = await startGrantedProgram(chat.stack, { forms })
    await withDatabase(
      chat.stack,
      (sql) => sql`update askback.mcp_grants set tools = array['hotels__find'] where id = ${program.grantId}`,
    )
    const call = (more = {}) => program.call('hotels__find', { to: 'Lisbon' }, canAsk, more)
    const { requestState, inputRequests } = (await call()).result
    modes.push(inputRequests.item.params.mode)
    if (!forms) continue
    const inputResponses = { item: { action: 'accept', content: { name: 'Ada' } } }
    expect((await call({ requestState, inputResponses })).result.content).toMatchObject([{ text: 'Booked.' }])
  }
  expect(modes).toEqual(['url', 'form'])
  expect(replies().at(-1)).toEqual(accepted({ name: 'Ada' }))
})

test.each([
  [
    'a password',
    { p: formRequest('Hi', { p: { type: 'string', format: 'password' } }) },
    'password or a code',
  ],
  ['500 values', { p: formRequest('Hi', manyFields()) }, 'too many values'],
  ['a page that is a script', { p: pageRequest('Hi', 'javascript:alert(1)') }, 'https://'],
])('a server that asks for %s is not passed on', async (_, inputRequests, words) => {
  served.answer(() => ({ inputRequests }))
  const { answer: over } = await asked()
  expect([over.status, over.pending]).toEqual(['completed', undefined])
  const told = JSON.stringify(chat.model.requests.at(-1)?.body.messages)
  expect(told).toContain(words)
  expect(told).not.toContain('alert')
})

test('a question is answered after everything was started anew, and further ones follow', async () => {
  const rounds = [question, { ...question, requestState: 'state-2' }]
  served.answer(() => rounds.shift() ?? 'Booked.')
  const { user, item } = await asked()
  await chat.stack.kill()
  const again: ChatStack = await start()
  try {
    const app = startChatApp(again)
    const post = (body: object) => app.post(body, { token: user.token, path: '/c/answer' })
    again.model.use(() => say('That is it.'))
    const { answer: next } = await post({ itemId: item?.itemId, values: { name: 'Ada' } })
    expect(next).toMatchObject({ status: 'needs_input', pending: [{ server: { host: served.host } }] })
    const { answer: done } = await post({ itemId: next.pending?.[0]?.itemId, values: { name: 'Grace' } })
    expect(done.status).toBe('completed')
    expect(replies()).toEqual([
      [undefined, undefined],
      accepted({ name: 'Ada' }),
      [{ who: { action: 'accept', content: { name: 'Grace' } } }, 'state-2'],
    ])
  } finally {
    await again.stop()
  }
})

function manyFields() {
  return Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, { type: 'string' }]))
}
