import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { readKeyring } from '../../shared/server/credentials/keyring.ts'
import { sealSecret } from '../../shared/server/credentials/sealed-secret.ts'
import type { DataApi } from '../data-api/data-api.ts'
import type { Keys } from '../data-directory/keys.ts'
import type { Inbox } from './inbox.ts'

interface Parts {
  sql: Sql
  keys: Keys
  inbox: Inbox
}

interface Account {
  id: string
  email: string
}

const label = 'Local inbox'

/** Connects an account to the inbox. One that its user has switched off stays so. */
export async function connectInbox(
  { sql, keys, inbox }: Parts,
  { id: userId, email }: Account,
): Promise<void> {
  const keyring = await readKeyring(keys.credentialsKeys)
  const [stored] = await sql`
    select connection.id, connection.status, connection.metadata, secret.version, secret.key_id
    from askback.connections connection
    left join askback.connection_secrets secret on secret.connection_id = connection.id and secret.field = 'password'
    where connection.user_id = ${userId} and connection.provider = 'smtp' and connection.label = ${label}`
  const isCurrent =
    stored?.status === 'connected' &&
    stored.key_id === keyring.current.id &&
    stored.metadata.port === inbox.port
  if (isCurrent || stored?.status === 'disabled') return
  const id: string = stored?.id ?? randomUUID()
  const secret = { field: 'password', value: inbox.password, version: (stored?.version ?? 0) + 1 }
  const sealed = await sealSecret(keyring, { connectionId: id, userId, provider: 'smtp' }, secret)
  const { host, port, user } = inbox
  const connection = {
    id,
    provider: 'smtp',
    label,
    account: email,
    metadata: { from: email, ...stored?.metadata, host, port, user },
    status: 'connected',
    secrets: [{ ...sealed }],
  }
  const [answer] =
    await sql`select askback.store_connection(${userId}, ${sql.json(connection)}::json) as result`
  if (!answer?.result.stored)
    throw new Error(`The connection to the inbox could not be stored: ${answer?.result.message}`)
}

/** Leads every account that is connected to the inbox to where it is now. */
export async function reconnectInbox(parts: Parts): Promise<void> {
  const { sql, inbox } = parts
  const accounts = await sql<Account[]>`
    select user_id as id, account as email from askback.connections
    where provider = 'smtp' and label = ${label} and metadata ->> 'user' = ${inbox.user}`
  for (const account of accounts) await connectInbox(parts, account)
}

/** The same data API, but whoever signs up is connected to the inbox before the answer. */
export function connectNewAccounts(
  dataApi: DataApi,
  { withSql, ...parts }: Omit<Parts, 'sql'> & { withSql(work: (sql: Sql) => Promise<void>): Promise<void> },
): DataApi {
  const connect = async (response: Response) => {
    const { id, user } = await response.json()
    await withSql(async (sql) => {
      // An address that has an account already is answered with an id that nobody has.
      const [account] = await sql<Account[]>`
        select id, email from auth.users where id = ${user?.id ?? id} and email is not null`
      if (account) await connectInbox({ ...parts, sql }, account)
    })
  }
  return {
    ...dataApi,
    async fetch(request) {
      const response = await dataApi.fetch(request)
      const signsUp = request.method === 'POST' && new URL(request.url).pathname === '/auth/v1/signup'
      if (signsUp && response.ok) {
        await connect(response.clone()).catch((error) => console.error(`[inbox] ${error.message}`))
      }
      return response
    },
  }
}
