import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChatProcess } from '../../support/chat-process.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { callTool, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { type SlowMailServer, startSlowMailServer } from '../../support/slow-mail-server.ts'
import { some } from '../../support/test-all.ts'

// Stop in an OpenAI client is a closed connection: through the gateway, and straight at a second process of the function.

let chat: ChatStack
let server: SlowMailServer
let user: ChatUser
let agent: string
let cautious: string
/** Base URLs of two processes of the chat function. */
let gateway: string
let hosted: string
const ending = new AbortController()
/** The mail server takes a mail once this is over. */
let accepting: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  server = await startSlowMailServer(async (stage) => void (stage === 'message' && (await accepting)))
  chat = await startChatStack()
  server.trustIn(chat.stack)
  user = await signUp(chat.stack)
  agent = await giveAgent(chat.stack, user.id, 'never')
  cautious = await giveAgent(chat.stack, user.id, 'always')
  await server.connect(chat.stack, user.id)
  gateway = `${chat.stack.url}/functions/v1/chat/v1`
  hosted = (await startChatProcess(chat, ending.signal)).url
})
afterAll(async () => {
  ending.abort()
  await chat?.stop()
  await server?.close()
})
beforeEach(() => {
  accepting = Promise.resolve()
})

const openAi = (baseURL: string, options: { timeout?: number; maxRetries?: number } = {}) =>
  new OpenAI({ apiKey: user.token, baseURL, maxRetries: 0, ...options })

/** A turn that sends a mail to somebody whom no other test writes to; the model calls the tool once it may. */
function prepare({ model = agent } = {}) {
  const to = `${randomUUID()}@example.com`
  const may = gate()
  const seen = chat.model.requests.length
  chat.model.use(async ({ number }) => {
    if (number - seen > 1) return say('It is sent.')
    await may.opened
    return callTool('smtp_send_email', { to: [to], subject: 'Hi', body: 'Hello' })
  })
  const request = { model, messages: [{ role: 'user' as const, content: `Say hello to ${to}` }] }
  const run = async () => {
    const rows = await withDatabase(
      chat.stack,
      (sql) => sql`
        select r.id, r.status, r.left_at, r.conversation_id,
          (select count(*)::int from jsonb_object_keys(coalesce(r.followers, '{}'))) as followers
        from askback.runs r
        join askback.entries e on e.run_id = r.id and e.type = 'user-message'
        where e.entry::text like ${`%${to}%`} order by r.started_at desc limit 1`,
    )
    return rows[0] ?? {}
  }
  return {
    request,
    run,
    mails: () => server.mailsTo(to).length,
    letModelCall: may.open,
    modelAsked: chat.model.waitForRequest(seen + 1),
    followedBy: (count: number) => expect.poll(async () => (await run()).followers).toBe(count),
    isLeft: () => expect.poll(async () => (await run()).left_at).toBeTruthy(),
    /** The call is stored, so its claim was made: it is held. */
    isHeld: () =>
      expect
        .poll(async () => {
          const { id } = await run()
          return withDatabase(
            chat.stack,
            (sql) => sql`select 1 from askback.entries where run_id = ${id} and type = 'step-end'`,
          )
        })
        .toHaveLength(1),
    isStopped: () => expect.poll(async () => (await run()).status, { timeout: 30_000 }).toBe('stopped'),
    pass: async (seconds: number) => {
      const { id } = await run()
      await withDatabase(
        chat.stack,
        (sql) =>
          sql`update askback.runs set left_at = left_at - make_interval(secs => ${seconds}) where id = ${id}`,
      )
    },
    said: async () => {
      const { body } = await user.get(`/conversations/${(await run()).conversation_id}`)
      return JSON.stringify((body as { messages: unknown[] }).messages.at(-1))
    },
  }
}
type Turn = ReturnType<typeof prepare>

/** Ways in which a client closes its connection while its answer is not there yet. */
const ways: [name: string, open: (turn: Turn, url: string) => () => void][] = [
  [
    'a stream that the SDK aborts',
    ({ request }, url) => {
      const leaving = new AbortController()
      openAi(url)
        .chat.completions.create({ ...request, stream: true }, { signal: leaving.signal })
        .then(async (stream) => {
          for await (const _ of stream);
        })
        .catch(() => {})
      return () => leaving.abort()
    },
  ],
  [
    'a plain request that the SDK aborts',
    ({ request }, url) => {
      const leaving = new AbortController()
      openAi(url)
        .chat.completions.create(request, { signal: leaving.signal })
        .catch(() => {})
      return () => leaving.abort()
    },
  ],
  [
    'a socket that is destroyed',
    ({ request }, url) => {
      const { hostname, port, pathname } = new URL(url)
      const body = JSON.stringify({ ...request, stream: true })
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.resume()
      socket.write(
        `POST ${pathname}/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${user.token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
      return () => socket.destroy()
    },
  ],
]
const open = (turn: Turn, url: string, way = 0) => ways[way]?.[1](turn, url) ?? (() => {})

describe.each([
  ['the gateway', () => gateway],
  ['the Deno of hosted functions', () => hosted],
])('through %s', (_, url) => {
  it.each(ways)('%s before a write: nothing is sent, and the conversation says so', async (_, begin) => {
    const turn = prepare()
    const close = begin(turn, url())
    await turn.modelAsked
    close()
    await turn.isLeft()
    turn.letModelCall()
    await turn.isHeld()
    await turn.pass(10)
    await turn.isStopped()
    expect(turn.mails()).toBe(0)
    expect(await turn.said()).toContain('Stopped.')
  })

  it.each(some(ways))('%s, and the same request soon after: one mail, one answer', async (_, begin) => {
    const turn = prepare()
    const close = begin(turn, url())
    await turn.modelAsked
    close()
    await turn.isLeft()
    turn.letModelCall()
    await turn.isHeld()
    const again = await openAi(url()).chat.completions.create(turn.request)
    expect(again.choices[0]?.message.content).toBe('It is sent.')
    expect(turn.mails()).toBe(1)
  })

  it('a write that is under way ends, and the conversation tells of it', async () => {
    const turn = prepare()
    const taken = gate()
    accepting = taken.opened
    const close = open(turn, url())
    turn.letModelCall()
    await expect.poll(turn.mails).toBe(1)
    close()
    await turn.isLeft()
    await turn.pass(10)
    await expect.poll(async () => (await turn.run()).status).toBe('stopping')
    taken.open()
    await turn.isStopped()
    expect(turn.mails()).toBe(1)
    expect(await turn.said()).toMatch(/Stopped\..*Sent \\"Hi\\" to/s)
  })

  it('an SDK that gives up after two seconds and tries again gets its answer, and one mail goes out', async () => {
    const turn = prepare()
    const taken = gate()
    accepting = taken.opened
    const answer = openAi(url(), { timeout: 2000, maxRetries: 4 }).chat.completions.create(turn.request)
    await turn.isLeft()
    turn.letModelCall()
    await turn.followedBy(1)
    await expect.poll(turn.mails).toBe(1)
    await turn.isLeft()
    taken.open()
    expect((await answer).choices[0]?.message.content).toBe('It is sent.')
    expect(turn.mails()).toBe(1)
  })
})

describe.each([true, false])('the next answer of a named chat (the run was stopped: %s)', (isStopped) => {
  /** A chat whose client leaves while its mail is under way. */
  async function leaveWhileSending() {
    const turn = prepare()
    const defaultHeaders = { 'x-askback-conversation': randomUUID() }
    const client = new OpenAI({ apiKey: user.token, baseURL: gateway, maxRetries: 0, defaultHeaders })
    const taken = gate()
    accepting = taken.opened
    const leaving = new AbortController()
    const asked = client.chat.completions.create(turn.request, { signal: leaving.signal }).catch(() => {})
    turn.letModelCall()
    await expect.poll(turn.mails).toBe(1)
    leaving.abort()
    await asked
    await turn.isLeft()
    if (isStopped) {
      await turn.pass(10)
      await expect.poll(async () => (await turn.run()).status).toBe('stopping')
    }
    taken.open()
    await expect.poll(async () => (await turn.run()).status, { timeout: 30_000 }).toMatch(/stopped|completed/)
    return { turn, client }
  }

  it('to the same message says once what was done: “Stop”, then “Regenerate”', async () => {
    const { turn, client } = await leaveWhileSending()
    const again = await client.chat.completions.create(turn.request)
    const told = /Sent "Hi"|It is sent\./g
    expect(again.choices[0]?.message.content?.match(told)).toHaveLength(1)
    const streamed = client.chat.completions.stream(turn.request)
    const { choices } = await streamed.finalChatCompletion()
    expect(choices[0]?.message.content?.match(told)).toHaveLength(1)
    expect(turn.mails()).toBe(1)
  })

  it('tells what was done when nobody waited for it', async () => {
    const { turn, client } = await leaveWhileSending()
    chat.model.use([say('You are welcome.')])
    const next = await client.chat.completions.create({
      model: agent,
      messages: [...turn.request.messages, { role: 'user', content: 'Thanks' }],
    })
    expect(next.choices[0]?.message.content).toMatch(/^Sent "Hi" to .*You are welcome\.$/s)
    expect(turn.mails()).toBe(1)
  })
})

describe('two connections of one run, in two processes', () => {
  it('keep it going until the last one is closed', async () => {
    const turn = prepare()
    const closeFirst = open(turn, gateway)
    await turn.modelAsked
    const closeSecond = open(turn, hosted)
    await turn.followedBy(2)
    closeFirst()
    await turn.followedBy(1)
    expect((await turn.run()).left_at).toBeNull()
    closeSecond()
    await turn.isLeft()
    turn.letModelCall()
    await turn.isHeld()
    await turn.pass(10)
    await turn.isStopped()
    expect(turn.mails()).toBe(0)
  })

  it('are two, whichever is closed', async () => {
    const turn = prepare()
    const closeFirst = open(turn, gateway)
    await turn.modelAsked
    const second = openAi(hosted).chat.completions.create(turn.request)
    await turn.followedBy(2)
    closeFirst()
    await turn.followedBy(1)
    turn.letModelCall()
    expect((await second).choices[0]?.message.content).toBe('It is sent.')
    expect(turn.mails()).toBe(1)
  })
})

describe('a run whose client has left', () => {
  it('is stopped by its own process within some seconds after ten, while the model still writes', async () => {
    const turn = prepare()
    const close = open(turn, gateway)
    await turn.modelAsked
    close()
    const leftAt = Date.now()
    await turn.isStopped()
    expect(Date.now() - leftAt).toBeGreaterThan(9000)
    turn.letModelCall()
  })

  it('and that asks a person keeps its question', async () => {
    const turn = prepare({ model: cautious })
    const close = open(turn, gateway)
    await turn.modelAsked
    close()
    await turn.isLeft()
    turn.letModelCall()
    await expect.poll(async () => (await turn.run()).status).toBe('needs_approval')
    await turn.pass(60)
    await withDatabase(chat.stack, (sql) => sql`select askback_private.due_runs(1)`)
    const { body } = await user.get(`/conversations/${(await turn.run()).conversation_id}`)
    expect(body).toMatchObject({ status: 'needs_approval', pending: [{ type: 'approval' }] })
  })

  it('and whose process is killed sends nothing, until the same request comes again', async () => {
    const turn = prepare()
    const close = open(turn, gateway)
    await turn.modelAsked
    close()
    await turn.isLeft()
    turn.letModelCall()
    await turn.isHeld()
    process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
    await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
    await expireLeases(chat.stack, user.id)
    await withDatabase(chat.stack, (sql) => sql`select askback_private.due_runs(20)`)
    expect((await turn.run()).status).toBe('interrupted')
    expect(turn.mails()).toBe(0)
    const again = await openAi(gateway).chat.completions.create(turn.request)
    expect(again.choices[0]?.message.content).toBe('It is sent.')
    expect(turn.mails()).toBe(1)
  })
})

it('an app that closes its stream stops nothing', async () => {
  const turn = prepare()
  const leaving = new AbortController()
  const text = turn.request.messages[0]?.content
  const response = await fetch(`${chat.stack.url}/functions/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      id: randomUUID(),
      agentId: agent,
      messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text }] }],
      trigger: 'submit-message',
    }),
    signal: leaving.signal,
  })
  await response.body?.getReader().read()
  await turn.modelAsked
  leaving.abort()
  turn.letModelCall()
  await expect.poll(async () => (await turn.run()).status).toBe('completed')
  expect([turn.mails(), (await turn.run()).left_at]).toEqual([1, null])
})
