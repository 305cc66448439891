import { beforeAll, describe, expect, it, test } from 'vitest'
import { skills } from '../../local/demo/skills.ts'
import { readSimulated, simulatedInDemo } from '../../local/simulator/simulated.ts'
import { inWords } from '../../shared/words/in-words.ts'
import { searchProviders } from '../../supabase/functions/web-search-api/search/providers.ts'
import { type ChatUser, signInDemo } from '../../support/chat-user.ts'
import { consent } from '../../support/google-oauth-server.ts'
import { startStack } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

const stack = useStarted(() => startStack({ env: { ASKBACK_SIMULATE: 'google,search' } }))
let user: ChatUser

beforeAll(async () => {
  user = await signInDemo(stack)
})

async function settings(method: string, path: string, body?: unknown) {
  const response = await fetch(`${stack.url}/functions/v1/integration-settings${path}`, {
    method,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}

async function connectGoogle(provider: string, tools: string[]) {
  const returnTo = `${stack.url}/settings/integrations`
  const begun = await settings('POST', '/oauth/start', { provider, tools, returnTo })
  expect(await (await fetch(begun.json.url)).text()).toContain('simulator of Google')
  const redirect = await fetch(await consent(begun.json.url, { account: 'ada@simulated.example' }), {
    redirect: 'manual',
  })
  const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code')
  return await settings('POST', '/oauth/complete', { code })
}

const ask = async (message: string) => (await user.post({ message })).answer

describe('a newcomer without any account', () => {
  it('writes, finds, changes and reads documents before anything is connected', async () => {
    expect((await ask('Create a document about the summer party')).text).toContain('“Summer party”')
    expect((await ask('Find my documents about the party')).text).toContain('- Summer party')
    const added = await ask('Add "Bring a cake" to the document about the summer party')
    expect(added).toMatchObject({ status: 'completed', text: expect.stringContaining('I added it') })
    expect((await ask('Read the document about the summer party')).text).toContain('Bring a cake')
  })

  it('is told what a search needs, connects a key, and the search goes on by itself', async () => {
    const asked = await ask('Search the web for edge functions')
    expect(asked).toMatchObject({ status: 'needs_connection', pending: [{ type: 'connection' }] })
    const names = inWords(
      searchProviders.map(({ name }) => name),
      'or',
    )
    expect(asked.text).toContain(`To search the web I need a key from ${names}.`)
    expect(await (await fetch(asked.pending?.[0]?.href ?? '')).text()).toContain('<title>Askback</title>')
    const refused = await settings('POST', '/connections', {
      provider: 'serper',
      values: { api_key: 'a-wrong-key' },
    })
    expect([refused.status, refused.json.error?.code]).toEqual([422, 'connection_test_failed'])
    const made = await settings('POST', '/connections', {
      provider: 'serper',
      values: { api_key: 'any-other-key' },
    })
    expect(made).toMatchObject({ status: 201, json: { connection: { account: 'simulated' } } })
    await expect
      .poll(() => user.get(`/conversations/${asked.conversationId}`), { timeout: 20_000 })
      .toMatchObject({ body: { status: 'completed', pending: [] } })
    const news = await ask('Search the news about Supabase')
    expect(news).toMatchObject({ status: 'completed', text: expect.stringContaining('](http') })
    expect((await ask(`Summarize ${/\]\((http[^)]+)\)/.exec(news.text)?.[1]}`)).text).toContain('http')
  })

  it.each(searchProviders.map(({ id }) => id))(
    'connects %s with any key but a wrong one',
    async (provider) => {
      const connect = (api_key: string) =>
        settings('POST', '/connections', { provider, label: 'another', values: { api_key } })
      const refused = await connect('a-wrong-key')
      expect(refused).toMatchObject({ status: 422, json: { error: { code: 'connection_test_failed' } } })
      expect(refused.json.error.message).toContain('doesn’t accept this API key')
      expect(await connect('any-key')).toMatchObject({
        status: 201,
        json: { connection: { provider, account: 'simulated' } },
      })
    },
  )

  it('signs in with the simulated Google, and reads mail that says so', async () => {
    const connected = await connectGoogle('gmail', ['gmail_search_emails', 'gmail_read_emails'])
    expect(connected).toMatchObject({
      status: 201,
      json: { connection: { account: 'ada@simulated.example', status: 'connected' } },
    })
    const { text } = await ask('Show my unread emails')
    expect(text).toContain('Lunch on Thursday')
  })

  test.each(skills.map(({ suggestion }) => suggestion))('"%s" works', async (suggestion) => {
    const { status, toolsUsed } = await ask(suggestion)
    expect(status).toBe('completed')
    expect(toolsUsed.at(-1)).toMatchObject({ ok: true })
  })
})

describe('ASKBACK_SIMULATE', () => {
  test('that is not set simulates in the demo what the settings name no real account for', () => {
    expect(readSimulated({})).toBeUndefined()
    expect(simulatedInDemo({})).toEqual(['google', 'search'])
    expect(simulatedInDemo({ GOOGLE_CLIENT_ID: 'real' })).toEqual(['search'])
    expect(simulatedInDemo({ DATABASE_URL: 'postgres://x' })).toEqual([])
  })

  test('that is empty simulates nothing', () => {
    expect(readSimulated({ ASKBACK_SIMULATE: '' })).toEqual([])
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['a name it does not know', { ASKBACK_SIMULATE: 'google,aol' }, /names "aol"\. It takes: google, search/],
    ['a database', { ASKBACK_SIMULATE: 'search', DATABASE_URL: 'postgres://x' }, /beside DATABASE_URL/],
    ['a real client', { ASKBACK_SIMULATE: 'google', GOOGLE_CLIENT_ID: 'real' }, /beside GOOGLE_CLIENT_ID/],
  ])('is refused with %s', (_, environment, sentence) => {
    expect(() => readSimulated(environment)).toThrow(sentence)
  })
})
