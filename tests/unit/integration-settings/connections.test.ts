import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import { unusableConnection } from '../../../shared/integrations/definition/connection-error.ts'
import type { IntegrationProvider } from '../../../shared/integrations/definition/integration.ts'
import { numbered, question, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { createDatabaseRpc } from '../../../support/database-rpc.ts'
import { signToken } from '../../../support/function-app.ts'
import { createSettingsApp, refusedKey, type SettingsApp } from '../../../support/settings-app.ts'
import { addTestProviders } from '../../../support/test-providers.ts'
import { useDatabase } from '../../../support/use-database.ts'

const key = 'planted-search-key-1'
const { database, db } = useDatabase()
const rpc = createDatabaseRpc(db)
let app: SettingsApp
let ada: string

beforeAll(() => addTestProviders(database.sql))
beforeEach(async () => {
  app = createSettingsApp(rpc, {})
  ada = await db.createUser()
})

const search = async (user = ada) =>
  (await app.call(user, 'GET', '/')).json.providers.find(({ id }: { id: string }) => id === 'test-search')
const add = (values: unknown, more: Record<string, unknown> = {}, query = '') =>
  app.call(ada, 'POST', `/connections${query}`, { provider: 'test-search', values, ...more })

/** A conversation in which a call of this tool waits for a connection. */
async function park(user: string, toolName: string): Promise<string> {
  const conversation = new DatabaseConversation(db, user)
  const turn = await conversation.post({ messages: [userMessage('u1', 'Do it.')] })
  const toolCallId = `call-${randomUUID()}`
  await db.finish(turn.runId, {
    status: 'needs_connection',
    text: 'Please connect it.',
    entries: numbered([question({ kind: 'connection', toolCallId, toolName })]),
  })
  return conversation.id
}

describe('GET /', () => {
  test('lists providers with their tools, the form, and how they are connected', async () => {
    const { json } = await app.call(ada, 'GET', '/')
    const byId = Object.fromEntries(json.providers.map((one: { id: string }) => [one.id, one]))
    expect(byId['test-search']).toEqual({
      id: 'test-search',
      name: 'Testsearch',
      description: 'Searches the web.',
      service: 'search',
      tools: ['test_search'],
      connection: expect.objectContaining({ required: ['api_key'] }),
      oauth: false,
      available: true,
      builtIn: false,
      connections: [],
    })
    expect(byId['test-search'].connection.properties.api_key.secret).toBe(true)
    expect(byId['test-mail']).toMatchObject({ oauth: true, tools: expect.arrayContaining(['testmail_send']) })
    expect(byId.openai).toMatchObject({ name: 'OpenAI', tools: [] })
    expect(byId.smtp.tools).toContain('smtp_send_email')
  })

  test('says beforehand where signing in is not set up', async () => {
    const without = createSettingsApp(rpc, { GOOGLE_CLIENT_SECRET: undefined })
    const { json } = await without.call(ada, 'GET', '/')
    const isAvailable = (id: string) => json.providers.find((one: { id: string }) => one.id === id).available
    expect(['test-mail', 'gmail', 'google-docs'].map(isAvailable)).toEqual([false, false, false])
    expect(['test-search', 'smtp'].map(isAvailable)).toEqual([true, true])
  })

  test('is for signed-in users', async () => {
    const reply = await app.call(undefined, 'GET', '/')
    expect([reply.status, reply.json.error.code]).toEqual([401, 'unauthorized'])
  })
})

describe('POST /connections', () => {
  test('tests the credentials as the user, stores them sealed, and never shows a secret', async () => {
    app.answerTest({ ok: true, data: { account: 'team@example.com' } })
    const reply = await add({ api_key: key, region: 'EU' })
    expect(reply.status).toBe(201)
    expect(reply.json.connection).toEqual({
      id: expect.any(String),
      provider: 'test-search',
      label: 'team@example.com',
      account: 'team@example.com',
      status: 'connected',
      position: 0,
      // Spelled as the form has it.
      values: { region: 'eu' },
      lastUsedAt: null,
      lastError: null,
    })
    expect(app.asked).toEqual([
      {
        path: '/test-search-api/test-connection',
        token: await signToken(ada),
        body: { provider: 'test-search', values: { api_key: key, region: 'eu' } },
      },
    ])
    expect((await search()).connections).toEqual([reply.json.connection])
    const rows = await database.sql`
      select c.*, s.* from askback.connections c join askback.connection_secrets s on s.connection_id = c.id
      where c.user_id = ${ada}`
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('says why the provider refuses, and stores nothing', async () => {
    app.answerTest(refusedKey)
    const reply = await add({ api_key: key })
    expect([reply.status, reply.json]).toEqual([
      422,
      {
        error: {
          code: 'connection_test_failed',
          message: 'Testsearch does not accept this API key. Please copy it again.',
          errorType: 'authentication_error',
          resolver: 'user',
          // For clients in other languages.
          details: {
            asked: {
              code: 'authentication_error',
              values: { words: 'Testsearch does not accept this API key. Please copy it again.' },
              asked: 'Testsearch does not accept this API key. Please copy it again.',
            },
          },
        },
      },
    ])
    expect((await search()).connections).toEqual([])
  })

  test('says in the form itself only what is wrong, not where to correct it', async () => {
    const provider = { id: 'test-search', name: 'Testsearch', service: 'search' } as IntegrationProvider
    const said = { code: 'not_encrypted', values: { host: 'localhost', port: 25 } } as const
    app.answerTest(unusableConnection(provider, said))
    const { message, details } = (await add({ api_key: key })).json.error
    expect([message, details]).toEqual([
      'localhost does not offer an encrypted connection on port 25; port 465 is usually right.',
      { asked: { ...said, asked: message } },
    ])
  })

  test('says of a key that no request can carry that the key is wrong, not that its provider is away', async () => {
    const reply = await add({ api_key: 'sk-shortened…end' }, { provider: 'openai' })
    expect([reply.status, reply.json.error.code]).toEqual([422, 'invalid_values'])
    expect(reply.json.error.message).toMatch(/^There seems to be an issue with the API key\. /)
  })

  test('says that a provider is away, and stores nothing', async () => {
    app.answerTest(toolError('unavailable', 'Testsearch cannot be reached right now.'))
    const reply = await add({ api_key: key })
    expect([reply.status, reply.json.error.message]).toEqual([422, 'Testsearch cannot be reached right now.'])
    expect((await search()).connections).toEqual([])
  })

  test('takes any other answer for a function that is not deployed, and stores nothing', async () => {
    app.answerTest({ message: 'Requested function was not found' } as never)
    const reply = await add({ api_key: key })
    expect([reply.status, reply.json.error.message]).toEqual([
      422,
      'Your Testsearch connection cannot be tested: the function test-search-api is not deployed.',
    ])
    expect((await search()).connections).toEqual([])
  })

  test('repeats no secret that a provider repeats', async () => {
    app.answerTest(toolError('authentication_error', `Question: The key ${key} is unknown.`))
    const reply = await add({ api_key: key })
    expect(reply.json.error.message).toBe('The key *** is unknown.')
  })

  test('stores without a test when asked to', async () => {
    app.answerTest(refusedKey)
    expect((await add({ api_key: key }, { label: 'Spare' }, '?test=false')).status).toBe(201)
    expect(app.asked).toEqual([])
    expect((await search()).connections).toMatchObject([{ label: 'Spare', status: 'connected' }])
  })

  test('says every problem of the values, and repeats none of them', async () => {
    const reply = await add({ api_key: 'x5hort', region: 'mars', extra: 1 })
    expect(reply.status).toBe(422)
    const { error } = reply.json
    expect(error.code).toBe('invalid_values')
    expect(error.message).not.toMatch(/^Question|connection_|test-search/)
    expect(error.details.problems.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      'api_key',
      'extra',
      'region',
    ])
    expect(reply.text).not.toContain('x5hort')
    expect(app.asked).toEqual([])
  })

  test('asks for what is missing in the words of the form', async () => {
    const reply = await add({})
    expect([reply.status, reply.json.error]).toMatchObject([
      422,
      {
        code: 'invalid_values',
        errorType: 'missing_parameter',
        details: { parameter: 'api_key', problems: [{ parameter: 'api_key' }] },
      },
    ])
    expect(reply.json.error.message).toMatch(/^What is your key\?/)
  })

  test.each([
    ['no JSON', 'x', 400, 'invalid_json'],
    ['nothing', '', 400, 'invalid_json'],
    ['a list', [], 400, 'bad_request'],
    ['no provider', { values: {} }, 400, 'bad_request'],
    ['no values', { provider: 'test-search' }, 400, 'bad_request'],
    ['values that are a text', { provider: 'test-search', values: 'x' }, 400, 'bad_request'],
    ['a label that is a number', { provider: 'test-search', values: {}, label: 5 }, 400, 'bad_request'],
    ['an unknown provider', { provider: 'nobody', values: {} }, 404, 'unknown_provider'],
    ['a provider with a sign-in', { provider: 'test-mail', values: {} }, 400, 'sign_in_needed'],
    [
      'too much',
      { provider: 'test-search', values: { api_key: 'x'.repeat(300_000) } },
      413,
      'body_too_large',
    ],
  ])('refuses %s', async (_, body, status, code) => {
    const reply = await app.call(ada, 'POST', '/connections', body)
    expect([reply.status, reply.json.error.code]).toEqual([status, code])
  })

  test('takes a second one of a provider under another label', async () => {
    expect((await add({ api_key: key })).status).toBe(201)
    const twin = await add({ api_key: `${key}-2` })
    expect([twin.status, twin.json.error.code]).toEqual([409, 'label_taken'])
    expect((await add({ api_key: `${key}-2` }, { label: 'Second' })).status).toBe(201)
  })

  test('of an account that was deleted asks to sign in again', async () => {
    ada = randomUUID()
    const reply = await add({ api_key: key })
    expect([reply.status, reply.json.error.message]).toEqual([
      401,
      'This account no longer exists. Sign in again.',
    ])
    const begun = await app.call(ada, 'POST', '/oauth/start', { provider: 'test-mail' })
    expect(begun.status).toBe(401)
  })

  test('does nothing while the server has no key to encrypt with', async () => {
    app = createSettingsApp(rpc, { ASKBACK_CREDENTIALS_KEYS: undefined })
    const reply = await add({ api_key: key })
    expect([reply.status, reply.json.error.code]).toEqual([503, 'not_configured'])
    expect(app.asked).toEqual([])
  })
})

describe('PATCH /connections/:id', () => {
  const change = (id: string, body: unknown, user = ada) =>
    app.call(user, 'PATCH', `/connections/${id}`, body)

  test('changes the order in which tools try several', async () => {
    const first = (await add({ api_key: key }, { label: 'First' })).json.connection
    const second = (await add({ api_key: key }, { label: 'Second' })).json.connection
    await change(first.id, { position: 2 })
    await change(second.id, { position: 1 })
    expect((await search()).connections.map(({ label }: { label: string }) => label)).toEqual([
      'Second',
      'First',
    ])
  })

  test('changes label, order and use at once', async () => {
    const { id } = (await add({ api_key: key })).json.connection
    const changed = { label: 'Spare', position: 3 }
    const reply = await change(id, { ...changed, disabled: true })
    expect(reply.json.connection).toMatchObject({ ...changed, status: 'disabled' })
  })

  test('disables and enables, and nothing uses it meanwhile', async () => {
    const { id } = (await add({ api_key: key })).json.connection
    const usable = async () =>
      (await rpc('load_connections', { p_user_id: ada, p_providers: ['test-search'] })) as unknown[]
    expect((await change(id, { disabled: true })).json.connection.status).toBe('disabled')
    expect(await usable()).toHaveLength(0)
    expect((await change(id, { disabled: false })).json.connection.status).toBe('connected')
    expect(await usable()).toHaveLength(1)
  })

  test('replaces a secret after a test, and keeps the others', async () => {
    const { id } = (await add({ api_key: key, region: 'us' })).json.connection
    app.answerTest(refusedKey)
    const refused = await change(id, { values: { api_key: 'planted-search-key-2' } })
    expect([refused.status, refused.json.error.code]).toEqual([422, 'connection_test_failed'])
    app.answerTest({ ok: true, data: {} })
    app.asked.length = 0
    await change(id, { values: { region: 'eu' } })
    expect(app.asked[0]?.body).toMatchObject({ values: { api_key: key, region: 'eu' } })
    app.asked.length = 0
    await change(id, { values: { api_key: 'planted-search-key-2' } })
    expect(app.asked[0]?.body).toMatchObject({ values: { api_key: 'planted-search-key-2', region: 'eu' } })
  })

  test('a stored password goes to no other server: whoever changes that has to know it', async () => {
    const values = { host: 'mail.example.com', port: 465, user: 'ada', password: 'planted-mail-password' }
    const made = await app.call(ada, 'POST', '/connections?test=false', { provider: 'smtp', values })
    const { id } = made.json.connection
    for (const moved of [{ host: 'evil.example' }, { port: 4650 }, { user: 'eve' }]) {
      for (const query of ['', '?test=false']) {
        const reply = await app.call(ada, 'PATCH', `/connections/${id}${query}`, { values: moved })
        expect([reply.status, reply.json.error.code]).toEqual([422, 'invalid_values'])
        expect(reply.json.error.message).toMatch(/^What is the password of your mail account\?/)
      }
    }
    const renamed = await app.call(ada, 'PATCH', `/connections/${id}?test=false`, {
      values: { from: 'Ada <ada@example.com>' },
    })
    expect(renamed.status).toBe(200)
  })

  test('mends a connection with a corrupted secret by a new one', async () => {
    const { id } = (await add({ api_key: key })).json.connection
    await database.sql`update askback.connection_secrets set ciphertext = ${randomUUID()} where connection_id = ${id}`
    const broken = await app.call(ada, 'POST', `/connections/${id}/test`)
    expect(broken.json).toMatchObject({
      ok: false,
      error:
        'Question: Your Testsearch API key appears to be corrupted. Please delete and re-add your Testsearch API key in the integration settings.',
    })
    expect((await search()).connections[0]).toMatchObject({
      status: 'failed',
      lastError: expect.stringMatching(/^What’s stored for Testsearch can no longer be read\./),
      lastSaid: { code: 'secret_corrupted', values: { provider: 'Testsearch' } },
    })
    expect((await change(id, { values: { api_key: key } })).json.connection).toMatchObject({
      status: 'connected',
      lastError: null,
    })
  })

  test.each([
    [{}],
    [{ position: -1 }],
    [{ position: 1.5 }],
    [{ disabled: 'yes' }],
    [{ values: 1 }],
    [{ label: 'x'.repeat(201) }],
  ])('refuses %j', async (body) => {
    const { id } = (await add({ api_key: key })).json.connection
    expect((await change(id, body)).status).toBe(400)
  })
})

describe('somebody else', () => {
  test('sees, changes, tests and deletes nothing of another user', async () => {
    const { id } = (await add({ api_key: key })).json.connection
    const eve = await db.createUser()
    expect((await search(eve)).connections).toEqual([])
    const replies = [
      await app.call(eve, 'PATCH', `/connections/${id}`, { label: 'Mine' }),
      await app.call(eve, 'PATCH', `/connections/${id}`, { values: { api_key: 'planted-search-key-9' } }),
      await app.call(eve, 'POST', `/connections/${id}/test`),
      await app.call(eve, 'DELETE', `/connections/${id}`),
      await app.call(eve, 'DELETE', '/connections/not-an-id'),
      await app.call(eve, 'DELETE', `/connections/${randomUUID()}`),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect((await search()).connections).toMatchObject([{ id, label: '', status: 'connected' }])
  })
})

describe('DELETE /connections/:id', () => {
  test('says which agents lose what', async () => {
    const { id } = (await add({ api_key: key })).json.connection
    await database.sql`
      insert into askback.agents (user_id, name, instructions, tool_access)
      values (${ada}, 'Searcher', 'Search.', 'all'), (${ada}, 'Writer', 'Write.', 'listed')`
    const second = (await add({ api_key: key }, { label: 'Second' })).json.connection
    const first = await app.call(ada, 'DELETE', `/connections/${id}`)
    expect(first.json).toEqual({ deleted: id, lost: [], revoked: null })
    const last = await app.call(ada, 'DELETE', `/connections/${second.id}`)
    expect(last.json).toMatchObject({
      deleted: second.id,
      lost: [{ name: 'Searcher', tools: ['test_search'] }],
    })
    expect((await app.call(ada, 'DELETE', `/connections/${id}`)).status).toBe(404)
  })

  test('works for one whose secret cannot be opened any more', async () => {
    const { id } = (await add({ api_key: key })).json.connection
    await database.sql`update askback.connection_secrets set key_id = 'gone' where connection_id = ${id}`
    const tested = await app.call(ada, 'POST', `/connections/${id}/test`)
    expect(tested.json).toMatchObject({ errorType: 'not_configured', resolver: 'nobody' })
    expect(tested.json.error).toContain('the credentials themselves are intact')
    expect((await search()).connections).toMatchObject([{ status: 'connected' }])
    expect((await app.call(ada, 'DELETE', `/connections/${id}`)).status).toBe(200)
  })
})

describe('a call that waits', () => {
  const resumed = () => app.asked.filter(({ path }) => path.endsWith('/resume')).map(({ path }) => path)

  test("goes on by itself in the user's own name, and only where this provider is waited for", async () => {
    const waiting = await park(ada, 'test_search')
    await park(ada, 'testmail_send')
    await park(await db.createUser(), 'test_search')
    await add({ api_key: key })
    await app.settled()
    expect(resumed()).toEqual([`/chat/${waiting}/resume`])
    expect(app.asked.at(-1)?.token).toBe(await signToken(ada))
  })

  test('goes on also if the one that the user came from cannot', async () => {
    const waiting = await park(ada, 'test_search')
    const newest = await park(ada, 'test_search')
    app.loseResume(newest)
    await add({ api_key: key })
    await app.settled()
    expect(resumed()).toEqual([newest, waiting].map((id) => `/chat/${id}/resume`))
  })

  test('goes on when the connection is mended or enabled, and not when the test failed', async () => {
    const { id } = (await add({ api_key: key })).json.connection
    // What waits for the new connection goes on in the background, and must not find the one that comes now.
    await app.settled()
    const waiting = await park(ada, 'test_search')
    app.answerTest(refusedKey)
    await app.call(ada, 'PATCH', `/connections/${id}`, { values: { api_key: `${key}-2` } })
    await app.settled()
    expect(resumed()).toEqual([])
    app.answerTest({ ok: true, data: {} })
    await app.call(ada, 'PATCH', `/connections/${id}`, { values: { api_key: `${key}-2` } })
    await app.settled()
    expect(resumed()).toEqual([`/chat/${waiting}/resume`])
  })
})

describe('keys for models', () => {
  const answers: Record<string, () => Response> = {
    'https://api.openai.com/v1/models': () => Response.json({ data: [] }),
    'https://api.anthropic.com/v1/models': () =>
      Response.json({ error: { type: 'authentication_error' } }, { status: 401 }),
    'https://openrouter.ai/api/v1/key': () => Response.json({ data: {} }),
    'https://generativelanguage.googleapis.com/v1beta/openai/models': () =>
      Response.json([{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }], {
        status: 400,
      }),
    'http://models.example/v1/models': () => Response.json({ data: [] }),
  }
  const seen: { url: string; headers: Headers }[] = []
  const send: typeof fetch = async (input, init) => {
    const url = String(input)
    seen.push({ url, headers: new Headers(init?.headers) })
    return answers[url]?.() ?? new Response('', { status: 599 })
  }
  const connect = (provider: string, api_key: string) =>
    app.call(ada, 'POST', '/connections', { provider, values: { api_key } })

  beforeEach(() => {
    seen.length = 0
    app = createSettingsApp(rpc, {}, send)
  })

  test('are tested at the provider with a request that costs nothing', async () => {
    expect((await connect('openai', 'sk-planted-1')).status).toBe(201)
    expect((await connect('openrouter', 'sk-or-planted')).status).toBe(201)
    expect(seen.map(({ url }) => url)).toEqual([
      'https://api.openai.com/v1/models',
      'https://openrouter.ai/api/v1/key',
    ])
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer sk-planted-1')
  })

  test('that are refused are not stored', async () => {
    for (const provider of ['anthropic', 'gemini']) {
      const reply = await connect(provider, 'sk-planted-wrong')
      expect([reply.status, reply.json.error.code]).toEqual([422, 'connection_test_failed'])
      expect(reply.json.error.message).toMatch(/^(Anthropic|Gemini) doesn’t accept this API key\./)
    }
    expect(seen[0]?.headers.get('x-api-key')).toBe('sk-planted-wrong')
  })

  test('of OpenAI go to the server that stands for it, and to no other', async () => {
    const own = { OPENAI_BASE_URL: 'http://models.example/v1' }
    app = createSettingsApp(rpc, own, send)
    await connect('openai', 'sk-planted-1')
    app = createSettingsApp(rpc, { ...own, LLM_PROVIDER: 'any' }, send)
    await connect('openai', 'sk-planted-2')
    expect(seen.map(({ url }) => url)).toEqual([
      'http://models.example/v1/models',
      'https://api.openai.com/v1/models',
    ])
  })

  test('are handed to the runs of their owner, the preferred one first, sealed', async () => {
    await connect('openrouter', 'sk-or-planted')
    const { json } = await connect('openai', 'sk-planted-1')
    await app.call(ada, 'PATCH', `/connections/${json.connection.id}`, { position: 0 })
    const conversation = new DatabaseConversation(db, ada)
    const turn = await conversation.post({ messages: [userMessage('u1', 'Hello.')] })
    expect(turn.modelKeys.map(({ provider }: { provider: string }) => provider)).toEqual([
      'openrouter',
      'openai',
    ])
    expect(JSON.stringify(turn)).not.toContain('planted')
    await app.call(ada, 'PATCH', `/connections/${json.connection.id}`, { disabled: true })
    const other = await new DatabaseConversation(db, ada).post({ messages: [userMessage('u2', 'Hello.')] })
    expect(other.modelKeys).toHaveLength(1)
  })
})
