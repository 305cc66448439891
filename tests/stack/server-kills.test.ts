import { describe, expect, it } from 'vitest'
import { formRequest } from '../../support/asking-tool.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { addServer } from '../../support/mcp-server-row.ts'
import { type Asks, type ReceivedCall, startToolServer } from '../../support/mcp-tool-server.ts'
import { callTool, say } from '../../support/model-server.ts'
import { type PausingProxy, startPausingProxy } from '../../support/pausing-proxy.ts'
import { startStackFunction } from '../../support/stack-function.ts'
import { isTestAll } from '../../support/test-all.ts'
import { useStarted } from '../../support/use-started.ts'

// A process on the way of a call of a server’s tool dies wherever it waits for somebody: nothing reaches the server twice, and its
// user is told the truth.

const book = {
  name: 'book',
  description: 'Books a trip.',
  inputSchema: { type: 'object' as const, properties: { to: { type: 'string' } }, required: ['to'] },
}
const chat = useStarted(() => startChatStack())
const newServer = useStarted(() => startToolServer([book]))
const oldServer = useStarted(() => startToolServer([book], { isOld: true }))

type Pending = NonNullable<Awaited<ReturnType<ChatUser['post']>>['answer']['pending']>
interface Page {
  pending: Pending
  messages: { parts: { type: string; state?: string; output?: unknown; text?: string }[] }[]
}

const who = formRequest('Who travels?', { name: { type: 'string' } }, ['name'])
const asks = (requestState: string): Asks => ({ inputRequests: { who }, requestState })

/** What a person does about a call that the process dies of, and what the server still asks then. */
interface Act {
  /** How many questions the server asks before it books. */
  questions: number
  /** How many of them are open when the process comes. */
  before: number
  skips?: true
  /** The server knows nothing newer than 2025-11-25. */
  isOld?: true
}
const acts: Record<string, Act> = {
  'a yes is carried out': { questions: 0, before: 0 },
  'a yes leads to a question of the server': { questions: 1, before: 0 },
  'an answer goes to the server': { questions: 1, before: 1 },
  'an answer leads to a further question': { questions: 2, before: 1 },
  'a question is skipped': { questions: 1, before: 1, skips: true },
  'a yes is carried out by a server of 2025': { questions: 0, before: 0, isOld: true },
}

/** How many answers it gets at least. */
type Death = [victim: 'chat' | 'mcp-client', of: 'project' | 'server', fewest: number]

const serverOf = ({ isOld }: Act) => (isOld ? oldServer : newServer)

/** Which process dies, and whose answers it waits for: the project's, with its functions and the model, or the server's. */
const deaths: Death[] = [
  ['chat', 'project', 7],
  ['mcp-client', 'project', 5],
  ['mcp-client', 'server', 2],
]

/** Says what a call was for: the first one, or the reply to which question. */
const stepOf = ({ requestState = 'the call' }: ReceivedCall) => String(requestState)
const ended = { reply: 'Booked.', skipped: 'Not booked.' }
let hasBooked = false

/** The server asks its questions one after the other, and then books, each for the one call that leads there. */
function script(act: Act): void {
  const { questions } = act
  const served = serverOf(act)
  served.calls.length = 0
  hasBooked = false
  served.answer(({ requestState, inputResponses }) => {
    if (JSON.stringify(inputResponses ?? '').includes('decline')) return ended.skipped
    const answered = requestState === undefined ? 0 : Number(requestState)
    if (answered < questions) return asks(String(answered + 1))
    hasBooked = true
    return ended.reply
  })
}

/** A conversation in which somebody is about to act. */
async function begin(act: Act, url: string) {
  const user = await signUp(chat.stack)
  await giveAgent(chat.stack, user.id, 'always')
  await withDatabase(chat.stack, (sql) =>
    addServer(sql, { userId: user.id, name: 'trips', url, tools: serverOf(act).tools }),
  )
  script(act)
  chat.model.use(({ body }) =>
    body.messages.some(({ role }) => role === 'tool')
      ? say('That is it.')
      : callTool('trips__book', { to: 'Lisbon' }),
  )
  await user.post({ id: 'c', message: 'Book a trip to Lisbon' })
  for (let open = 0; open < act.before; open++) await press(user, act, await itemOf(user))
  return user
}

const read = async (user: ChatUser) => (await user.get('/conversations/c')).body as Page
async function itemOf(user: ChatUser): Promise<Pending[number]> {
  const { pending } = await read(user)
  if (!pending[0]) throw new Error('Nobody is asked anything.')
  return pending[0]
}

/** What a person presses about an item. */
function pressed(item: Pending[number], { skips }: Act): [path: string, body: object] {
  if (item.type === 'approval') return ['/c/approval', decisionOn(item, 'approve')]
  return skips
    ? ['/c/skip', { itemId: item.itemId }]
    : ['/c/answer', { itemId: item.itemId, values: { name: 'Ada' } }]
}
async function press(user: ChatUser, act: Act, item: Pending[number]) {
  const [path, body] = pressed(item, act)
  return await user.post(body, { path })
}
async function pressAt(base: string, user: ChatUser, act: Act, item: Pending[number]): Promise<void> {
  const [path, body] = pressed(item, act)
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.text()
}

/** Starts what dies, with everything that it asks behind the proxy, and a chat that comes by it. */
async function startVictim(victim: Death[0], project: PausingProxy, signal: AbortSignal) {
  const { stack, model } = chat
  const chatAt = async (url: string, modelUrl = model.url) => {
    const { pid, url: at } = await startChatProcess({ stack, model: { url: modelUrl } }, signal, url)
    return { pid, url: at.replace(/\/v1$/, '') }
  }
  if (victim === 'chat') return await chatAt(project.url, `${project.url}/model`)
  const { pid, port } = await startStackFunction({ ...stack, url: project.url }, victim, signal)
  const gateway = await startPausingProxy(stack.url, {
    '/functions/v1/mcp-client/calls': `http://127.0.0.1:${port}/mcp-client/calls`,
  })
  signal.addEventListener('abort', () => void gateway.close())
  return { pid, url: (await chatAt(gateway.url)).url }
}

/** Kills a process once it was answered for the first time, for the second, … until its work is done before. */
async function killAtEach([victim, of, fewest]: Death, act: Act): Promise<void> {
  for (let nth = 1; ; nth++) {
    const project = await startPausingProxy(chat.stack.url, {
      '/model/chat/completions': `${chat.model.url}/chat/completions`,
    })
    const server = await startPausingProxy(serverOf(act).url)
    const user = await begin(act, `${server.url}/mcp`)
    const item = await itemOf(user)
    const ending = new AbortController()
    const { pid, url } = await startVictim(victim, project, ending.signal)
    const wire = of === 'project' ? project : server
    const pause = wire.pauseNext('', nth)
    const from = wire.asked.length
    const acted = Promise.allSettled([pressAt(url, user, act, item)])
    const isHeld = await Promise.race([pause.answered.then(() => true), acted.then(() => false)])
    const about = `${victim}, ${nth}: ${wire.asked.slice(from).join(' ')}`
    if (isHeld) process.kill(pid, 'SIGKILL')
    await acted
    ending.abort()
    if (isHeld) await expectOnce(user, act, item, about)
    await project.close()
    await server.close()
    if (!isHeld) return expect(nth, about).toBeGreaterThan(fewest)
  }
}

/** The user reads, and presses again, until they were told how it ended, or that nobody knows. */
async function expectOnce(user: ChatUser, act: Act, item: Pending[number], about: string): Promise<void> {
  const last = act.skips ? ended.skipped : ended.reply
  for (let visits = 1; visits <= 4; visits++) {
    await expectTruth(user, act, about)
    await expireLeases(chat.stack, user.id)
    const { pending, messages } = await expectTruth(user, act, about)
    const said = JSON.stringify(messages)
    const [open, ...others] = pending
    expect(others, about).toEqual([])
    if (open?.type === 'approval' && open.reason === 'unknown') return
    if (said.includes(JSON.stringify(last))) {
      expect(open, about).toBeUndefined()
      return expect(serverOf(act).calls, about).toHaveLength(act.questions + 1)
    }
    // Nothing has left the process, also after another press: the person may ask for it anew.
    if (visits > 1 && !open && said.includes('Not done: '))
      return expect(serverOf(act).calls, about).toHaveLength(act.before)
    const again = await press(user, act, open ?? item)
    expect([about, again.status, again.error]).toEqual([about, 200, undefined])
  }
  expect.fail(`Nobody is told what became of it. ${about}: ${JSON.stringify(await read(user))}`)
}

/** Nothing has come twice, and nobody reads that nothing was done once the server has booked, or that it is done before. */
async function expectTruth(user: ChatUser, act: Act, about: string): Promise<Page> {
  const page = await read(user)
  const said = JSON.stringify(page.messages)
  const steps = serverOf(act).calls.map(stepOf)
  expect([about, ...steps]).toEqual([about, ...new Set(steps)])
  if (hasBooked) expect(said, about).not.toMatch(/Nothing was carried out/)
  else expect(said, about).not.toContain(JSON.stringify(ended.reply))
  return page
}

for (const [which, death] of deaths.entries()) {
  const [victim, of] = death
  describe(`the process of ${victim} dies at each answer of the ${of}`, () => {
    // On the project's side all servers are the same.
    const possible = Object.entries(acts).filter(([, { isOld }]) => !isOld || of === 'server')
    // Between them they have every act; all of them take minutes.
    const chosen = possible.filter((_, index) => isTestAll || index % deaths.length === which)
    it.each(chosen)('while %s', (_, act) => killAtEach(death, act), 240_000)
  })
}
