import { z } from 'zod'
import { openSecrets } from '../../../shared/server/connections/stored-connection.ts'
import { sealSecret } from '../../../shared/server/credentials/sealed-secret.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { type ConnectableProvider, connectionSchema, definitionOf, findProvider } from './catalogue.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { type FoundConnection, showConnection } from './show-connection.ts'

const storedSchema = z.object({
  connection: connectionSchema,
  secrets: z.array(
    z.object({ field: z.string(), ciphertext: z.string(), keyId: z.string(), version: z.number() }),
  ),
})
/** A connection with its sealed secrets and its provider. */
export type StoredConnection = z.infer<typeof storedSchema> & { provider: ConnectableProvider }

/** The result of storing a connection; `limit`: how many connections the user may have. */
export const storeSchema = z.object({
  stored: z.boolean(),
  code: z.string().optional(),
  limit: z.number().optional(),
})

/** The user's connections in the database: loading, opening, storing. */
export function createStoredConnections({
  rpc,
  openKeyring,
}: Pick<SettingsDependencies, 'rpc' | 'openKeyring'>) {
  async function load(userId: string, id: string): Promise<StoredConnection> {
    const asked = rpc('open_connection', { p_user_id: userId, p_connection_id: id })
    const stored = await askDatabase(asked, storedSchema.nullable(), 'not_stored')
    if (stored === null) throw connectionNotFound()
    return { ...stored, provider: await findProvider(rpc, userId, stored.connection.provider) }
  }

  async function show(userId: string, id: string): Promise<FoundConnection> {
    const { provider, connection } = await load(userId, id)
    return showConnection(provider, connection)
  }

  /** The decrypted secrets of a connection, except those that will be replaced anyway. */
  async function open(
    userId: string,
    { connection, secrets, provider }: StoredConnection,
    without: readonly string[] = [],
  ) {
    const secretsSeen: string[] = []
    const kept = secrets.filter(({ field }) => !without.includes(field))
    const opened = await openSecrets({ id: connection.id, secrets: kept }, definitionOf(provider), {
      userId,
      openKeyring,
      onSecret: (secret) => secretsSeen.push(secret),
    })
    return { opened, heard: secretsSeen }
  }

  async function store(
    userId: string,
    connection: Record<string, unknown> & { id: string; provider: string },
    secrets: Record<string, string>,
    versions: ReadonlyMap<string, number> = new Map(),
  ): Promise<void> {
    const keyring = await openKeyring()
    const owner = { connectionId: connection.id, userId, provider: connection.provider }
    const sealed = await Promise.all(
      Object.entries(secrets).map(([field, value]) =>
        sealSecret(keyring, owner, { field, value, version: (versions.get(field) ?? 0) + 1 }),
      ),
    )
    const asked = rpc('store_connection', {
      p_user_id: userId,
      p_connection: { ...connection, secrets: sealed },
    })
    const { stored, code, limit } = await askDatabase(asked, storeSchema, 'not_stored')
    if (!stored) throw refusalOf(code, limit)
  }

  return { load, show, open, store }
}

export function connectionNotFound(): ApiError {
  return new ApiError('connection_not_found')
}

/** Why a connection is not stored, by the database's code. */
export function refusalOf(code: string | undefined, limit = 0): ApiError {
  if (code === 'not_found') return connectionNotFound()
  if (code === 'limit_reached') return new ApiError('limit_reached', { why: 'connections', limit })
  if (code === 'label_taken') return new ApiError('label_taken')
  return new ApiError('stale')
}
