import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno } from '../../scripts/platform.ts'
import { type ChatUser, withDatabase } from '../../support/chat-user.ts'
import { ask, last, type Message, messagesOf, post } from '../../support/mcp-client.ts'
import { makeToken, signUpForMcp, startMcpProcess } from '../../support/mcp-process.ts'
import { otherApp, withClaims } from '../../support/other-app.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

const ended = new AbortController()
let stack: TestStack
/** The function in two processes, of both Denos where there are both. */
let one: string
let two: string
/** The same with streams that end soon, and pages of one origin only. */
let hasty: string
let ada: { user: ChatUser; token: { id: string; value: string } }
/** Hers, too: what was asked through one token, no other answers. */
let second: { value: string }
let eve: typeof ada

beforeAll(async () => {
  stack = await startStack()
  const start = async (deno: string, env?: Record<string, string>) => {
    const { port } = await startMcpProcess(stack, deno, ended.signal, env)
    return `http://127.0.0.1:${port}/mcp`
  }
  const other = existsSync(hostedDeno) ? hostedDeno : findDeno()
  const soon = { streamMs: '300', ASKBACK_CORS_ORIGINS: 'https://app.example.com' }
  ;[one, two, hasty] = (await Promise.all([start(findDeno()), start(other), start(findDeno(), soon)])) as [
    string,
    string,
    string,
  ]
  ada = await signUpForMcp(stack)
  second = await makeToken(stack, ada.user)
  eve = await signUpForMcp(stack)
})
afterAll(async () => {
  ended.abort()
  await stack.stop()
})

const call = (name: string, args: object = {}, more: object = {}) => ({ name, arguments: args, ...more })
const textOf = (message: Message): string => message.result.content[0].text
const initialize = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {}, roots: {} },
    clientInfo: { name: 'An old client', version: '1' },
  },
}
const begin = async (url: string, token = ada.token.value) => {
  const response = await post({ url, token }, initialize)
  const message = await last(response)
  expect(message.result.protocolVersion).toBe('2025-11-25')
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
}

describe('a request without a token', () => {
  it.each(['GET', 'POST', 'DELETE'])('is told by 401 where it gets one, with %s', async (method) => {
    const response = await fetch(one, { method })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${stack.url}/functions/v1/mcp/oauth-protected-resource"`,
    )
  })

  it('reads there who signs its user in', async () => {
    const response = await fetch(`${one}/oauth-protected-resource`)
    expect(await response.json()).toMatchObject({
      resource: `${stack.url}/functions/v1/mcp`,
      authorization_servers: [`${stack.url}/auth/v1`],
    })
  })
})

describe('a token', () => {
  it('opens either chats or this, never both', async () => {
    const { token, user } = await signUpForMcp(stack, 'chat')
    const refused = await post({ url: one, token: token.value }, { id: 1, method: 'ping' })
    expect([refused.status, ((await refused.json()) as Message).error.code]).toEqual([401, 'invalid_api_key'])
    const chat = await fetch(`${stack.url}/functions/v1/chat/v1/models`, {
      headers: { authorization: `Bearer ${ada.token.value}` },
    })
    expect([chat.status, ((await chat.json()) as Message).error.code]).toEqual([401, 'invalid_api_key'])
    const { tokens } = await (
      await fetch(`${stack.url}/functions/v1/integration-settings/tokens`, {
        headers: { authorization: `Bearer ${user.token}` },
      })
    ).json()
    expect(tokens.map(({ scope, used }: Message) => [scope, used])).toEqual([['chat', 0]])
  })

  it('of another app of the user counts here, where nothing else accepts it', async () => {
    const token = await withClaims(ada.user.token, readKeys(stack.dataDirectory).jwtSecret)
    const [{ id: agentId } = { id: '' }] = await withDatabase(
      stack,
      (sql) => sql`
        insert into askback.agents (user_id, name, instructions) values (${ada.user.id}, 'Mine', 'Help.') returning id`,
    )
    const headers = { authorization: `Bearer ${ada.user.token}`, 'content-type': 'application/json' }
    const granted = { clientId: otherApp, clientName: 'An editor', agentId, tools: [] }
    const made = await fetch(`${stack.url}/functions/v1/integration-settings/mcp-grants`, {
      method: 'POST',
      headers,
      body: JSON.stringify(granted),
    })
    const { grant } = await made.json()
    const { caller } = JSON.parse(textOf(await ask({ url: one, token }, 'tools/call', call('test_who'))))
    expect(caller).toMatchObject({ userId: ada.user.id, clientId: otherApp, grant: `grant:${grant.id}` })
    const chat = await fetch(`${stack.url}/functions/v1/chat/tools`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(chat.status).toBe(403)
  })

  it('opens nothing while its account is banned', async () => {
    const { user, token } = await signUpForMcp(stack)
    await withDatabase(
      stack,
      (sql) => sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${user.id}`,
    )
    const refused = await post({ url: one, token: token.value }, { id: 1, method: 'ping' })
    expect([refused.status, ((await refused.json()) as Message).error.code]).toEqual([
      403,
      'account_disabled',
    ])
  })

  it('comes with the agent that the URL names', async () => {
    const url = `${one}/${ada.token.id}`
    const said = await ask({ url, token: ada.token.value }, 'tools/call', call('test_who'))
    expect(JSON.parse(textOf(said)).caller).toMatchObject({ agentId: ada.token.id, agents: null })
    expect(
      (await post({ url: `${one}/mine`, token: ada.token.value }, { id: 1, method: 'ping' })).status,
    ).toBe(404)
  })
})

describe('an address', () => {
  it('of somebody else leads nowhere', async () => {
    const headers = { 'x-forwarded-host': 'evil.example.com' }
    const refused = await post({ url: one, token: ada.token.value, headers }, { id: 1, method: 'ping' })
    expect([refused.status, ((await refused.json()) as Message).error.message]).toEqual([
      403,
      expect.stringContaining('"evil.example.com"'),
    ])
  })

  it.each([
    ['https://app.example.com', 200],
    ['https://evil.example.com', 403],
  ])('of the page %s is answered with %i', async (origin, status) => {
    const headers = { ...(await begin(hasty)), origin }
    const answered = await post({ url: hasty, token: ada.token.value, headers }, { id: 2, method: 'ping' })
    expect(answered.status).toBe(status)
  })

  it('has no stream of its own, and takes one message of JSON', async () => {
    const authorization = `Bearer ${ada.token.value}`
    const listening = await fetch(one, { headers: { authorization, accept: 'text/event-stream' } })
    expect([listening.status, listening.headers.get('allow')]).toEqual([405, 'POST'])
    const asText = await fetch(one, { method: 'POST', headers: { authorization }, body: '{}' })
    expect(asText.status).toBe(415)
    const headers = { authorization, 'content-type': 'application/json' }
    const broken = await fetch(one, { method: 'POST', headers, body: '{' })
    expect([broken.status, ((await broken.json()) as Message).error.code]).toEqual([400, -32700])
  })
})

describe('a request of 2026-07-28', () => {
  it('is answered alone, and its lists are for its user', async () => {
    const { result } = await ask({ url: one, token: ada.token.value }, 'tools/list')
    expect(result).toMatchObject({ cacheScope: 'private', resultType: 'complete' })
  })

  it('goes on with its state in another process: the same request of the same caller, and no other', async () => {
    const name = 'test_input_required_result_request_state'
    const first = await ask({ url: one, token: ada.token.value }, 'tools/call', call(name))
    expect(first.result).toMatchObject({ resultType: 'input_required', inputRequests: { confirm: {} } })
    const more = {
      requestState: first.result.requestState,
      inputResponses: { confirm: { action: 'accept', content: { ok: true } } },
    }
    const again = async (token: string, args = {}, tool = name) =>
      await ask({ url: two, token }, 'tools/call', call(tool, args, more))
    for (const refused of [
      await again(eve.token.value),
      await again(second.value),
      await again(ada.token.value, { other: 1 }),
      await again(ada.token.value, {}, 'test_input_required_result_tampered_state'),
    ]) {
      expect(refused.error).toMatchObject({ code: -32602, message: 'Invalid requestState' })
    }
    expect(textOf(await again(ada.token.value))).toBe('state-ok')
  })

  it('is not asked what its client cannot answer', async () => {
    const given = call('test_missing_capability')
    const { error } = await ask({ url: one, token: ada.token.value }, 'tools/call', given, {})
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } })
  })

  it('has its result by the end of its stream, whatever is still going on', async () => {
    const said = await ask({ url: hasty, token: ada.token.value }, 'tools/call', call('test_slow'))
    expect(textOf(said)).toBe('test_slow goes on without you.')
  })

  it('says nothing of a fault of ours', async () => {
    const said = await ask({ url: one, token: ada.token.value }, 'tools/call', call('test_fault'))
    expect(said.error.code).toBe(-32603)
    expect(JSON.stringify(said)).not.toMatch(/swordfish|home/)
  })
})

describe('a session of 2025', () => {
  const askForm = async (url: string, headers: Record<string, string>, token = ada.token.value) => {
    const form = call('test_elicitation', { message: 'Who?' })
    const stream = messagesOf(
      await post({ url, token, headers }, { id: 'a', method: 'tools/call', params: form }),
    )
    const { value: pushed } = await stream.next()
    expect(pushed).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } })
    const answer = { id: pushed.id, result: { action: 'accept', content: { username: 'ada' } } }
    return { answer, rest: async () => (await stream.next()).value }
  }

  it('goes on in any process, and so does what its client was asked', async () => {
    const headers = await begin(one)
    const { answer, rest } = await askForm(two, headers)
    const taken = await post({ url: one, token: ada.token.value, headers }, answer)
    expect(taken.status).toBe(202)
    expect(textOf(await rest())).toBe('User response: action=accept, content={"username":"ada"}')
  })

  it('knows what its client can do, and who it is', async () => {
    const headers = await begin(one)
    const who = { id: 2, method: 'tools/call', params: call('test_who') }
    const said = await last(await post({ url: two, token: ada.token.value, headers }, who))
    expect(JSON.parse(textOf(said))).toMatchObject({ client: 'An old client', can: ['elicitation', 'roots'] })
  })

  it('takes an answer from nobody but whom it asked', async () => {
    const headers = await begin(one)
    const { answer, rest } = await askForm(two, headers)
    const forged = { ...answer, result: { action: 'accept', content: { username: 'eve' } } }
    for (const token of [eve.token.value, second.value]) {
      const own = await begin(one, token)
      expect((await post({ url: one, token, headers: own }, forged)).status).toBe(400)
    }
    expect((await post({ url: one, token: ada.token.value, headers }, answer)).status).toBe(202)
    // What was answered stays so.
    expect((await post({ url: two, token: ada.token.value, headers }, forged)).status).toBe(202)
    expect(textOf(await rest())).toContain('"ada"')
  })

  it('tells what works on a call when its client leaves', async () => {
    const headers = await begin(one)
    const params = { ...call('test_slow'), _meta: { progressToken: 'p' } }
    const slow = { id: 2, method: 'tools/call', params }
    const stream = messagesOf(await post({ url: one, token: ada.token.value, headers }, slow))
    expect((await stream.next()).value).toMatchObject({ params: { progressToken: 'p' } })
    await stream.return(undefined)
    const left = async () =>
      textOf(await ask({ url: one, token: ada.token.value }, 'tools/call', call('test_left')))
    await expect.poll(left).toBe('1')
  })

  it('lets nobody in, and is of no use to anybody else', async () => {
    const headers = await begin(one)
    const ping = { id: 2, method: 'ping' }
    const statusOf = async (token: string | undefined, sent: Record<string, string>) =>
      (await post({ url: two, token, headers: sent }, ping)).status
    const id = headers['mcp-session-id']
    expect(await statusOf(ada.token.value, headers)).toBe(200)
    expect(await statusOf(undefined, headers)).toBe(401)
    expect(await statusOf(eve.token.value, headers)).toBe(404)
    expect(await statusOf(second.value, headers)).toBe(404)
    expect(await statusOf(ada.token.value, { 'mcp-session-id': `${id}x` })).toBe(404)
    expect(await statusOf(ada.token.value, {})).toBe(400)
  })

  it('has a result without an answer by the end of its stream: the question is taken back, and a later answer changes nothing', async () => {
    const headers = await begin(hasty)
    const { answer, rest } = await askForm(hasty, headers)
    expect(await rest()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: answer.id },
    })
    expect(textOf(await rest())).toBe('test_elicitation goes on without you.')
    expect((await post({ url: one, token: ada.token.value, headers }, answer)).status).toBe(202)
  })
})
