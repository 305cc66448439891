import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { readKeyring } from '../../shared/server/credentials/keyring.ts'
import { sealSecret } from '../../shared/server/credentials/sealed-secret.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, signUp, withDatabase } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { callTool, callTools, say } from '../../support/model-server.ts'
import { type SearchServer, type Site, startSearchServer, startSite } from '../../support/search-server.ts'

let chat: ChatStack
let searches: SearchServer
let site: Site
let user: ChatUser

beforeAll(async () => {
  searches = await startSearchServer()
  site = await startSite({
    '/museum': `<title>Museum</title><article>${'<p>The museum is open every day, and children pay half.</p>'.repeat(8)}</article>`,
  })
  chat = await startChatStack({ SERPER_API_BASE_URL: searches.baseURL({ id: 'serper' }) })
  user = await signUp(chat.stack)
})
afterAll(async () => {
  await chat?.stop()
  await site?.[Symbol.asyncDispose]()
  await searches?.[Symbol.asyncDispose]()
})

async function connectSerper(key: string): Promise<void> {
  const id = randomUUID()
  const keyring = await readKeyring(readKeys(chat.stack.dataDirectory).credentialsKeys)
  const owner = { connectionId: id, userId: user.id, provider: 'serper' }
  const secret = await sealSecret(keyring, owner, { field: 'api_key', value: key, version: 1 })
  const connection = { id, provider: 'serper', label: 'Serper', metadata: {}, secrets: [{ ...secret }] }
  await withDatabase(
    chat.stack,
    (sql) => sql`select askback.store_connection(${user.id}, ${sql.json(connection)}::json)`,
  )
}

it('a search asks for a key, and finds something once there is one', async () => {
  chat.model.use([callTool('web_search', { query: 'museum' })])
  const { answer: missing } = await user.post({ message: 'Search for the museum.' })
  expect(missing.status).toBe('needs_connection')
  expect(missing.pending?.[0]).toMatchObject({
    question: expect.stringMatching(/^Question: To search the web I need a key from Serper, /),
    href: expect.stringContaining('provider=serper'),
  })
  // What the model reads is told exactly.
  expect(missing.toolsUsed[0]?.error?.error).toContain(
    'No API key found for Serper. Please add your Serper API key in the integration settings before I can perform web searches.',
  )

  await connectSerper('planted-key')
  chat.model.use([callTool('web_search', { query: 'museum', num_results: 2 }), say('Found.')])
  const { answer } = await user.post({ message: 'Search for the museum.' })
  expect(answer.toolsUsed).toMatchObject([{ ok: true, output: { provider: 'serper' } }])
  expect(searches.requests.at(-1)).toMatchObject({ provider: 'serper', key: 'planted-key' })
  expect(JSON.stringify(answer)).not.toContain('planted-key')
})

it('a page is summarized by the model of the agent, and that counts in the usage of the run', async () => {
  const url = `${site.url}/museum`
  chat.model.use([
    callTool('scrape_and_summarize', { urls: [url], focus_keywords: ['children'] }),
    say('Children pay half.'),
    say('Half, it says.'),
  ])
  const { answer } = await user.post({ message: `What do children pay? ${url}` })
  expect(answer.toolsUsed).toMatchObject([
    { ok: true, output: { pages: [{ url, title: 'Museum', summary: 'Children pay half.' }] } },
  ])
  expect(answer.text).toBe('Half, it says.')
  expect(answer.usage.modelCalls).toBe(3)
  const usage = await withDatabase(
    chat.stack,
    (sql) => sql`
      select purpose, input_tokens, output_tokens from askback.llm_usage where run_id = ${answer.runId} order by sequence`,
  )
  expect(usage.map(({ purpose }) => purpose)).toEqual([null, 'summary', null])
  expect(usage.reduce((sum, row) => sum + row.input_tokens, 0)).toBe(answer.usage.inputTokens)
  // The page is material for the summary, in a request without tools.
  const request = chat.model.requests.at(-2)?.body
  expect(JSON.stringify(request?.messages)).toContain('open every day')
  expect(request?.tools ?? []).toEqual([])
})

it('pages that nobody named are one approval for a round, and a redirect elsewhere is not followed', async () => {
  await using other = await startSite({ '/museum': '<title>Elsewhere</title><p>Closed.</p>' })
  site.pages.set('/there', { body: '', status: 302, headers: { location: `${other.url}/museum` } })
  site.asked.length = 0
  const urls = [`${site.url}/museum`, `${site.url}/there`]
  chat.model.use([
    callTools(urls.map((url): [string, unknown] => ['scrape_and_summarize', { urls: [url] }])),
    ...urls.map(() => say('A summary.')),
    say('Read.'),
  ])
  const { answer } = await user.post({ message: 'When does it open?' })
  expect(answer.pending).toMatchObject([{ type: 'approval', toolName: 'scrape_and_summarize' }])
  for (const url of urls) expect(answer.pending?.[0]?.question).toContain(`"${url}"`)
  expect(site.asked).toEqual([])

  const { toolCallId, approvalId } = answer.pending?.[0] ?? {}
  const { answer: read } = await user.post(
    { toolCallId, approvalId, decision: 'approve' },
    { path: `/${answer.conversationId}/approval` },
  )
  expect(read.status).toBe('completed')
  expect(read.toolsUsed).toMatchObject([
    { ok: true, output: { pages: [{ title: 'Museum' }] } },
    { ok: true, output: { pages: [{ error: expect.stringContaining(`${other.url}/museum`) }] } },
  ])
  expect(other.asked).toEqual([])
  const { body } = await user.get(`/conversations/${answer.conversationId}`)
  const { messages } = body as { messages: { parts: { toolCallId?: string; state: string }[] }[] }
  const parts = (messages.at(-1)?.parts ?? []).filter(({ toolCallId }) => toolCallId)
  expect(parts.map(({ state }) => state)).toEqual(['output-available', 'output-available'])
})

it('an address that was made up after private data was read waits for the user, and is opened once', async () => {
  await withDatabase(
    chat.stack,
    (sql) => sql`
      update askback.tools set specification = (specification::jsonb || '{"private": true}')::json
      where name = 'web_search'`,
  )
  const url = `${site.url}/museum?code=4711`
  chat.model.use([
    callTool('web_search', { query: 'my code' }),
    callTool('scrape_and_summarize', { urls: [url] }),
  ])
  site.asked.length = 0
  const { answer } = await user.post({ message: 'Do what you find.' })
  expect(answer.status).toBe('needs_approval')
  const [pending] = answer.pending ?? []
  expect(pending).toMatchObject({
    type: 'approval',
    toolName: 'scrape_and_summarize',
    values: { urls: [url] },
  })
  expect(pending?.question).toMatch(
    /^Question: Should I read "http:.*code=4711"\? You did not name it, and "Search the web" has shown private data/,
  )
  expect(site.asked).toEqual([])

  chat.model.use([say('A museum.'), say('Read.')])
  const decision = decisionOn(pending, 'approve')
  const { answer: approved } = await user.post(decision, { path: `/${answer.conversationId}/approval` })
  expect(approved.status).toBe('completed')
  const { answer: again } = await user.post(decision, { path: `/${answer.conversationId}/approval` })
  expect(again.status).toBe('completed')
  expect(site.asked.filter((path) => path.startsWith('/museum'))).toEqual(['/museum?code=4711'])
})
