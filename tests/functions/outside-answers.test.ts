import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createModelClient } from '../../shared/engine/models/create-model-client.ts'
import { createRpc } from '../../shared/server/database/call-rpc.ts'
import { createBucket } from '../../shared/server/files/storage-bucket.ts'
import { testModelKey } from '../../shared/server/model-keys/test-model-key.ts'
import { refreshTokens, revokeToken } from '../../shared/server/oauth/token-endpoint.ts'
import { extractPdfText } from '../../supabase/functions/chat/files/extract-pdf-text.ts'
import { createToolExecutors } from '../../supabase/functions/chat/turn/tool-executor.ts'
import { testValues } from '../../supabase/functions/integration-settings/test-values.ts'
import { startBombServer } from '../../support/bomb-server.ts'

/** Each reads an answer of 96 MiB in JSON from a server, and resolves to what it made of it. */
const readers: Record<string, (url: string) => Promise<unknown>> = {
  'a model': async (url) => {
    const model = createModelClient({ baseURL: url, apiKey: 'key', model: 'm' })
    return await model.complete({ messages: [{ role: 'user', content: 'Hello' }], tools: [] }).then(
      () => 'answered',
      ({ name }) => name,
    )
  },
  'an OAuth server, for tokens': (url) =>
    refreshTokens(oauthServer(url), 'token').then(
      () => 'answered',
      ({ toolError }) => toolError.errorType,
    ),
  'an OAuth server, at the end of a grant': (url) => revokeToken(oauthServer(url), 'token'),
  'the database': (url) =>
    createRpc({ url, serviceKey: 'key' })('version', {}).then(
      () => 'answered',
      ({ name, transient }) => [name, transient],
    ),
  'the storage': (url) =>
    createBucket({ url, serviceKey: 'key' })
      .read('a/b')
      .then(
        () => 'answered',
        ({ code }) => code,
      ),
  'a function that reads': (url) => callTool(url, 'read'),
  'a function that writes': (url) => callTool(url, 'write'),
  'a function that tests a connection': (url) =>
    testValues(
      { id: 'p', name: 'P', function: 'p-api' } as never,
      {},
      [],
      { token: 'token' },
      { functionUrl: () => url, fetch, env: {} },
    ).then((result) => (result.ok ? 'answered' : result.errorType)),
  'a function that reads a PDF': (url) =>
    extractPdfText(
      { id: 'f', bytes: new Uint8Array(1) },
      { functionUrl: () => url, fetch, headersFor: async () => ({}) },
    ),
}

const endings: Record<string, unknown> = {
  'a model': 'ModelError',
  'an OAuth server, for tokens': 'unavailable',
  'an OAuth server, at the end of a grant': false,
  'the database': ['DatabaseError', false],
  'the storage': 'storage_unavailable',
  'a function that reads': 'unavailable',
  'a function that writes': 'outcome_unknown',
  'a function that tests a connection': 'unavailable',
  'a function that reads a PDF': undefined,
}

function oauthServer(url: string) {
  const urls = { authorizeUrl: url, tokenUrl: url, revokeUrl: url }
  return { name: 'google', clientId: 'c', clientSecret: 's', ...urls } as never
}

async function callTool(url: string, effect: 'read' | 'write') {
  const specification = { name: 'do_it', description: '', parameters: { type: 'object' }, effect } as const
  const tool = { specification, function: 'p-api', action: 'do', source: 'askback', providers: [] }
  const library = createToolExecutors([tool as never], {
    functionUrl: () => url,
    agentId: 'a',
    headersFor: async () => ({}),
    findOutcome: async () => 'unknown',
    appUrls: { app: undefined, settings: undefined } as never,
    fetch,
  })
  const context = { signal: new AbortController().signal, idempotencyKey: 'k', usedModel() {} }
  return await Promise.resolve(library.get('do_it')?.execute({}, context as never)).then(
    (result) => (result as { errorType?: string }).errorType ?? 'answered',
    ({ toolError }) => toolError.errorType,
  )
}

for (const [name, read] of Object.entries(readers)) {
  test(`${name} cannot fill the memory with an answer`, async () => {
    await using server = await startBombServer('application/json', 96)
    assert.deepEqual(await read(server.url), endings[name])
  })
}

test('a key is tested without the list of models that it opens', async () => {
  await using server = await startBombServer('application/json', 96)
  const env = { OPENAI_BASE_URL: server.url }
  const provider = { id: 'openai', name: 'OpenAI' } as never
  assert.deepEqual(await testModelKey(provider, 'key', env, fetch), { ok: true, data: {} })
})

test('a stream of a model ends where its limit does', async () => {
  await using server = await startBombServer('text/event-stream', 96)
  const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
  const request = { messages: [{ role: 'user' as const, content: 'Hello' }], tools: [] }
  let seen = 0
  const onEvent = () => void seen++
  await assert.rejects(model.complete(request, { stream: true, onEvent }), { name: 'ModelError' })
  assert.ok(seen > 0)
})
