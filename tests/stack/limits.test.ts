import { randomUUID } from 'node:crypto'
import OpenAI, { APIError } from 'openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { earlyInWindow } from '../../support/early-in-window.ts'
import { callTool, say } from '../../support/model-server.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack())
let user: ChatUser

beforeEach(async () => {
  await earlyInWindow('hour')
  await chat.stack.inbox.clear()
  user = await signUp(chat.stack)
  chat.model.use(() => say('All right.'))
})

/** Sets a limit of this user. */
async function limit(measure: string, per: string | null, value: number, tool: string | null = null) {
  await withDatabase(
    chat.stack,
    (sql) => sql`
      insert into askback.limits (scope, subject, measure, per, tool, value)
      values ('user', ${user.id}, ${measure}, ${per}, ${tool}, ${value})
      on conflict (scope, subject, measure, per, tool) do update set value = excluded.value`,
  )
}

/** The clock ticks; resolves when what it has woken is over. */
async function tick(): Promise<void> {
  const headers = { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) }
  const ended = () =>
    withDatabase(
      chat.stack,
      (sql) => sql`
        select id from askback.runs
        where user_id = ${user.id} and resumed_run_id is not null and status <> 'running'`,
    )
  const before = (await ended()).length
  const ticked = await fetch(`${chat.stack.url}/functions/v1/chat/clock`, { method: 'POST', headers })
  const { resumed } = (await ticked.json()) as { resumed: number }
  await expect.poll(ended).toHaveLength(before + resumed)
}

/** The texts of a conversation, message by message. */
async function textsOf(id: string): Promise<string[]> {
  const { body } = await user.get(`/conversations/${id}`)
  const { messages } = body as { messages: { parts: { text?: string }[] }[] }
  return messages.map(({ parts }) => parts.flatMap(({ text }) => text ?? []).join('\n'))
}

/** The raw answer to a message. */
const postRaw = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${chat.stack.url}/functions/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('a budget that is used up', () => {
  it('makes a message wait, says until when, and answers it with the next one once the limit is raised', async () => {
    await limit('model_calls', 'day', 1)
    expect((await user.post({ id: 'first', message: 'Hello' })).answer.status).toBe('completed')
    const asked = chat.model.requests.length
    const { answer } = await user.post({ id: 'talk', message: 'What is the time?' })
    expect(answer).toMatchObject({ status: 'waiting', pending: [{ type: 'wait', code: 'wait_budget' }] })
    expect(answer.text).toMatch(
      /^You’ve used today’s budget\. It continues on \d+ \w+ at 00:0\d UTC\. To continue sooner, ask your administrator\.$/,
    )
    const more = await user.post({ id: 'talk', message: 'And the date?' })
    expect(more.answer).toMatchObject({ status: 'waiting' })
    expect(more.answer.pending).toHaveLength(1)
    expect(chat.model.requests).toHaveLength(asked)
    await tick()
    expect(chat.model.requests).toHaveLength(asked)

    await limit('model_calls', 'day', 100)
    chat.model.use(() => say('It is noon on Monday.'))
    await tick()
    expect(chat.model.requests).toHaveLength(asked + 1)
    const read = JSON.stringify(chat.model.requests.at(-1)?.body.messages)
    expect(read).toContain('What is the time?')
    expect(read).toContain('And the date?')
    expect((await textsOf('talk')).at(-1)).toContain('It is noon on Monday.')
    const { body } = await user.get('/conversations')
    expect((body as { conversations: { status: string }[] }).conversations[0]?.status).toBe('completed')
  })

  it('stops a run between two calls of the model, keeps what it did, and goes on from there', async () => {
    await limit('model_calls', 'hour', 1)
    chat.model.use([callTool('docs_search', { query: 'plan' }), say('There is none.')])
    const { answer } = await user.post({ id: 'search', message: 'Find the plan' })
    expect(answer).toMatchObject({ status: 'waiting', toolsUsed: [{ toolName: 'docs_search', ok: true }] })
    await limit('model_calls', 'hour', 100)
    await tick()
    const texts = await textsOf('search')
    expect(texts).toHaveLength(2)
    expect(texts.at(-1)).toContain('There is none.')
  })

  it('refuses a fourth conversation in the words of a person, for as long as it lasts', async () => {
    await limit('model_calls', 'day', 0)
    for (const id of ['a', 'b', 'c']) {
      expect((await user.post({ id, message: 'Hello' })).answer.status).toBe('waiting')
    }
    const refused = await postRaw({ id: 'd', message: 'Hello' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'rate_limited',
        message: expect.stringMatching(/^You’ve used today’s budget\. Try again on/),
      },
    })
    const { body } = await user.get('/conversations')
    expect((body as { conversations: unknown[] }).conversations).toHaveLength(3)
    await limit('model_calls', 'day', 100)
    for (let n = 3; n > 0; n--) await tick()
    for (const id of ['a', 'b', 'c']) expect((await textsOf(id)).at(-1)).toContain('All right.')
  })

  it('makes the rest of a run wait, after the write that was approved', async () => {
    await giveAgent(chat.stack, user.id, 'always')
    await connectSmtp(chat.stack, user.id)
    const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' }
    chat.model.use([callTool('smtp_send_email', mail), say('I sent it.')])
    const { answer } = await user.post({ id: 'mail', message: 'Say hello to ada@example.com' })
    await limit('model_calls', 'day', 1)
    const decided = await user.post(decisionOn(answer.pending?.[0] as never, 'approve'), {
      path: '/mail/approval',
    })
    expect(decided).toMatchObject({ status: 200, answer: { status: 'waiting' } })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    await limit('model_calls', 'day', 100)
    await tick()
    expect((await textsOf('mail')).at(-1)).toContain('I sent it.')
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('can be stopped, read and deleted while it waits', async () => {
    await limit('model_calls', 'day', 0)
    await user.post({ id: 'gone', message: 'Hello' })
    expect((await user.send('POST', '/gone/stop')).status).toBe(200)
    expect((await user.get('/conversations/gone')).status).toBe(200)
    expect((await user.send('DELETE', '/conversations/gone')).status).toBe(200)
  })

  it('is told of when four fifths are used, once, in JSON and in streams', async () => {
    await limit('model_calls', 'day', 5)
    for (let n = 0; n < 4; n++) {
      expect((await user.post({ message: `Hello ${n}` })).answer).not.toHaveProperty('notices')
    }
    await limit('model_calls', 'day', 8)
    await limit('tokens', 'day', 150)
    const { answer } = await user.post({ message: 'Hello again' })
    expect(answer.notices).toMatchObject([
      { code: 'budget_near', text: 'You’ve used 80% of today’s budget.' },
    ])
    await limit('model_calls', 'hour', 6)
    const streamed = await postRaw({ message: { role: 'user', parts: [{ type: 'text', text: 'More' }] } })
    const text = await streamed.text()
    expect(text.match(/"type":"data-notice"/g)).toHaveLength(1)
    expect(text).toContain('You’ve used 83% of this hour’s budget.')
  })
})

describe('writes', () => {
  it('beyond their number wait for the next window, and are made once then', async () => {
    await giveAgent(chat.stack, user.id, 'never')
    await connectSmtp(chat.stack, user.id)
    await limit('writes', 'hour', 1, 'smtp_send_email')
    const mailTo = (name: string) => ({ to: [`${name}@example.com`], subject: name, body: 'Hello' })
    chat.model.use([
      callTool('smtp_send_email', mailTo('ada')),
      callTool('smtp_send_email', mailTo('bob')),
      say('Both are sent.'),
    ])
    const { answer } = await user.post({
      id: 'mails',
      message: 'Write to ada@example.com, then to bob@example.com',
    })
    expect(answer).toMatchObject({ status: 'waiting', pending: [{ type: 'wait', code: 'wait_budget' }] })
    expect(answer.text).toMatch(
      /^You’ve reached your limit for changes with this tool \(1 per hour\)\. It continues on/,
    )
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    await limit('writes', 'hour', 10, 'smtp_send_email')
    await tick()
    expect((await chat.stack.inbox.messages()).map(({ to }) => to[0]).sort()).toEqual([
      'ada@example.com',
      'bob@example.com',
    ])
    expect((await textsOf('mails')).at(-1)).toContain('Both are sent.')
  })
})

describe('rates and numbers', () => {
  it('refuses messages beyond the answers that may be written at once, but never one that joins, or a stop', async () => {
    await limit('runs_at_once', null, 1)
    const asked = chat.model.requests.length
    chat.model.use(() => say('A long story.', { hang: true }))
    const body = { id: 'story', message: 'Tell me a story', messageId: 'm1' }
    const first = postRaw(body)
    await chat.model.waitForRequest(asked + 1)
    const refused = await postRaw({ id: 'other', message: 'Hello' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
    const joined = postRaw(body)
    expect((await user.send('POST', '/story/stop')).body).toMatchObject({ stopped: true })
    for (const answer of await Promise.all([first, joined])) expect(answer.status).toBe(200)
    chat.model.use(() => say('All right.'))
    expect((await postRaw({ id: 'other', message: 'Hello' })).status).toBe(200)
  })

  it('says to the AI SDK in plain text what it refuses', async () => {
    await limit('runs', 'day', 0)
    const refused = await postRaw({ message: { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } })
    expect([refused.status, refused.headers.get('x-askback-error')]).toEqual([429, 'rate_limited'])
    expect(await refused.text()).toBe(
      'You’ve reached your limit for new answers (0 per day). Wait a little, then try again.',
    )
  })

  it('refuses what would be one too many to keep with 403, and says what to delete', async () => {
    await limit('conversations', null, 1)
    await user.post({ id: 'only', message: 'Hello' })
    expect(await user.post({ message: 'Hello' })).toMatchObject({
      status: 403,
      error: {
        code: 'limit_reached',
        message: 'You’ve reached your limit for conversations (1). Delete some of them first.',
      },
    })
    expect((await user.post({ id: 'only', message: 'More' })).status).toBe(200)
    await limit('api_tokens', null, 0)
    const settings = await fetch(`${chat.stack.url}/functions/v1/integration-settings/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Editor' }),
    })
    expect([settings.status, await settings.json()]).toMatchObject([
      403,
      { error: { code: 'limit_reached' } },
    ])
    await limit('agents', null, 0)
    const agents = await fetch(`${chat.stack.url}/rest/v1/agents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.token}`,
        apikey: chat.stack.keys.publishableKey,
        'content-type': 'application/json',
        'content-profile': 'askback',
      },
      body: JSON.stringify({ user_id: user.id, name: 'One more', instructions: 'Be brief.' }),
    })
    expect([agents.status, await agents.json()]).toMatchObject([
      403,
      { message: 'You’ve reached your limit for agents (0). Delete one first.' },
    ])
  })

  it('refuses files and streams beyond their numbers', async () => {
    await limit('files', 'minute', 1)
    const file = (text: string) => ({
      type: 'file',
      mediaType: 'text/plain',
      filename: 'a.txt',
      url: `data:text/plain;base64,${btoa(text)}`,
    })
    const parts = [file('one'), file('two'), { type: 'text', text: 'Read these' }]
    await earlyInWindow('minute')
    const refused = await postRaw({ message: { role: 'user', parts } }, { accept: 'application/json' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    await limit('streams', null, 0)
    await user.post({ id: 'read', message: 'Hello' })
    const stream = await fetch(`${chat.stack.url}/functions/v1/chat/read/stream`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect([stream.status, stream.headers.get('x-askback-error')]).toEqual([429, 'rate_limited'])
    await limit('streams', null, 1)
    for (let n = 0; n < 2; n++) {
      const open = await fetch(`${chat.stack.url}/functions/v1/chat/read/stream`, {
        headers: { authorization: `Bearer ${user.token}` },
      })
      expect(open.status).toBe(200)
      await open.text()
      const left = () =>
        withDatabase(chat.stack, (sql) => sql`select id from askback.streams where user_id = ${user.id}`)
      await expect.poll(left).toHaveLength(0)
    }
  })
})

describe('OpenAI clients', () => {
  it('get 429 for a budget, are told not to repeat it, and nothing waits', async () => {
    const agent = await giveAgent(chat.stack, user.id, 'never')
    const client = new OpenAI({
      baseURL: `${chat.stack.url}/functions/v1/chat/v1`,
      apiKey: user.token,
      maxRetries: 2,
    })
    const ask = (content: string) =>
      client.chat.completions.create({ model: agent, messages: [{ role: 'user', content }] })
    await limit('model_calls', 'day', 1)
    expect((await ask(`Hello ${randomUUID()}`)).choices[0]?.message.content).toBe('All right.')
    const refused = await ask('Hello again').catch((error) => error)
    expect(refused).toBeInstanceOf(APIError)
    expect([refused.status, refused.headers.get('x-should-retry'), refused.code]).toEqual([
      429,
      'false',
      'rate_limited',
    ])
    expect((await user.get('/open')).body).toEqual({ items: [] })

    // A run that meets it on the way ends with what it has.
    await limit('model_calls', 'day', 2)
    chat.model.use([callTool('docs_search', { query: 'plan' }), say('There is none.')])
    const cut = await ask('Find the plan')
    expect(cut.choices[0]?.message.content).toContain('You’ve used today’s budget. Try again on')
    expect((await user.get('/open')).body).toEqual({ items: [] })
  })
})
