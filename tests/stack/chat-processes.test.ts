import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ChatApp, startChatApp } from '../../support/chat-app.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { replyLate } from '../../support/late-reply.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'
import { project } from '../../support/stack.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { useStarted } from '../../support/use-started.ts'

// Edge functions run in as many processes as the platform likes: what one begins, another one is asked about.

const chat = useStarted(() => startChatStack())
let other: ChatApp
let user: ChatUser

beforeAll(async () => {
  other = startChatApp(chat)
  user = await signUpWithMail(chat.stack, 'never')
})

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const elsewhere = (body: unknown, path = '') => other.post(body, { token: user.token, path })

/** The first model call hangs until it is released. */
const heldModel = (...replies: ModelServerReply[]) => replyLate(chat.model, replies)

describe('GET chat/health', () => {
  it('says without a token that the service works, and which version it is', async () => {
    const response = await fetch(`${chat.stack.url}/functions/v1/chat/health`)
    const { version } = JSON.parse(await readFile(`${project}/package.json`, 'utf8'))
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', version }])
  })

  it('says that the service is unavailable when the database is silent', async () => {
    const proxy = await startTcpProxy(Number(new URL(chat.stack.url).port), { muteAfter: 0 })
    try {
      const app = startChatApp(chat, { url: `http://127.0.0.1:${proxy.port}` })
      const response = await app.fetch(new Request('http://localhost/chat/health'))
      expect([response.status, await response.json()]).toEqual([503, { status: 'unavailable' }])
    } finally {
      await proxy.close()
    }
  })
})

describe('a run of another process', () => {
  it('is joined by the same message, and answered once', async () => {
    const { arrived, release } = heldModel(callTool('smtp_send_email', mail), say('Sent.'))
    const body = { id: 'joined', message: 'Say hello to ada@example.com', messageId: 'm-1' }
    const first = user.post(body)
    await arrived
    const second = elsewhere(body)
    release()
    expect((await second).answer).toEqual((await first).answer)
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('is stopped from here', async () => {
    const { arrived, release } = heldModel()
    const running = user.post({ id: 'stopped', message: 'Tell me a long story' })
    await arrived
    expect(await elsewhere({}, '/stopped/stop')).toMatchObject({ status: 200, answer: { stopped: true } })
    const { answer } = await running
    release()
    expect(answer).toMatchObject({ status: 'failed', text: expect.stringMatching(/stopped/i) })
  })

  it('is stopped by a new message here, and may not begin to write any more', async () => {
    await chat.stack.inbox.clear()
    const { arrived, release } = heldModel(callTool('smtp_send_email', mail))
    const first = user.post({ id: 'replaced', message: 'Say hello to ada@example.com' })
    await arrived
    const second = elsewhere({ id: 'replaced', message: 'No, wait' })
    await expect
      .poll(
        () =>
          withDatabase(
            chat.stack,
            (sql) =>
              sql`select status from askback.runs where conversation_id = 'replaced' and status = 'stopping'`,
          ),
        { timeout: 10_000 },
      )
      .toHaveLength(1)
    release()
    expect((await first).answer).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/^Another message came before this was finished\./),
    })
    expect((await second).answer.status).toBe('completed')
    expect(await chat.stack.inbox.messages()).toHaveLength(0)
  })

  it('that died is taken over by whoever waits for it', async () => {
    const seen = chat.model.requests.length
    chat.model.use(({ number }) => (number - seen === 1 ? { hang: true } : say('Taken over.')))
    const body = { id: 'died', message: 'Hello', messageId: 'm-1' }
    const first = user.post(body)
    await chat.model.waitForRequest(seen + 1)
    const second = elsewhere(body)
    process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
    expect((await first).status).toBe(502)
    await expireLeases(chat.stack, user.id)
    expect((await second).answer).toMatchObject({ status: 'completed', text: 'Taken over.' })
  })
})
