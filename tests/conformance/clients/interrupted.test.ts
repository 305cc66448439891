import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatUser, expireLeases, signUpWithMail, withDatabase } from '../../../support/chat-user.ts'
import { gate } from '../../../support/gate.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { pidOf } from '../../../support/pid-of.ts'
import { type Site, startSite } from '../../../support/search-server.ts'
import { startTcpProxy } from '../../../support/tcp-proxy.ts'
import { closeTabs } from './chat-client.ts'
import { readSse, shown } from './read-stream.ts'
import { ask, ClientScenario, isClosed, mail, newId, textOf } from './scenario.ts'
import { type ClientMessage, loadVersion, type Version, versions } from './versions.ts'

// Runs that are stopped, and processes that are killed, while clients look on.

let scenario: ClientScenario
let site: Site
beforeAll(async () => {
  scenario = await ClientScenario.start()
  site = await startSite()
})
afterAll(async () => {
  await scenario?.chat.stop()
  await site?.[Symbol.asyncDispose]()
})
beforeEach(() => scenario.chat.stack.inbox.clear())
afterEach(closeTabs)

/** A user whose agent sends without asking, over a mail server at this port. */
const sender = (port?: number) =>
  signUpWithMail(scenario.chat.stack, 'never', port === undefined ? {} : { port })

const stored = async (user: ChatUser, id: string) =>
  (await user.get(`/conversations/${id}`)).body as { status: string; messages: ClientMessage[] }
const runs = (id: string) =>
  withDatabase(
    scenario.chat.stack,
    (sql) => sql`select status from askback.runs where conversation_id = ${id} order by started_at`,
  )

describe.each(versions)('a chat of %s', (version: Version) => {
  it('that is stopped while a mail is on its way says that it was sent, once, and reads no further', async () => {
    const proxy = await startTcpProxy(scenario.chat.stack.smtp.port, { muteAfter: 100_000 })
    const user = await sender(proxy.port)
    const { token } = user
    const large = { ...mail, body: 'Hello Ada. '.repeat(20_000) }
    const { model, stack } = scenario.chat
    const seen = model.requests.length
    // In few pieces: clients read what they have of it anew with each.
    model.use([callTool('smtp_send_email', large, { fragments: { size: 100_000 } }), say('never read')])
    const client = await scenario.openAs({ token }, version, newId())
    const sent = client.chat.sendMessage(ask)
    // It has arrived, and the mail server's word for it has not.
    await expect.poll(() => stack.inbox.messages()).toHaveLength(1)
    const stopped = user.post(undefined, { path: `/${client.chat.id}/stop` })
    await expect.poll(() => runs(client.chat.id)).toEqual([{ status: 'stopping' }])
    proxy.unmute()
    expect((await stopped).answer).toMatchObject({ stopped: true })
    await sent
    await client.until(({ status }) => status === 'ready')
    expect([client.chat.error, client.posts()]).toEqual([undefined, 1])
    expect(isClosed(client.last())).toBe(true)
    expect(client.last().parts.map(({ state }) => state)).toContain('output-available')
    expect(textOf(client.last())).toMatch(/stopped/i)
    const { messages } = await stored(user, client.chat.id)
    expect(client.last().parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
    expect(await stack.inbox.messages()).toHaveLength(1)
    expect(model.requests.length).toBe(seen + 1)
    await proxy.close()
  })

  it('that is stopped while it reads ends at once, and closes what it has shown', async () => {
    const user = await sender()
    const { token } = user
    const { opened: released, open: release } = gate()
    const { opened: arrived, open: asked } = gate()
    site.hold = async () => {
      asked()
      await released
    }
    scenario.chat.model.use([callTool('scrape_and_summarize', { urls: [`${site.url}/page`] })])
    const client = await scenario.openAs({ token }, version, newId())
    const sent = client.chat.sendMessage({ text: `Read ${site.url}/page` })
    await arrived
    const { answer } = await user.post(undefined, { path: `/${client.chat.id}/stop` })
    expect(answer).toMatchObject({ stopped: true })
    await sent
    release()
    site.hold = undefined
    await client.until(({ status }) => status === 'ready')
    expect(client.chat.error).toBeUndefined()
    expect(isClosed(client.last())).toBe(true)
    const { messages } = await stored(user, client.chat.id)
    expect(client.last().parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
  })

  it('whose process is killed hears of it, is told so when it resumes, and gets the whole message when it asks again', async () => {
    const user = await sender()
    const { token } = user
    const { model, stack } = scenario.chat
    const client = await scenario.openAs({ token }, version, newId())
    model.use([say('Once upon a time there was', { hang: true, afterChunks: 3 })])
    const sent = client.chat.sendMessage({ text: 'Tell me a story' })
    await client.until(() => client.last()?.parts.some((part) => part.text?.startsWith('Once')))
    process.kill(pidOf(stack.pids(), 'chat'), 'SIGKILL')
    await sent
    expect([client.chat.status, client.posts()]).toEqual(['error', 1])

    // Its sockets close one after another: a request that comes in between is answered by nobody.
    await expect.poll(() => stack.pids().chat).toBeUndefined()
    // The new process knows it by what is stored, and that nobody works on it any more.
    const resumed = await fetch(`${scenario.api}/${client.chat.id}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(resumed.status).toBe(200)
    await expireLeases(stack, user.id)
    const ai = await loadVersion(version)
    const { problems } = await readSse(ai, resumed.body as never)
    expect(problems).toEqual(['error: The answer was interrupted. Send the message again.'])

    model.use([say('Once upon a time there was a fox.')])
    await client.chat.regenerate()
    await client.until(({ status }) => status === 'ready')
    expect([client.chat.error, client.posts()]).toEqual([undefined, 2])
    expect(textOf(client.last())).toBe('|Once upon a time there was a fox.')
    const { messages } = await stored(user, client.chat.id)
    expect(client.chat.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
    const reloaded = await scenario.openAs({ token }, version, client.chat.id, {
      resume: true,
      messages: [messages[0] as ClientMessage],
    })
    await reloaded.until(({ status }) => status === 'ready' && reloaded.last().role === 'assistant')
    expect(reloaded.last().parts.map(shown)).toEqual(messages.at(-1)?.parts.map(shown))
  })
})
