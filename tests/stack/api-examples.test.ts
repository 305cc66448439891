import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examples, keyOf, recordedPath, type Seen } from '../../scripts/api/examples.ts'
import type { Route } from '../../shared/api/route.ts'
import { checkAnswer } from '../support/api-answers.ts'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import { type ChatUser, signUp, withDatabase } from '../support/chat-user.ts'
import { callTool, say } from '../support/model-server.ts'

// The examples of docs/api.md, in the order in which they can be run.

let chat: ChatStack
let ada: ChatUser
const seen: Seen = {}

beforeAll(async () => {
  chat = await startChatStack({ GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' })
  ada = await signUp(chat.stack)
  const { host, port, user, password } = chat.stack.smtp
  Object.assign(seen, { smtp: { host, port, user, password }, email: ada.email })
  await withDatabase(chat.stack, async (sql) => {
    await sql`insert into askback.operators (user_id) values (${ada.id})`
    await sql.unsafe(
      `create function public.find_orders(customer text) returns text language sql stable as 'select customer';
       comment on function public.find_orders(text) is 'Finds the orders of a customer.';
       grant execute on function public.find_orders(text) to authenticated;`,
    )
  })
  // Before anything is connected: its card waits.
  chat.model.use([callTool('web_search', { query: 'Oslo' }), say('Please connect a search.')])
  seen.waiting = await openItem('waiting', 'Search for Oslo')
})
afterAll(async () => {
  if (process.env.ASKBACK_RECORD === 'true') await record()
  await chat?.stop()
})

const mail = (to: string[]) => callTool('smtp_send_email', { to, subject: 'Oslo', body: 'We arrive at ten.' })

async function openItem(id: string, message: string) {
  const { answer } = await ada.post({ id, message })
  const [item] = answer.pending ?? []
  if (!item) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
  return { conversationId: id, itemId: item.itemId }
}

/** What stands there before an example is run. */
const before: Record<string, () => Promise<void>> = {
  'POST /chat': async () => chat.model.use([mail(['bob@example.com'])]),
  'POST /chat/:id/approval': async () => chat.model.use([say('Bob knows.')]),
  'POST /chat/:id/answer': async () => {
    chat.model.use([mail(['nobody@example.org']), say('To whom?')])
    seen.question = await openItem('question', 'Send them a mail')
    chat.model.use([say('Sent.')])
  },
  'POST /chat/:id/skip': async () => {
    chat.model.use([mail(['nobody@example.org']), say('To whom?')])
    seen.other = await openItem('other', 'Send them another mail')
    chat.model.use([say('I leave it.')])
  },
  'POST /chat/:id/resume': async () => chat.model.use([say('Please connect a search.')]),
}

test.each(examples.map(([route, request]) => [keyOf(route), route, request] as const))(
  '%s answers as it says',
  async (key, route, request) => {
    await before[key]?.()
    const { params = {}, query = {}, body } = request(seen)
    const path = fill(route, params)
    const response = await fetch(`${chat.stack.url}/functions/v1${path}?${new URLSearchParams(query)}`, {
      method: route.method,
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json = await response.json()
    expect([response.status, json]).toEqual([route.status ?? 200, expect.anything()])
    checkAnswer({ method: route.method, path }, { status: response.status, json })
    seen[key] = json
  },
)

test.each(examples.map(([route, request]) => [keyOf(route), route, request] as const))(
  '%s is sent what it reads',
  (_, route, request) => {
    const { params, query, body } = request(seen)
    if (params) expect(route.params?.safeParse(params).success).toBe(true)
    if (query) expect(route.query?.safeParse(query).success).toBe(true)
    if (body) expect(route.body?.safeParse(body).success).toBe(true)
  },
)

function fill({ path }: Route, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
}

/** Keeps the answers for the docs: of lists the first two, and no address of this machine. */
async function record(): Promise<void> {
  const { host, port, password } = chat.stack.smtp
  const smtp = { host: 'smtp.example.com', port: 587, user: 'ada@example.com', password: '…' }
  const shown = JSON.stringify({ ...seen, smtp, email: 'ada@example.com' }, (_, value) =>
    Array.isArray(value) ? value.slice(0, 2) : value,
  )
    .replaceAll(chat.stack.url, 'http://127.0.0.1:54321')
    .replaceAll(`%3A${new URL(chat.stack.url).port}`, '%3A54321')
    .replaceAll(ada.email, 'ada@example.com')
    .replaceAll(`"host":"${host}"`, '"host":"smtp.example.com"')
    .replaceAll(`"port":${port}`, '"port":587')
    .replaceAll(password, '…')
    .replace(/askb_[\w-]{43}/g, 'askb_…')
  await writeFile(recordedPath, `${JSON.stringify(JSON.parse(shown), null, 2)}\n`)
}
