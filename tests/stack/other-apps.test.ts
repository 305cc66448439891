import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { routes } from '../../shared/api/routes.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { chatUser, connectSmtp, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, say } from '../../support/model-server.ts'
import { otherApp, withClaims } from '../../support/other-app.ts'
import { project } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

// Supabase's OAuth server issues tokens of the user to other apps: they get nothing.

const ownApp = randomUUID()
const integrations = readdirSync(join(project, 'supabase/functions')).filter((name) => name.endsWith('-api'))
const chat = useStarted(() => startChatStack({ ASKBACK_OWN_CLIENTS: ownApp }))
let jwtSecret: string
beforeAll(async () => {
  jwtSecret = readKeys(chat.stack.dataDirectory).jwtSecret
})

/** A user, and the same user in another app. */
async function twoApps(clientId = otherApp) {
  const user = await signUp(chat.stack)
  const token = await withClaims(user.token, jwtSecret, { client_id: clientId })
  return { user, other: chatUser(chat.stack, { ...user, token }) }
}

async function ask(token: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${chat.stack.url}/functions/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

describe('the token of another app', () => {
  it('is refused on every route that takes a user’s', async () => {
    const { other } = await twoApps()
    const users = routes.filter(({ caller }) => ['user', 'operator', 'token'].includes(caller))
    expect(users.length).toBeGreaterThan(30)
    for (const { method, path } of users) {
      const place = path.replaceAll(/:\w+/g, () => randomUUID())
      const { status, body } = await ask(other.token, method, place, method === 'GET' ? undefined : {})
      expect([status, body.error.code], `${method} ${path}`).toEqual([403, 'foreign_client'])
    }
  })

  it.each([...integrations.flatMap((name) => [name, `${name}/test-connection`]), 'file-text'])(
    'is refused by %s',
    async (path) => {
      const { other } = await twoApps()
      const { status, body } = await ask(other.token, 'POST', `/${path}`, {})
      expect([status, body.error.code]).toEqual([403, 'foreign_client'])
    },
  )

  it('is refused by mcp-client, which answers only to functions of ours', async () => {
    const { other } = await twoApps()
    const { status, body } = await ask(other.token, 'POST', '/mcp-client/tools', { userId: randomUUID() })
    expect([status, body.error.code]).toEqual([401, 'unauthorized'])
  })

  it('makes no API token', async () => {
    const { user, other } = await twoApps()
    const made = await ask(other.token, 'POST', '/integration-settings/tokens', { name: 'Mine' })
    expect([made.status, made.body.error.code]).toEqual([403, 'foreign_client'])
    expect((await ask(user.token, 'GET', '/integration-settings/tokens')).body.tokens).toEqual([])
  })

  it('approves no write, not even one that the user has begun', async () => {
    const { user, other } = await twoApps()
    await giveAgent(chat.stack, user.id, 'always')
    await connectSmtp(chat.stack, user.id)
    chat.model.use([callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' })])
    const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com' })
    const approval = decisionOn(answer.pending?.[0], 'approve')
    const approve = (by: typeof user) => by.post(approval, { path: '/c/approval' })
    expect(await approve(other)).toMatchObject({ status: 403, error: { code: 'foreign_client' } })
    expect(await chat.stack.inbox.messages()).toEqual([])
    chat.model.use([say('Sent.')])
    expect((await approve(user)).answer.status).toBe('completed')
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('begins no conversation', async () => {
    const { user, other } = await twoApps()
    expect(await other.post({ id: 'c', message: 'Hello' })).toMatchObject({
      status: 403,
      error: { code: 'foreign_client' },
    })
    await withDatabase(chat.stack, async (sql) => {
      expect(await sql`select id from askback.conversations where user_id = ${user.id}`).toEqual([])
    })
  })
})

it('the token of one of the project’s own apps is the user’s for the functions, and reads nothing over the data API', async () => {
  const { other: own } = await twoApps(ownApp)
  chat.model.use([say('Hello.')])
  expect((await own.post({ id: 'c', message: 'Hello' })).answer).toMatchObject({ text: 'Hello.' })
  const read = await fetch(`${chat.stack.url}/rest/v1/conversations`, {
    headers: {
      apikey: chat.stack.keys.publishableKey,
      authorization: `Bearer ${own.token}`,
      'accept-profile': 'askback',
    },
  })
  expect([read.status, await read.json()]).toEqual([200, []])
})
