import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createGmailSimulator, type GmailSimulator } from '../../local/simulator/gmail.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import {
  consent,
  type GoogleOAuthServer,
  googleClient,
  googleEnvironment,
  startGoogleOAuth,
} from '../../support/google-oauth-server.ts'
import { callTool, fail, say } from '../../support/model-server.ts'

const gmailSend = 'https://www.googleapis.com/auth/gmail.send'
const modelKey = 'sk-planted-model-key-of-the-user'
const secrets: string[] = [modelKey, googleClient.clientSecret]

let chat: ChatStack
let google: GoogleOAuthServer
let gmail: GmailSimulator
let gmailServer: ReturnType<typeof createAdaptorServer>

beforeAll(async () => {
  google = await startGoogleOAuth()
  gmail = createGmailSimulator({ accountOf: google.accountOf })
  gmailServer = createAdaptorServer({ fetch: gmail.app.fetch })
  await new Promise<void>((resolve) => gmailServer.listen(0, '127.0.0.1', () => resolve()))
  chat = await startChatStack({
    LLM_PROVIDER: 'openai',
    ...googleEnvironment(google.url),
    GMAIL_API_BASE_URL: `http://127.0.0.1:${(gmailServer.address() as AddressInfo).port}`,
  })
  secrets.push(chat.stack.smtp.password)
})
afterAll(async () => {
  await chat?.stop()
  await google?.close()
  gmailServer?.close()
})

const seen: string[] = []

async function call(user: ChatUser, method: string, path: string, body?: unknown) {
  const response = await fetch(`${chat.stack.url}/functions/v1/integration-settings${path}`, {
    method,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  seen.push(text)
  return { status: response.status, json: JSON.parse(text) }
}

/** Everything that a browser does, from the settings over Google's page and back. */
async function signInWithGoogle(user: ChatUser, request: { returnTo: string } & Record<string, unknown>) {
  const begun = await call(user, 'POST', '/oauth/start', request)
  const back = await consent(begun.json.url)
  expect(back.origin).toBe(chat.stack.url)
  const redirect = await fetch(back, { redirect: 'manual' })
  expect(redirect.status).toBe(303)
  const page = new URL(redirect.headers.get('location') ?? '')
  expect(page.href.split('&connecting')[0]).toBe(request.returnTo)
  expect(await (await fetch(page)).text()).toContain('<div id="app">')
  return await call(user, 'POST', '/oauth/complete', { code: page.searchParams.get('code') })
}

const smtpValues = (password = chat.stack.smtp.password) => {
  const { host, port, user } = chat.stack.smtp
  return { host, port, user, password, from: 'ada@example.com' }
}

describe('the integration settings', () => {
  it('connect Gmail over Google’s page, and let the waiting mail go out by itself', async () => {
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'never')
    const mail = { to: ['ada@example.com'], subject: 'From Gmail', body: 'It waited.' }
    chat.model.use([callTool('gmail_send_email', mail), say('It is sent.')])
    const parked = await user.post({ message: 'Write to ada@example.com that it waited.' })
    const href = new URL(parked.answer.pending?.[0]?.href ?? '')
    expect(href.href).toBe(`${chat.stack.url}/settings/integrations?provider=gmail&tools=gmail_send_email`)

    const told = chat.model.waitForRequest(chat.model.requests.length + 1)
    const tools = href.searchParams.get('tools')?.split(',')
    const done = await signInWithGoogle(user, { provider: 'gmail', returnTo: href.href, tools })
    expect([done.status, done.json.connection]).toMatchObject([
      201,
      { account: 'ada@gmail.test', status: 'connected', scopes: [gmailSend] },
    ])
    await told
    const path = `/${parked.answer.conversationId}/resume`
    expect((await user.post({}, { path })).answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    const { sent } = gmail.mailbox('ada@gmail.test')
    expect(sent.map(({ raw }) => /^Subject: (.*)$/m.exec(raw.toString())?.[1]?.trim())).toEqual([
      'From Gmail',
    ])

    const { id } = done.json.connection
    expect((await call(user, 'POST', `/connections/${id}/test`)).json).toMatchObject({ ok: true })
    const removed = await call(user, 'DELETE', `/connections/${id}`)
    expect(removed.json).toMatchObject({ deleted: id, revoked: true })
    expect(removed.json.lost[0].tools).toContain('gmail_send_email')
  })

  it('say why a mail server refuses, and keep nothing', async () => {
    const user = await signUp(chat.stack)
    const refused = await call(user, 'POST', '/connections', {
      provider: 'smtp',
      values: smtpValues('wrong'),
    })
    expect([refused.status, refused.json.error.code]).toEqual([422, 'connection_test_failed'])
    expect(refused.json.error.message).toMatch(/password/i)
    const { json } = await call(user, 'GET', '/')
    const smtp = json.providers.find(({ id }: { id: string }) => id === 'smtp')
    expect(smtp.connections).toEqual([])
  })

  it('refuse one connection too many, however it is made, and give back what Google granted for it', async () => {
    const user = await signUp(chat.stack)
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.limits (scope, subject, measure, value) values
          ('user', ${user.id}, 'connections', 1), ('user', ${user.id}, 'permissions', 0)`,
    )
    const smtp = { provider: 'smtp', values: smtpValues() }
    const refused = {
      status: 403,
      json: {
        error: {
          code: 'limit_reached',
          message: 'You’ve reached your limit for connections (1). Delete one that you no longer use.',
        },
      },
    }
    const made = await call(user, 'POST', '/connections', smtp)
    expect(made.status).toBe(201)
    expect(await call(user, 'POST', '/connections', { ...smtp, label: 'Another' })).toEqual(refused)
    const asked = google.requests.length
    const signIn = {
      provider: 'gmail',
      tools: ['gmail_send_email'],
      returnTo: `${chat.stack.url}/settings/integrations?provider=gmail`,
    }
    expect(await signInWithGoogle(user, signIn)).toEqual(refused)
    expect(google.requests.slice(asked)).toEqual(['authorization_code', 'revoke'])
    await call(user, 'DELETE', `/connections/${made.json.connection.id}`)
    expect((await call(user, 'POST', '/connections', smtp)).status).toBe(201)

    const agentId = await giveAgent(chat.stack, user.id, 'never')
    const permission = { agentId, toolName: 'smtp_send_email', pattern: 'a@example.com', max: 1, per: 'day' }
    const answer = await fetch(`${chat.stack.url}/functions/v1/chat/permissions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(permission),
    })
    expect([answer.status, (await answer.json()).error]).toEqual([
      403,
      {
        code: 'limit_reached',
        message: 'You’ve reached your limit for standing permissions (0). Revoke some of them first.',
      },
    ])
  })

  it('let exactly the waiting mail go out by itself, once, when its account is connected', async () => {
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'never')
    await chat.stack.inbox.clear()
    const mail = { to: ['ada@example.com'], subject: 'Parked', body: 'It waited.' }
    chat.model.use([callTool('smtp_send_email', mail), say('It is sent.')])
    const parked = await user.post({ message: 'Write to ada@example.com that it waited.' })
    expect(parked.answer.status).toBe('needs_connection')
    const href = parked.answer.pending?.[0]?.href ?? ''
    expect(href).toBe(`${chat.stack.url}/settings/integrations?provider=smtp`)
    expect((await fetch(href)).status).toBe(200)
    expect(await chat.stack.inbox.messages()).toEqual([])

    const told = chat.model.waitForRequest(chat.model.requests.length + 1)
    const made = await call(user, 'POST', '/connections', { provider: 'smtp', values: smtpValues() })
    expect(made.status).toBe(201)
    // The model hears of the result: nobody has asked for anything meanwhile.
    await told
    const resumed = await user.post({}, { path: `/${parked.answer.conversationId}/resume` })
    expect(resumed.answer).toMatchObject({ status: 'completed', text: 'It is sent.' })
    expect((await chat.stack.inbox.messages()).map(({ subject }) => subject)).toEqual(['Parked'])
  })

  it('let an owner say over the data API what an agent asks first, and what is off', async () => {
    const user = await signUp(chat.stack)
    const agentId = await giveAgent(chat.stack, user.id, 'never')
    await call(user, 'POST', '/connections', { provider: 'smtp', values: smtpValues() })
    const client = createClient(chat.stack.url, chat.stack.keys.publishableKey, {
      accessToken: async () => user.token,
      realtime: { transport: WebSocket as never },
    })
    const request = { message: 'Write to ada@example.com.' }
    const mail = callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' })
    const permit = async (permission: { allowed: boolean; approval: string | null }) => {
      const row = { agent_id: agentId, tool_name: 'smtp_send_email', ...permission }
      const { error } = await client.schema('askback').from('agent_tool_permissions').upsert(row)
      expect(error).toBeNull()
    }
    await permit({ allowed: true, approval: 'always' })
    chat.model.use([mail])
    expect((await user.post(request)).answer.status).toBe('needs_approval')
    await permit({ allowed: false, approval: null })
    chat.model.use([say('I cannot send mail.')])
    await user.post(request)
    const offered = chat.model.requests
      .at(-1)
      ?.body.tools?.map((tool) => 'function' in tool && tool.function.name)
    expect(offered).not.toContain('smtp_send_email')
    expect(offered).toContain('smtp_test_connection')
  })

  it('put a user’s own key for a model before the server’s', async () => {
    const user = await signUp(chat.stack)
    chat.model.use([say('Hello.'), say('Hello again.')])
    await user.post({ message: 'Hello.' })
    expect(chat.model.requests.at(-1)?.headers.authorization).toBe('Bearer any')
    const made = await call(user, 'POST', '/connections', {
      provider: 'openai',
      values: { api_key: modelKey },
    })
    expect(made.status).toBe(201)
    await user.post({ message: 'Hello again.' })
    expect(chat.model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${modelKey}`)

    // The provider withdraws it: its owner is told, and answered with the server's meanwhile.
    chat.model.use([fail(401), say('With another key.')])
    const refused = await user.post({ message: 'Are you there?' })
    expect([refused.status, refused.error?.code]).toEqual([502, 'own_key_refused'])
    expect(refused.error?.message).toMatch(/^Your own API key for OpenAI was refused\. Correct or remove it/)
    expect((await user.post({ message: 'And now?' })).answer.text).toBe('With another key.')
    expect(chat.model.requests.at(-1)?.headers.authorization).toBe('Bearer any')
  })

  it('leave no secret in an answer, a log or the database', async () => {
    const tables = await withDatabase(chat.stack, async (sql) => {
      const names = await sql`select tablename from pg_tables where schemaname = 'askback'`
      return await Promise.all(names.map(({ tablename }) => sql`select * from askback.${sql(tablename)}`))
    })
    const places = { answers: seen.join('\n'), log: chat.stack.output(), database: JSON.stringify(tables) }
    for (const [place, text] of Object.entries(places)) {
      for (const secret of [...secrets, 'ya29.', '1//0']) {
        expect(text.includes(secret), `${place} holds ${secret}`).toBe(false)
      }
    }
  })
})
