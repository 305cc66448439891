import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { storeLongConversation } from '../../support/long-conversation.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack({ ASKBACK_TITLE_MODEL: 'title-model' }))
let user: ChatUser

beforeEach(async () => {
  user = await signUp(chat.stack)
  answer(() => say('Noted.'))
})

const newId = () => randomUUID().replaceAll('-', '').slice(0, 16)
const isTitle = (body: { model?: unknown }) => body.model === 'title-model'

/** What the model of the agent answers, and the one that names conversations. */
function answer(words: () => ModelServerReply, title: () => ReturnType<typeof say> = () => say('')) {
  chat.model.use((request) => (isTitle(request.body) ? title() : words()))
}
interface Listed {
  id: string
  title: string
  pinned: boolean
  match?: { title: number[][]; message?: { id: string; text: string; ranges: [number, number][] } }
}
async function list(query = '', who = user): Promise<{ conversations: Listed[]; next?: string }> {
  const { status, body } = await who.get(`/conversations${query}`)
  expect(status).toBe(200)
  return body as { conversations: Listed[]; next?: string }
}
const idsOf = ({ conversations }: { conversations: Listed[] }) => conversations.map(({ id }) => id)
async function talk(message: string, id = newId()): Promise<string> {
  const { status } = await user.post({ id, message })
  expect(status).toBe(200)
  return id
}

describe('the list of conversations', () => {
  it('is read to its end by the value that each page names, also by clients that encode nothing', async () => {
    const ids = [await talk('One'), await talk('Two'), await talk('Three')].reverse()
    const first = await list('?limit=2')
    expect(idsOf(first)).toEqual(ids.slice(0, 2))
    const rest = await list(`?limit=2&before=${first.next}`)
    expect(idsOf(rest)).toEqual(ids.slice(2))
    expect(rest.next).toBeUndefined()
    const [newest] = first.conversations as unknown as { updatedAt: string }[]
    expect(idsOf(await list(`?before=${newest?.updatedAt}`))).toEqual(ids.slice(1))
  })

  it('pins and archives, alone or together with a title', async () => {
    const [old, young] = [await talk('Old'), await talk('Young')]
    const pinned = await user.send('PATCH', `/conversations/${old}`, { pinned: true, title: 'Kept' })
    expect(pinned.body).toEqual({ id: old, title: 'Kept', pinned: true })
    expect(idsOf(await list())).toEqual([old, young])
    await user.send('PATCH', `/conversations/${young}`, { archived: true })
    expect(idsOf(await list())).toEqual([old])
    expect(idsOf(await list('?archived=true'))).toEqual([young])
    const stranger = await signUp(chat.stack)
    expect((await stranger.send('PATCH', `/conversations/${old}`, { pinned: false })).status).toBe(404)
  })
})

describe('a search', () => {
  it('answers with the part of the message that has the words, as text with ranges', async () => {
    answer(() =>
      say(`${'Before it. '.repeat(30)}The <b>Brightline</b> offer is due on Friday. ${'After. '.repeat(30)}`),
    )
    const id = await talk('What is due?')
    await talk('Something else')
    answer(() => say('Noted.'))
    const stranger = await signUp(chat.stack)
    expect(idsOf(await list('?q=brightline', stranger))).toEqual([])
    const { conversations } = await list('?q=BRIGHT+frid')
    const match = conversations[0]?.match
    expect(conversations.map((one) => one.id).at(-1)).toBe(id)
    const { text = '', ranges = [] } = match?.message ?? {}
    expect(text).toContain('The <b>Brightline</b> offer')
    expect(text.length).toBeLessThan(170)
    expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['Bright', 'Frid'])
  })

  it('finds a mail by what stands only in it, however it is spelled, and marks that', async () => {
    const sender = await signUpWithMail(chat.stack, 'always')
    const mail = {
      to: ['ada@example.com'],
      subject: 'Straßenfest',
      body: 'Bei Müllers gibt es Crème brûlée.',
    }
    answer(() => callTool('smtp_send_email', mail))
    const id = newId()
    const { answer: waiting } = await sender.post({ id, message: 'Lade ada@example.com ein' })
    expect(waiting?.status).toBe('needs_approval')
    for (const q of ['strassenfest', 'mueller', 'MULLERS creme', 'brulee ada@example.com'])
      expect([q, idsOf(await list(`?q=${encodeURIComponent(q)}`, sender))]).toEqual([q, [id]])
    const { conversations } = await list('?q=mueller+strasse', sender)
    const { text = '', ranges = [] } = conversations[0]?.match?.message ?? {}
    expect(ranges.map(([from, to]) => text.slice(from, to)).sort()).toEqual(['Müller', 'Straße'])
  })

  it('takes ten thousand characters of anything for words', async () => {
    await talk('Rock & roll')
    for (const odd of ['&|!():*<->\'"%\\😀'.repeat(400), 'a'.repeat(6000), '%_'])
      expect(Array.isArray((await list(`?q=${encodeURIComponent(odd)}`)).conversations)).toBe(true)
  })
})

describe('the messages of a conversation', () => {
  it('come a hundred at a time, with the times they were written', async () => {
    const id = await talk('First')
    await withDatabase(
      chat.stack,
      (sql) => sql`
        with copies as (
          insert into askback.messages (user_id, conversation_id, id, turn_id, role, written_at)
          select user_id, conversation_id, 'copy' || n, turn_id, 'user', now()
          from askback.messages, generate_series(1, 120) n
          where user_id = ${user.id} and conversation_id = ${id} and role = 'user' order by n
          returning id
        )
        insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
        select user_id, conversation_id, 'copy' || n, run_id, -10 - n, entry
        from askback.entries, (select count(*) from copies) done, generate_series(1, 120) n
        where user_id = ${user.id} and sequence = -1`,
    )
    interface Page {
      messages: { id: string }[]
      times: Record<string, string>
      next?: string
    }
    const newest = (await user.get(`/conversations/${id}`)).body as Page
    expect(newest.messages).toHaveLength(100)
    expect(newest.messages.at(-1)?.id).toBe('copy120')
    expect(newest.next).toBe(newest.messages[0]?.id)
    const rest = (await user.get(`/conversations/${id}?before=${newest.next}&times=true`)).body as Page
    expect(rest.messages.map((one) => one.id).slice(2)).toEqual(
      Array.from({ length: 20 }, (_, number) => `copy${number + 1}`),
    )
    expect(rest.next).toBeUndefined()
    expect(Object.keys(rest.times)).toEqual(rest.messages.map((one) => one.id))
    for (const time of Object.values(rest.times))
      expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000)
    const nowhere = await user.get(`/conversations/${id}?before=never`)
    expect(nowhere).toMatchObject({ status: 404, body: { error: { code: 'message_not_found' } } })
  })
})

describe('a model that names conversations', () => {
  const titleOf = async (id: string) => (await list()).conversations.find((one) => one.id === id)?.title
  const asked = () => chat.model.requests.filter(({ body }) => isTitle(body))

  it('names one after its first answer, without delaying it, and counts toward the budgets', async () => {
    const { opened: released, open: release } = gate()
    const before = asked().length
    chat.model.use(async (request) => {
      if (!isTitle(request.body)) return say('Pack light.')
      await released
      return say('"A trip to Lisbon."')
    })
    const id = newId()
    const { answer: first } = await user.post({ id, message: 'What do I pack for Lisbon?\nSoon.' })
    expect(first).toMatchObject({ status: 'completed', text: 'Pack light.', usage: { modelCalls: 1 } })
    expect(await titleOf(id)).toBe('What do I pack for Lisbon?')
    release()
    await expect.poll(() => titleOf(id)).toBe('A trip to Lisbon')
    await user.post({ id, message: 'And shoes?' })
    expect(asked()).toHaveLength(before + 1)
    expect(JSON.stringify(asked().at(-1)?.body)).toContain('Pack light.')
    const used = await withDatabase(
      chat.stack,
      (sql) => sql`select purpose, model from askback.llm_usage where user_id = ${user.id} order by id`,
    )
    expect(used).toEqual([
      { purpose: null, model: expect.any(String) },
      { purpose: 'title', model: 'title-model' },
      { purpose: null, model: expect.any(String) },
    ])
    const [counted] = await withDatabase(
      chat.stack,
      (sql) => sql`
        select sum(model_calls)::int as calls, sum(tokens)::int as tokens from askback.usage where user_id = ${user.id}`,
    )
    expect(counted).toEqual({ calls: 3, tokens: 90 })
  })

  it('leaves the first words where it fails, and a title that the user has chosen', async () => {
    const before = asked().length
    answer(
      () => say('Noted.'),
      () => ({ status: 400, body: { error: { message: 'No such model.' } } }) as never,
    )
    const id = await talk('Keep these words')
    await expect.poll(() => asked().length).toBeGreaterThan(before)
    expect(await titleOf(id)).toBe('Keep these words')
    const { opened: released, open: release } = gate()
    const { opened: isTold, open: told } = gate()
    chat.model.use(async (request) => {
      if (!isTitle(request.body)) return say('Noted.')
      await released
      told()
      return say('Too late')
    })
    const named = await talk('Some words')
    await user.send('PATCH', `/conversations/${named}`, { title: 'Mine' })
    release()
    await isTold
    await talk('Another')
    expect(await titleOf(named)).toBe('Mine')
  })
})

describe('what is answered at length', () => {
  /** As it goes over the wire. */
  async function read(path: string, headers: Record<string, string>) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${chat.stack.url}/functions/v1${path}`, { headers }, resolve).on('error', reject)
    })
    expect(response.statusCode).toBe(200)
    return { headers: response.headers, bytes: await buffer(response) }
  }

  it('comes compressed to whoever accepts that, and is the same: 1,000 messages', async () => {
    await storeLongConversation(chat.stack, 500, user.email)
    const authorization = `Bearer ${user.token}`
    let messages = 0
    const size = { plain: 0, compressed: 0 }
    for (let before: string | undefined = ''; before !== undefined; ) {
      const path = `/chat/conversations/long?times=true${before && `&before=${before}`}`
      const plain = await read(path, { authorization })
      const compressed = await read(path, { authorization, 'accept-encoding': 'gzip' })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(compressed.headers['content-encoding']).toBe('gzip')
      expect(compressed.headers.vary).toMatch(/accept-encoding/i)
      const text = gunzipSync(compressed.bytes).toString()
      expect(text).toBe(plain.bytes.toString())
      const page = JSON.parse(text) as { messages: unknown[]; next?: string }
      messages += page.messages.length
      size.plain += plain.bytes.length
      size.compressed += compressed.bytes.length
      before = page.next
    }
    expect(messages).toBe(1000)
    expect(size.compressed).toBeLessThan(size.plain / 4)
  })

  it('is no stream of events: each of them arrives as it is written', async () => {
    const { headers } = await fetch(`${chat.stack.url}/functions/v1/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.token}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'accept-encoding': 'gzip, br',
      },
      body: JSON.stringify({
        id: newId(),
        messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
        trigger: 'submit-message',
      }),
    })
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(headers.get('content-encoding')).toBeNull()
  })
})
