import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Sql } from 'postgres'
import { createTokenVerifier } from '../shared/server/authentication/user-token.ts'
import { readKeyring } from '../shared/server/credentials/keyring.ts'
import { sealSecret } from '../shared/server/credentials/sealed-secret.ts'
import { type CallRpc, createRpc } from '../shared/server/database/call-rpc.ts'
import { createFileStore } from '../shared/server/files/file-store.ts'
import { createBucket } from '../shared/server/files/storage-bucket.ts'
import { createIntegrationApp } from '../shared/server/integration-function/integration-app.ts'
import { readAppUrls } from '../shared/server/links/app-urls.ts'
import { readOAuthServers } from '../shared/server/oauth/oauth-server.ts'
import { implement } from '../supabase/functions/gmail-api/actions.ts'
import { integration } from '../supabase/functions/gmail-api/integration.ts'
import { startTestDatabase, type TestDatabase } from './database.ts'
import { type Answer, DatabaseCalls } from './database-calls.ts'
import { type GmailServer, gmailScopes, startGmailServer } from './gmail-server.ts'

/** The function gmail-api in this process, on a real database, against the Gmail simulator. */
export interface GmailFunction {
  gmail: GmailServer
  database: TestDatabase
  calls: DatabaseCalls
  user(...accounts: Partial<TestMailbox>[]): Promise<GmailUser>
  /** Another isolate of the function. `rpc` can come between it and the database; `deadlineMs`: for Gmail's answers. */
  isolate(options?: { rpc?: (rpc: CallRpc) => CallRpc; deadlineMs?: number }): Isolate
  close(): Promise<void>
}

export interface TestMailbox {
  email: string
  scopes: string[]
  status: string
}

type Isolate = ReturnType<typeof createIntegrationApp>

export interface GmailUser {
  id: string
  /** Addresses and tokens of the connected accounts, in order. */
  accounts: { connectionId: string; email: string; token: string }[]
  /** POSTs a call, with a key of its own unless one is given. */
  call(action: string, params: object, options?: { key?: string; isolate?: Isolate }): Promise<Answer>
  /** Asks whether a write of this key has happened. */
  verify(action: string, params: object, key: string, isolate?: Isolate): Promise<string>
  /** The ledger's rows, oldest first. */
  rows(): Promise<Answer[]>
}

/** Nobody listens there: a token that is refused cannot be replaced. */
const oauthServers = readOAuthServers({
  GOOGLE_CLIENT_ID: 'client',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_OAUTH_BASE_URL: 'http://127.0.0.1:1',
})

/** The access token of a connection is good for an hour. */
export async function grantToken(sql: Sql, connectionId: string): Promise<void> {
  await sql`
    insert into askback.oauth_grants (connection_id, server, subject, access_expires_at)
    values (${connectionId}, 'google', ${connectionId}, now() + interval '1 hour')`
}

export async function startGmailFunction(): Promise<GmailFunction> {
  const gmail = await startGmailServer()
  const database = await startTestDatabase()
  const calls = new DatabaseCalls()
  calls.open(database)
  await database.dataApi.readSchema()
  const { jwtSecret, secretKey, credentialsKeys } = database.keys
  const rpc = createRpc({
    url: 'http://127.0.0.1',
    serviceKey: secretKey,
    fetch: (input, init) => Promise.resolve(database.dataApi.fetch(new Request(input, init))),
  })

  const isolate: GmailFunction['isolate'] = ({ rpc: between, deadlineMs = 20_000 } = {}) =>
    createIntegrationApp(integration, implement({ baseUrl: gmail.url, deadlineMs }), {
      verify: createTokenVerifier({ secret: jwtSecret }),
      functionSecret: undefined,
      rpc: between ? between(rpc) : rpc,
      credentialsKeys,
      files: createFileStore(rpc, createBucket({ url: 'http://127.0.0.1', serviceKey: secretKey })),
      oauthServers,
      appUrls: readAppUrls({ ASKBACK_APP_URLS: 'http://app.test' }),
    })
  const main = isolate()

  async function connect(userId: string, { email, scopes, status }: TestMailbox, position: number) {
    const connectionId = randomUUID()
    const token = `ya29.${randomUUID()}`
    gmail.accounts.set(token, { email, scopes })
    const keyring = await readKeyring(credentialsKeys)
    const owner = { connectionId, userId, provider: 'gmail' }
    const sealed = await sealSecret(keyring, owner, { field: 'access_token', value: token, version: 1 })
    await calls.call('store_connection', userId, {
      id: connectionId,
      provider: 'gmail',
      label: email,
      account: email,
      status,
      position,
      scopes,
      metadata: {},
      secrets: [sealed],
    })
    await grantToken(database.sql, connectionId)
    return { connectionId, email, token }
  }

  async function user(...given: Partial<TestMailbox>[]): Promise<GmailUser> {
    const id = await calls.createUser()
    const accounts: GmailUser['accounts'] = []
    for (const [position, account] of (given.length > 0 ? given : [{}]).entries()) {
      const email = `ada-${randomUUID().slice(0, 8)}@gmail.com`
      const whole = { email, scopes: [gmailScopes.modify], status: 'connected', ...account }
      accounts.push(await connect(id, whole, position))
    }
    const token = await new SignJWT({ sub: id, aud: 'authenticated' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(jwtSecret))
    const post = async (body: object, app: Isolate) => {
      const response = await app.request('/gmail-api', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await response.json()) as Answer
    }
    return {
      id,
      accounts,
      call: (action, params, { key = randomUUID(), isolate = main } = {}) =>
        post({ action, params, idempotencyKey: key }, isolate),
      verify: async (action, params, key, isolate = main) => {
        const { data } = await post({ action, params, idempotencyKey: key, verify: true }, isolate)
        return data.verification
      },
      rows: async () => [
        ...(await database.sql`
          select status, result, note from askback.tool_executions where user_id = ${id} order by position`),
      ],
    }
  }

  return {
    gmail,
    database,
    calls,
    user,
    isolate,
    async close() {
      await gmail.close()
      await calls.close()
      await database.close()
    },
  }
}
