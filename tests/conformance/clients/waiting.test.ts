import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChatApp } from '../../../support/chat-app.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../../support/chat-user.ts'
import { gate } from '../../../support/gate.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { type Site, startSite } from '../../../support/search-server.ts'
import { type ChatClient, closeTabs } from './chat-client.ts'
import { shown } from './read-stream.ts'
import { approvalIn, ask, ClientScenario, isClosed, mailToAda, newId, sendMail, textOf } from './scenario.ts'
import { type ClientMessage, versions } from './versions.ts'

// What a run waits for beside its user: a connection, the clock, a model that is silent, another process.

let scenario: ClientScenario
let search: Site
/** The chat function a second time, as another process of the same project. */
let elsewhere: string
let closeElsewhere: () => void

const json = 'application/json'
const busy = { body: '{"message":"Rate limit exceeded"}', type: json, status: 429 }
const found = {
  body: '{"organic":[{"title":"Museum","link":"https://example.com","snippet":"Open."}]}',
  type: json,
}
const busyFor = (seconds: number) =>
  search.pages.set('/search', { ...busy, headers: { 'retry-after': String(seconds) } })

beforeAll(async () => {
  search = await startSite()
  scenario = await ClientScenario.start({ SERPER_API_BASE_URL: search.url, ASKBACK_CLOCK_SECONDS: '0.2' })
  const app = startChatApp(scenario.chat)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`
  closeElsewhere = () => server.close()
  search.pages.set('/search', found)
  await connect(scenario.user, 'serper', { api_key: 'any' })
  await connectInbox(scenario.user)
})
afterAll(async () => {
  closeElsewhere?.()
  await scenario?.chat.stop()
  await search?.[Symbol.asyncDispose]()
})
beforeEach(() => scenario.chat.stack.inbox.clear())
afterEach(closeTabs)

/** As the settings do it: what waits for it goes on by itself. */
async function connect(user: ChatUser, provider: string, values: object): Promise<void> {
  const response = await fetch(
    `${scenario.chat.stack.url}/functions/v1/integration-settings/connections?test=false`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': json },
      body: JSON.stringify({ provider, values }),
    },
  )
  expect([response.status, await response.json()]).toEqual([201, expect.anything()])
}

async function connectInbox(user: ChatUser): Promise<void> {
  const { host, port, user: name, password } = scenario.chat.stack.smtp
  await connect(user, 'smtp', { host, port, user: name, password, from: 'sender@example.com' })
}

const dataOf = (type: string) => (message: ClientMessage | undefined) =>
  message?.parts.find((part) => part.type === type)?.data as Record<string, unknown> | undefined
const questionIn = dataOf('data-question')
const waitIn = dataOf('data-wait')

describe.each(versions)('a chat of %s', (version) => {
  /** The app's own look at the conversation, as often as it likes. */
  const until = (id: string, status: string) =>
    expect.poll(async () => (await scenario.stored(id)).status, { timeout: 20_000 }).toBe(status)

  it('shows what has to be connected, asks for nothing again, and goes on when that is done', async () => {
    const user = await signUp(scenario.chat.stack)
    await giveAgent(scenario.chat.stack, user.id, 'always')
    const stored = async () => (await user.get(`/conversations/${client.chat.id}`)).body as { status: string }
    const client = await scenario.openAs(user, version, newId(), { sendAutomaticallyWhen: 'tool calls' })
    scenario.chat.model.use([sendMail])
    await client.chat.sendMessage(ask)
    await client.until(({ status }) => status === 'ready')
    expect([client.posts(), client.last().metadata?.status]).toEqual([1, 'needs_connection'])
    expect(isClosed(client.last())).toBe(true)
    expect(questionIn(client.last())).toMatchObject({
      type: 'needs_connection',
      question: 'Question: Connect a mail account first.',
    })

    await connectInbox(user)
    await expect.poll(async () => (await stored()).status, { timeout: 20_000 }).toBe('needs_approval')
    const second = await scenario.openAs(user, version, client.chat.id, {
      messages: [client.chat.messages[0] as ClientMessage],
    })
    await second.chat.resumeStream()
    expect(questionIn(second.last())).toMatchObject({ answered: true })
    scenario.chat.model.use([say('Sent.')])
    await second.chat.addToolApprovalResponse({ id: approvalIn(second.last()), approved: true })
    await second.until(({ status }) => status === 'ready' && isClosed(second.last()))
    expect([second.chat.error, second.posts(), client.posts()]).toEqual([undefined, 1, 1])
    expect(textOf(second.last())).toMatch(/Sent\.$/)
    expect(await scenario.mails()).toEqual([mailToAda])
  })

  it('shows that it waits for the clock, which goes on by itself', async () => {
    const client = await scenario.open(version, newId(), { sendAutomaticallyWhen: 'tool calls' })
    busyFor(3600)
    scenario.chat.model.use([callTool('web_search', { query: 'museum' }), say('Found it.')])
    await client.chat.sendMessage({ text: 'Search for the museum' })
    await scenario.expectSettled(client, 1)
    expect(client.last().metadata?.status).toBe('waiting')
    expect(isClosed(client.last())).toBe(true)
    expect(Date.parse(String(waitIn(client.last())?.resumeAt))).toBeGreaterThan(Date.now() + 3_000_000)

    search.pages.set('/search', found)
    await withDatabase(
      scenario.chat.stack,
      (sql) => sql`update askback.open_items set resume_at = now() where conversation_id = ${client.chat.id}`,
    )
    await until(client.chat.id, 'completed')
    await scenario.resume(version, client)
    await scenario.expectSettled(client, 1)
    expect(textOf(client.last())).toMatch(/Found it\.\|*$/)
  })

  it('sees that a provider is waited for, a moment long', async () => {
    const client = await scenario.open(version)
    busyFor(1)
    scenario.chat.model.use([callTool('web_search', { query: 'museum' }), say('Found it.')])
    const sent = client.chat.sendMessage({ text: 'Search for the museum' })
    await client.until(() => waitIn(client.last())?.waitMs !== undefined)
    search.pages.set('/search', found)
    await sent
    await scenario.expectSettled(client, 1)
    expect(client.last().metadata?.status).toBe('completed')
    expect(client.last().parts.some(({ state }) => state === 'output-available')).toBe(true)
  })

  it('is the same in another process: reloaded, decided and told to the end', async () => {
    const here = await scenario.awaitApproval(version)
    const loaded = (await scenario.stored(here.chat.id)).messages
    const there = await scenario.open(version, here.chat.id, { api: elsewhere, messages: loaded })
    const { arrived, release } = scenario.held([say('Sent.')], 1)
    const decided = there.chat.addToolApprovalResponse({ id: approvalIn(there.last()), approved: true })
    await arrived
    // Its run is at work elsewhere: this tab, which decides as well, is told by what is stored.
    const late = here.chat.addToolApprovalResponse({ id: approvalIn(here.last()), approved: true })
    const reloaded = await scenario.open(version, here.chat.id, {
      resume: true,
      messages: [loaded[0] as ClientMessage],
    })
    release()
    await Promise.all([decided, late])
    for (const tab of [there, here]) {
      await tab.until(({ status }) => status === 'ready' && isClosed(tab.last()))
    }
    await reloaded.until(({ status }) => status === 'ready' && textOf(reloaded.last()).includes('Sent.'))
    await scenario.expectSettled(there, 1)
    await scenario.expectSettled(here, 2)
    await scenario.expectSettled(reloaded, 0)
    expect(await scenario.mails()).toEqual([mailToAda])
  })
})

it('opens at once and stays open while the model is silent, for every client', async () => {
  const id = newId()
  const { opened: released, open: release } = gate()
  scenario.chat.model.use(async () => {
    await released
    return say('At last.')
  })
  const clients: ChatClient[] = []
  for (const version of versions) {
    const client = await scenario.open(version)
    void client.chat.sendMessage({ text: 'Think' })
    clients.push(client)
  }
  const silent = await fetch(scenario.api, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${scenario.user.token}`,
      'content-type': json,
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ id, message: 'Think' }),
  })
  const reader = silent.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toMatch(/^data: \{"type":"start","messageId":"/)
  expect((await reader?.read())?.value).toBe(': keep-alive\n\n')
  for (const { chat } of clients) expect(['submitted', 'streaming']).toContain(chat.status)
  release()
  for (const client of clients) {
    await client.until(({ status }) => status === 'ready')
    await scenario.expectSettled(client, 1)
    expect(client.last().parts.map(shown)).toEqual([
      { type: 'step-start' },
      { type: 'text', text: 'At last.', state: 'done' },
    ])
  }
  await reader?.cancel()
})
