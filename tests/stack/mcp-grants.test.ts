import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { connectSmtp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { request } from '../../support/equipped-user.ts'
import { ask, post } from '../../support/mcp-client.ts'
import { startMcpProcess } from '../../support/mcp-process.ts'
import { OAuthClient, readJson, signUpAtApp } from '../../support/oauth-client.ts'
import { project, startStack, type TestStack } from '../../support/stack.ts'

// An app that connects over MCP signs its user in at the OAuth server, and may do what its user has granted it.

const ended = new AbortController()
let stack: TestStack
/** The function, behind no gateway. */
let mcp: string
beforeAll(async () => {
  stack = await startStack()
  const { port } = await startMcpProcess(stack, findDeno(), ended.signal)
  mcp = `http://127.0.0.1:${port}/mcp`
})
afterAll(async () => {
  ended.abort()
  await stack.stop()
})

type SignedUp = Awaited<ReturnType<typeof signUpAtApp>>
const path = '/integration-settings/mcp-grants'
const list = async ({ user }: SignedUp) => (await request(stack, user, 'GET', path)).json

async function newClient(name = 'An editor', url = mcp) {
  const client = new OAuthClient(url)
  await client.discover()
  await client.register(name)
  return client
}

/** Grants a client what the consent page would. */
async function grant(signedUp: SignedUp, { clientId }: { clientId: string }, more: object = {}) {
  const { agents } = await list(signedUp)
  return await request(stack, signedUp.user, 'POST', path, {
    clientId,
    clientName: 'An editor',
    redirectHost: '127.0.0.1',
    agentId: agents[0].id,
    tools: ['web_search'],
    ...more,
  })
}

/** A user whose client has a token, without a grant. */
async function signIn() {
  const signedUp = await signUpAtApp(stack)
  const client = await newClient()
  const tokens = await readJson(await client.exchange(await client.consent(signedUp.auth)))
  return { ...signedUp, client, token: tokens.access_token as string, tokens }
}

const who = async (token: string, url = mcp) =>
  JSON.parse((await ask({ url, token }, 'tools/call', { name: 'test_who' })).result.content[0].text).caller
const refusal = async (token: string, url = mcp) => {
  const response = await post({ url, token }, { id: 1, method: 'ping' })
  return [response.status, (await readJson(response)).error.code]
}

describe('a client', () => {
  it('finds its way from a refusal to a call, with the consent of its user', async () => {
    const signedUp = await signUpAtApp(stack)
    const { user, auth } = signedUp
    const client = await newClient('Claude Code', `${stack.url}/functions/v1/mcp`)
    const id = await client.begin()
    const { data: details } = await auth.oauth.getAuthorizationDetails(id)
    expect(details).toMatchObject({
      authorization_id: id,
      redirect_uri: client.redirectUri,
      client: { id: client.clientId, name: 'Claude Code' },
      user: { id: user.id, email: user.email },
    })
    const made = await grant(signedUp, client)
    const { data } = await auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true })
    const tokens = await readJson(await client.exchange(data?.redirect_url ?? ''))
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      client_id: client.clientId,
      iss: `${stack.url}/auth/v1`,
    })
    const { id: grantId, agentId } = made.json.grant
    expect(await who(tokens.access_token)).toMatchObject({
      userId: user.id,
      clientId: client.clientId,
      grant: `grant:${grantId}`,
      agentId,
      granted: { id: grantId, agentId, tools: ['web_search'], forms: false },
    })
    const refreshed = await readJson(
      await client.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    )
    expect(await who(refreshed.access_token)).toMatchObject({ userId: user.id })
    expect((await list(signedUp)).grants).toMatchObject([
      { clientId: client.clientId, clientName: 'An editor', used: 2, forms: false },
    ])
  })

  it('is described by its own document, if its id is the address of one', async () => {
    const documents = createServer((asked, answer) => {
      const id = `http://${asked.headers.host}${asked.url}`
      answer.setHeader('content-type', 'application/json')
      answer.end(
        JSON.stringify({
          client_id: asked.url === '/other.json' ? `${id}?` : id,
          client_name: 'By document',
          redirect_uris: ['http://127.0.0.1/callback'],
          token_endpoint_auth_method: 'none',
        }),
      )
    })
    await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve))
    const place = `http://127.0.0.1:${(documents.address() as AddressInfo).port}`
    const signedUp = await signUpAtApp(stack)
    const client = new OAuthClient(mcp)
    await client.discover()
    client.clientId = `${place}/client.json`
    await grant(signedUp, client)
    const { access_token: token } = await readJson(await client.exchange(await client.consent(signedUp.auth)))
    expect(await who(token)).toMatchObject({ clientId: client.clientId })
    for (const id of [
      `${place}/other.json`,
      'https://10.0.0.1/client.json',
      'http://example.com/client.json',
    ]) {
      client.clientId = id
      const refused = await fetch(client.authorizeUrl(), { redirect: 'manual' })
      expect([refused.status, (await readJson(refused)).error_code]).toEqual([400, 'oauth_client_not_found'])
    }
    documents.close()
  })

  it('that its user has not let in is told where they can', async () => {
    const { token, client } = await signIn()
    const refused = await post({ url: mcp, token }, { id: 1, method: 'ping' })
    const { error } = await readJson(refused)
    expect([refused.status, error.code]).toEqual([403, 'client_not_allowed'])
    expect(error.message).toContain(`${stack.url}/connect#client=${client.clientId}`)
  })

  it('uses the agents that it was granted, and no other', async () => {
    const signedUp = await signIn()
    const { token, client, user } = signedUp
    const { agents } = await list(signedUp)
    const [{ id: second } = { id: '' }] = await withDatabase(
      stack,
      (sql) => sql`
        insert into askback.agents (user_id, name, instructions) values (${user.id}, 'Second', 'Help.') returning id`,
    )
    const stranger = await signUpAtApp(stack)
    const { agents: theirs } = await list(stranger)
    await grant(signedUp, client, { agentId: second, tools: [] })
    expect(await who(token, `${mcp}/${second}`)).toMatchObject({ agentId: second })
    // Without an agent in the address, it is the one that was granted.
    expect(await who(token)).toMatchObject({ agentId: second })
    expect(await refusal(token, `${mcp}/${agents[0].id}`)).toEqual([403, 'client_not_allowed'])
    expect(await refusal(token, `${mcp}/${theirs[0].id}`)).toEqual([404, 'agent_not_found'])
    await grant(signedUp, client)
    expect(await who(token)).toMatchObject({ agentId: agents[0].id })
  })

  it('is no session of the app, which opens nothing here', async () => {
    const { user } = await signUpAtApp(stack)
    const refused = await post({ url: mcp, token: user.token }, { id: 1, method: 'ping' })
    expect([refused.status, (await readJson(refused)).error.code]).toEqual([401, 'unauthorized'])
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=')
  })

  it('with an API token for certain agents uses these, the oldest first', async () => {
    const signedUp = await signUpAtApp(stack)
    const { user } = signedUp
    const { agents } = await list(signedUp)
    const made = await withDatabase(
      stack,
      (sql) => sql`
        insert into askback.agents (user_id, name, instructions, created_at)
        values (${user.id}, 'Third', 'Help.', now() + interval '2 minutes'), (${user.id}, 'Second', 'Help.', now() + interval '1 minute')
        returning id, name`,
    )
    const idOf = (name: string) => made.find((one) => one.name === name)?.id as string
    const { json } = await request(stack, user, 'POST', '/integration-settings/tokens', {
      name: 'CI',
      scope: 'mcp',
      agents: [idOf('Third'), idOf('Second')],
    })
    const { value } = json.token
    expect(await who(value)).toMatchObject({ agentId: idOf('Second') })
    expect(await who(value, `${mcp}/${idOf('Third')}`)).toMatchObject({ agentId: idOf('Third') })
    expect(await refusal(value, `${mcp}/${agents[0].id}`)).toEqual([404, 'agent_not_found'])
  })

  it('is refused on every route of openapi.json, whatever it was granted', async () => {
    const signedUp = await signIn()
    const { token, client } = signedUp
    await grant(signedUp, client)
    const place = join(project, 'docs/openapi.json')
    const { paths } = JSON.parse(readFileSync(place, 'utf8')) as { paths: Record<string, object> }
    const operations = Object.entries(paths).flatMap(([one, of]) =>
      Object.entries(of as Record<string, { security: Record<string, unknown>[] }>).map(
        ([method, { security }]) => ({ one, method: method.toUpperCase(), security }),
      ),
    )
    let refused = 0
    for (const { one, method, security } of operations) {
      const at = one.replaceAll(/\{\w+\}/g, () => randomUUID())
      const body = method === 'GET' ? undefined : {}
      const said = await request(stack, { token }, method, at, body)
      const about = `${method} ${one}`
      if (security.some((by) => 'user' in by && !('link' in by))) {
        refused++
        expect([said.status, said.code], about).toEqual([403, 'foreign_client'])
      } else {
        // It is for nobody's token: this one is worth as much as none.
        const without = await request(stack, { token: '' }, method, at, body)
        expect([said.status, said.code], about).toEqual([without.status, without.code])
      }
    }
    expect(refused).toBeGreaterThan(50)
  })
})

describe('the OAuth server', () => {
  it('gives a code once, to whoever has asked for it', async () => {
    const signedUp = await signUpAtApp(stack)
    const client = await newClient()
    const other = await newClient('Another')
    const code = async (more = {}, by = client) => {
      const answer = await by.exchange(
        await client.consent(signedUp.auth).then((back) => atState(back, by)),
        more,
      )
      return [answer.status, (await readJson(answer)).error]
    }
    const atState = (back: string, by: OAuthClient) => back.replace(/state=[^&]*/, `state=${by.state}`)
    expect(await code({ code_verifier: 'x'.repeat(43) })).toEqual([400, 'invalid_grant'])
    await signedUp.auth.oauth.revokeGrant({ clientId: client.clientId })
    expect(await code({ redirect_uri: 'http://127.0.0.1:1/callback' })).toEqual([400, 'invalid_grant'])
    await signedUp.auth.oauth.revokeGrant({ clientId: client.clientId })
    expect(await code({}, other)).toEqual([400, 'invalid_grant'])
    await signedUp.auth.oauth.revokeGrant({ clientId: client.clientId })
    const callback = await client.consent(signedUp.auth)
    expect((await client.exchange(callback)).status).toBe(200)
    expect(await readJson(await client.exchange(callback))).toMatchObject({ error: 'invalid_grant' })
  })

  it('sends nobody to an address that was not registered', async () => {
    const client = await newClient()
    const refused = await fetch(client.authorizeUrl({ redirect_uri: 'https://evil.example.com/' }), {
      redirect: 'manual',
    })
    expect([refused.status, (await readJson(refused)).msg]).toEqual([400, 'invalid redirect_uri'])
    const withoutProof = await fetch(client.authorizeUrl({ code_challenge: '' }), { redirect: 'manual' })
    expect(withoutProof.headers.get('location')).toMatch(
      /^http:\/\/127\.0\.0\.1:33418\/callback\?error=invalid/,
    )
    for (const uri of ['javascript:alert(1)', 'http://example.com/', 'https://a.example/#b']) {
      const registered = await fetch(client.server.registration_endpoint, {
        method: 'POST',
        body: JSON.stringify({ redirect_uris: [uri] }),
      })
      expect(registered.status).toBe(400)
    }
  })

  it('lets nobody but its user decide about a request, and from no other page', async () => {
    const signedUp = await signUpAtApp(stack)
    const stranger = await signUpAtApp(stack)
    const client = await newClient()
    const id = await client.begin()
    expect((await signedUp.auth.oauth.getAuthorizationDetails(id)).error).toBeNull()
    expect((await stranger.auth.oauth.getAuthorizationDetails(id)).error?.code).toBe(
      'oauth_authorization_not_found',
    )
    const options = { skipBrowserRedirect: true }
    expect((await stranger.auth.oauth.approveAuthorization(id, options)).error?.code).toBe(
      'oauth_authorization_not_found',
    )
    const elsewhere = await fetch(`${stack.url}/auth/v1/oauth/authorizations/${id}`, {
      headers: { authorization: `Bearer ${signedUp.user.token}`, origin: 'https://evil.example.com' },
    })
    expect(elsewhere.status).toBe(400)
    const { data } = await signedUp.auth.oauth.denyAuthorization(id, options)
    expect(data?.redirect_url).toContain('error=access_denied')
  })

  it('asks once: whoever has agreed is sent on, and whoever takes it back is asked again', async () => {
    const { auth, client, tokens } = await signIn()
    const again = await auth.oauth.getAuthorizationDetails(await client.begin())
    expect(again.data).toMatchObject({ redirect_url: expect.stringContaining('code=') })
    expect((await auth.oauth.listGrants()).data).toMatchObject([
      { client: { id: client.clientId, name: 'An editor' }, scopes: ['email'] },
    ])
    expect((await auth.oauth.revokeGrant({ clientId: client.clientId })).error).toBeNull()
    expect((await auth.oauth.listGrants()).data).toEqual([])
    const refused = await client.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    expect(refused.status).toBe(400)
    const asked = await auth.oauth.getAuthorizationDetails(await client.begin())
    expect(asked.data).toMatchObject({ client: { id: client.clientId } })
  })
})

describe('a grant', () => {
  it('asked for twice at once is one', async () => {
    const signedUp = await signUpAtApp(stack)
    const client = { clientId: randomUUID() }
    const made = await Promise.all([1, 2, 3].map(() => grant(signedUp, client)))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(made.map(({ json }) => json.grant.id)).size).toBe(1)
    expect((await list(signedUp)).grants).toHaveLength(1)
  })

  it('is changed and revoked by its user, from the next call on', async () => {
    const signedUp = await signIn()
    const { user, token, client } = signedUp
    const { id } = (await grant(signedUp, client)).json.grant
    const change = (body: object, by = user) => request(stack, by, 'PATCH', `${path}/${id}`, body)
    expect((await change({ forms: true })).json.grant).toMatchObject({ forms: true, tools: ['web_search'] })
    expect((await change({ tools: ['smtp_send_email', 'ask_agent'] })).status).toBe(200)
    expect((await who(token)).granted).toMatchObject({ forms: true, tools: ['smtp_send_email', 'ask_agent'] })
    const stranger = await signUpAtApp(stack)
    expect((await change({ forms: false }, stranger.user)).code).toBe('grant_not_found')
    expect((await request(stack, stranger.user, 'DELETE', `${path}/${id}`)).code).toBe('grant_not_found')
    expect((await request(stack, user, 'DELETE', `${path}/${id}`)).json).toEqual({ deleted: id })
    expect(await refusal(token)).toEqual([403, 'client_not_allowed'])
    expect((await change({ forms: true })).code).toBe('grant_not_found')
    // A new one is another one: what was asked through the old one, it does not answer.
    expect((await grant(signedUp, client)).json.grant.id).not.toBe(id)
  })

  it('is about an agent of one’s own and tools that there are', async () => {
    const signedUp = await signUpAtApp(stack)
    const client = { clientId: randomUUID() }
    expect((await grant(signedUp, client, { agentId: randomUUID() })).code).toBe('agent_not_found')
    expect((await grant(signedUp, client, { tools: ['web_search', 'not_there'] })).code).toBe('unknown_tool')
    const { agents } = await list(signedUp)
    expect(agents[0].tools).toContainEqual({ name: 'web_search', effect: 'read', asks: false })
    expect(agents[0].tools).toContainEqual({ name: 'smtp_send_email', effect: 'write', asks: true })
  })

  it('ends with its agent', async () => {
    const signedUp = await signIn()
    const { token, client, user } = signedUp
    await grant(signedUp, client)
    await withDatabase(stack, (sql) => sql`delete from askback.agents where user_id = ${user.id}`)
    expect(await refusal(token)).toEqual([403, 'client_not_allowed'])
    expect((await list(signedUp)).grants).toEqual([])
  })
})

describe('what was not granted', () => {
  const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' }
  /** Over the gateway, where the agent's own tools are. */
  const address = () => `${stack.url}/functions/v1/mcp`
  const call = async (token: string, name: string, args: object) =>
    (await ask({ url: address(), token }, 'tools/call', { name, arguments: args })).result
  const open = async ({ user }: SignedUp) => (await request(stack, user, 'GET', '/chat/open')).json.items

  /** A user whose mail is sent here, with a client that was granted these tools. */
  async function connected(tools: string[]) {
    const signedUp = await signIn()
    await connectSmtp(stack, signedUp.user.id)
    const made = await grant(signedUp, signedUp.client, { tools })
    return { ...signedUp, grantId: made.json.grant.id as string }
  }

  it('is neither listed nor called, by no name', async () => {
    const { token } = await connected(['web_search'])
    const { result } = await ask({ url: address(), token }, 'tools/list')
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['web_search'])
    for (const name of ['smtp_send_email', 'SMTP_SEND_EMAIL', 'ask_agent']) {
      const refused = await call(token, name, name === 'ask_agent' ? { message: 'Hello' } : mail)
      expect(refused, name).toMatchObject({ isError: true })
      expect(refused._meta['askback/error'].errorType, name).toBe('tool_not_found')
    }
  })

  it('is listed once it is granted, and so is the agent itself', async () => {
    const signedUp = await connected([])
    const { token, user, grantId } = signedUp
    const names = async () =>
      (await ask({ url: address(), token }, 'tools/list')).result.tools.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names()).toEqual([])
    const tools = ['smtp_send_email', 'ask_agent']
    await request(stack, user, 'PATCH', `${path}/${grantId}`, { tools })
    expect(await names()).toEqual(tools)
  })

  it('is not done later: with the grant ends what was asked by it', async () => {
    const signedUp = await connected(['smtp_send_email'])
    const { token, user, grantId } = signedUp
    const waits = await call(token, 'smtp_send_email', mail)
    const { itemId } = waits._meta['askback/open']
    const [item] = await open(signedUp)
    expect(item).toMatchObject({ itemId })
    await request(stack, user, 'DELETE', `${path}/${grantId}`)
    expect(await open(signedUp)).toEqual([])
    const approve = decisionOn(item, 'approve')
    const late = await request(stack, user, 'POST', `/chat/${item.conversationId}/approval`, approve)
    expect(late.status).toBe(409)
    expect((await stack.inbox.messages()).filter(({ subject }) => subject === 'Hi')).toEqual([])
  })

  it('is not done with a yes that comes after it was switched off', async () => {
    const signedUp = await connected(['smtp_send_email'])
    const { token, user, grantId } = signedUp
    await call(token, 'smtp_send_email', { ...mail, subject: 'Off' })
    const [item] = await open(signedUp)
    await request(stack, user, 'PATCH', `${path}/${grantId}`, { tools: [] })
    await request(stack, user, 'POST', `/chat/${item.conversationId}/approval`, decisionOn(item, 'approve'))
    expect((await stack.inbox.messages()).filter(({ subject }) => subject === 'Off')).toEqual([])
  })
})
