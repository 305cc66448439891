import type { FreePlaces, ToolModelUse } from '../shared/engine/core/tool-specification.ts'
import type { ModelClient } from '../shared/engine/models/protocol/model-client.ts'
import { readKeyring } from '../shared/server/credentials/keyring.ts'
import { sealSecret } from '../shared/server/credentials/sealed-secret.ts'
import { createIntegrationApp } from '../shared/server/integration-function/integration-app.ts'
import { readModelUse } from '../shared/server/integration-function/model-use.ts'
import { readAppUrls } from '../shared/server/links/app-urls.ts'
import { implement } from '../supabase/functions/web-search-api/actions.ts'
import { integration } from '../supabase/functions/web-search-api/integration.ts'
import type { Reach } from '../supabase/functions/web-search-api/search/search-connected.ts'

const credentialsKeys = `k1:${btoa('0123456789abcdef0123456789abcdef')}`
/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9'
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'

/** A connection of the user; `key: undefined` is one whose secret was tampered with. */
export interface TestConnection {
  provider: string
  key: string | undefined
}

/** What the function answered. */
export interface FunctionAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of many shapes
  result: any
  used: ToolModelUse[]
}

/** The real function over HTTP, with the user's connections in place of the database. */
export function createSearchFunction(settings: {
  baseURL?: Reach['baseURL']
  allowLoopback?: boolean
  model?: ModelClient
  connections?: TestConnection[]
}) {
  const { baseURL = () => nowhere, allowLoopback = true, model, connections = [] } = settings
  const marked: unknown[] = []
  const app = createIntegrationApp(
    integration,
    implement({ baseURL, allowLoopback, findModel: async () => model }),
    {
      verify: (async () => ({ userId })) as never,
      functionSecret: undefined,
      credentialsKeys,
      appUrls: readAppUrls({ ASKBACK_APP_URLS: 'https://app.example.com' }),
      rpc: (async (name: string, args: { p_error?: unknown; p_connection_id?: unknown }) => {
        if (name === 'load_connections') return await Promise.all(connections.map(storeConnection))
        if (name === 'account_refusal') return null
        if (name === 'mark_connection') marked.push([args.p_connection_id, args.p_error])
        return null
      }) as never,
    },
  )

  async function post(path: string, body: unknown): Promise<FunctionAnswer> {
    const response = await app.request(`/web-search-api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
      body: JSON.stringify(body),
    })
    return { status: response.status, result: await response.json(), used: readModelUse(response.headers) }
  }

  return {
    /** Connections whose health was noted: id and error. */
    marked,
    call: (action: string, params: object, freePlaces?: FreePlaces) =>
      post('', { action, params, freePlaces }),
    test: (provider: string, values: object) => post('/test-connection', { provider, values }),
  }
}

async function storeConnection({ provider, key }: TestConnection, index: number) {
  const id = `00000000-0000-4000-8000-00000000000${index}`
  const owner = { connectionId: id, userId, provider }
  const sealed = await sealSecret(await readKeyring(credentialsKeys), owner, {
    field: 'api_key',
    value: key ?? 'key',
    version: 1,
  })
  const secret = { ...sealed, ...(key === undefined ? { ciphertext: 'AAAA' } : {}) }
  return {
    id,
    provider,
    label: provider,
    account: null,
    status: 'connected',
    scopes: null,
    pinned: false,
    metadata: {},
    secrets: [secret],
  }
}
