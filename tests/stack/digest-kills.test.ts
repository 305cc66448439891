import { afterEach, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { callTool } from '../../support/model-server.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { type RingServer, startRingServer } from '../../support/ring-server.ts'
import { useStarted } from '../../support/use-started.ts'

// The process of the clock is killed (kill -9) between taking a digest and storing that it was sent.

const chat = useStarted(() => startChatStack())
let server: RingServer
afterEach(async () => {
  await withDatabase(chat.stack, async (sql) => {
    await sql`delete from askback.on_open`
    await sql`delete from askback.digests`
    await sql`delete from askback.digest_settings`
  })
  await server.close()
})

const call = async (url: string) => {
  const secret = readKeys(chat.stack.dataDirectory).functionSecret
  return await fetch(`${url}/clock`, { method: 'POST', headers: { [clockHeader]: await signClock(secret) } })
}
/** The clock of the stack calls. */
const callClock = async () => {
  await withDatabase(chat.stack, (sql) => sql`update askback.clock set chain = null, chain_until = null`)
  await call(`${chat.stack.url}/functions/v1/chat`)
}
/** Two minutes go by, after which it calls. */
const goBy = async () => {
  await withDatabase(chat.stack, async (sql) => {
    await sql`update askback.digests set next_at = now() where next_at is not null`
    await sql`update askback.digests set begun_at = begun_at - interval '2 minutes'`
  })
  await callClock()
}
const digests = () => server.heard.filter(({ body }) => body.type === 'digest')
const noted = (user: ChatUser) =>
  withDatabase(chat.stack, async (sql) => {
    const [row] = await sql`
      select id, noted_at is not null as "isNoted" from askback.digests where user_id = ${user.id}`
    return row
  })
const unknown = () => [...chat.stack.output().matchAll(/"event":"digest-unknown","digestId":"([^"]+)"/g)]

/** Somebody whom a digest is due to. */
async function due(): Promise<ChatUser> {
  server = await startRingServer()
  await withDatabase(
    chat.stack,
    (sql) => sql`insert into askback.on_open (url, secret, digests) values (${server.url}, 'a secret', true)`,
  )
  const user = await signUpWithMail(chat.stack, 'always')
  chat.model.use([callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' })])
  await user.post({ id: 'c', message: 'Say hello to ada@example.com', messageId: 'm-1' })
  await user.send('PATCH', '/digest', { minutes: 5 })
  await withDatabase(
    chat.stack,
    (sql) =>
      sql`update askback.open_items set asked_at = now() - interval '1 hour' where user_id = ${user.id}`,
  )
  return user
}

/** Kills a process that the clock has called, once the database has answered it there, or once the digest has arrived. */
async function killAt(place: string): Promise<void> {
  const proxy = await startPausingProxy(chat.stack.url)
  const ending = new AbortController()
  const killed = await startChatProcess(chat, ending.signal, proxy.url)
  const { answered } = proxy.pauseNext(`/rpc/${place}`)
  const called = call(killed.url.replace(/\/v1$/, ''))
  if (place === 'silence') await expect.poll(() => digests().length, { timeout: 20_000 }).toBe(1)
  else await answered
  process.kill(killed.pid, 'SIGKILL')
  await Promise.allSettled([called])
  ending.abort()
  await proxy.close()
}

describe('a digest is sent once, where the process dies once the database has', () => {
  it.each(['take_digests', 'create_item_link', 'note_digest'])('answered %s', async (place) => {
    const user = await due()
    await killAt(place)
    await goBy()
    await expect
      .poll(
        async () => {
          await callClock()
          return [digests().length, (await noted(user))?.isNoted]
        },
        { timeout: 30_000 },
      )
      .toEqual([1, true])
    for (let time = 0; time < 3; time++) await goBy()
    expect(digests()).toHaveLength(1)
    expect(unknown()).toEqual([])
  })
})

describe('a digest that may be on its way is not sent again, and the log says so once, where the process dies', () => {
  it.each([
    ['before it has connected', 'begin_digest', 0],
    ['before it was answered', 'silence', 1],
  ])('%s', async (_, place, count) => {
    const before = unknown().length
    const user = await due()
    if (place === 'silence') server.answer('silence')
    await killAt(place)
    server.answer({ status: 200 })
    for (let time = 0; time < 4; time++) await goBy()
    await expect.poll(() => unknown().length).toBe(before + 1)
    expect(digests()).toHaveLength(count)
    expect(unknown().at(-1)?.[1]).toBe((await noted(user))?.id)
  })
})
