import type { Sql } from 'postgres'
import { keyOfSealed, sealBellKeyAnew } from '../../shared/server/credentials/destination-secret.ts'
import type { Keyring } from '../../shared/server/credentials/keyring.ts'
import {
  openSecret,
  type SealedSecret,
  SecretError,
  type SecretOwner,
  sealSecret,
} from '../../shared/server/credentials/sealed-secret.ts'
import {
  grantOwner,
  headersOwner,
  registrationOwner,
} from '../../shared/server/credentials/server-secrets.ts'

/** What became of the secrets that were not sealed with the first key. */
export interface Rotation {
  /** Sealed with the first key now. */
  rotated: number
  /** Changed meanwhile, and thereby sealed with the first key. */
  replaced: number
  /** Connections whose secret no key opens: their owners have to add it again. */
  corrupted: { connectionId: string; field: string }[]
  /** No key opens the key of the bell. */
  isBellCorrupted: boolean
  /** Ids of keys missing from the keyring, each with the number of secrets that need it. */
  unknownKeys: Record<string, number>
}

interface Row {
  connection_id: string
  user_id: string
  provider: string
  field: string
  ciphertext: string
  key_id: string
  version: number
}

/** How many secrets are read at a time. */
const batchSize = 200

/**
 * Seals every secret with the first key of the keyring, in batches but each on its own, so that it can be stopped and
 * started again at any time. Functions keep working as long as they have both keys. A secret that changes meanwhile is
 * left alone.
 */
export async function rotateSecrets(
  sql: Sql,
  keyring: Keyring,
  onBatch: (rotated: number) => void,
): Promise<Rotation> {
  const result: Rotation = { rotated: 0, replaced: 0, corrupted: [], isBellCorrupted: false, unknownKeys: {} }
  let after: [string, string] = ['00000000-0000-0000-0000-000000000000', '']
  for (;;) {
    const rows = await sql<Row[]>`
      select s.connection_id, c.user_id, c.provider, s.field, s.ciphertext, s.key_id, s.version
      from askback.connection_secrets s join askback.connections c on c.id = s.connection_id
      where s.key_id <> ${keyring.current.id} and (s.connection_id, s.field) > (${after[0]}::uuid, ${after[1]})
      order by s.connection_id, s.field
      limit ${batchSize}`
    for (const row of rows) await rotate(sql, keyring, row, result)
    const last = rows.at(-1)
    if (!last) break
    after = [last.connection_id, last.field]
    onBatch(result.rotated)
  }
  await rotateBellKey(sql, keyring, result)
  await rotateServerSecrets(sql, keyring, result)
  await rotateHeaders(sql, keyring, result)
  return result
}

/** The key of the bell, with which the secrets of its destinations are sealed. */
async function rotateBellKey(sql: Sql, keyring: Keyring, result: Rotation): Promise<void> {
  const [row] = await sql<{ sealed: string }[]>`select sealed from askback.bell_key`
  const keyId = row && keyOfSealed(row.sealed)
  if (!row || keyId === undefined || keyId === keyring.current.id) return
  try {
    const sealed = await sealBellKeyAnew(keyring, row.sealed)
    const changed = await sql`update askback.bell_key set sealed = ${sealed} where sealed = ${row.sealed}`
    if (changed.count === 1) result.rotated++
    else result.replaced++
  } catch (cause) {
    if (!(cause instanceof SecretError)) throw cause
    if (cause.kind === 'corrupted') result.isBellCorrupted = true
    else result.unknownKeys[keyId] = (result.unknownKeys[keyId] ?? 0) + 1
  }
}

interface ServerRow {
  user_id: string
  server: string
  issuer: string
  ciphertext: string
  key_id: string
  version: number
}

/** What servers of MCP gave us. What no key opens is asked for again when it is needed. */
async function rotateServerSecrets(sql: Sql, keyring: Keyring, result: Rotation): Promise<void> {
  const current = keyring.current.id
  const registrations = await sql<ServerRow[]>`
    select issuer, ciphertext, key_id, version::float8 from askback.server_registrations where key_id <> ${current}`
  for (const row of registrations) {
    const owner = registrationOwner(row.issuer)
    await reseal(keyring, owner, 'registration', row, result, async ({ ciphertext, keyId }) => {
      const changed = await sql`
        update askback.server_registrations set ciphertext = ${ciphertext}, key_id = ${keyId}
        where issuer = ${row.issuer} and ciphertext = ${row.ciphertext}`
      return changed.count === 1
    })
  }
  const grants = await sql<ServerRow[]>`
    select user_id, server, issuer, ciphertext, key_id, version::float8 from askback.server_grants
    where key_id <> ${current}`
  for (const row of grants) {
    const owner = grantOwner(row.user_id, row.server, row.issuer)
    await reseal(keyring, owner, 'grant', row, result, async ({ ciphertext, keyId }) => {
      const changed = await sql`
        update askback.server_grants set ciphertext = ${ciphertext}, key_id = ${keyId}
        where user_id = ${row.user_id} and server = ${row.server} and ciphertext = ${row.ciphertext}`
      return changed.count === 1
    })
  }
}

interface HeadersRow {
  id: string
  url: string
  headers: SealedSecret
}

/** The headers that people have given for servers. What no key opens has to be given again. */
async function rotateHeaders(sql: Sql, keyring: Keyring, result: Rotation): Promise<void> {
  const rows = await sql<HeadersRow[]>`
    select id, url, headers from askback.mcp_servers where headers ->> 'keyId' <> ${keyring.current.id}`
  for (const { id, url, headers } of rows) {
    const { keyId: key_id, ciphertext, version } = headers
    const row = { key_id, ciphertext, version }
    await reseal(keyring, headersOwner(id, url), 'headers', row, result, async (sealed) => {
      const changed = await sql`
        update askback.mcp_servers set headers = ${JSON.stringify(sealed)}::text::json
        where id = ${id} and headers ->> 'ciphertext' = ${ciphertext}`
      return changed.count === 1
    })
  }
}

/** `store` resolves to whether the secret was still the same. */
async function reseal(
  keyring: Keyring,
  owner: SecretOwner,
  field: string,
  { ciphertext, key_id: keyId, version }: Pick<ServerRow, 'ciphertext' | 'key_id' | 'version'>,
  result: Rotation,
  store: (sealed: SealedSecret) => Promise<boolean>,
): Promise<void> {
  try {
    const value = await openSecret(keyring, owner, { field, version, ciphertext, keyId })
    if (await store(await sealSecret(keyring, owner, { field, version, value }))) result.rotated++
    else result.replaced++
  } catch (cause) {
    if (!(cause instanceof SecretError)) throw cause
    if (cause.kind === 'unknown_key') result.unknownKeys[keyId] = (result.unknownKeys[keyId] ?? 0) + 1
  }
}

async function rotate(sql: Sql, keyring: Keyring, row: Row, result: Rotation): Promise<void> {
  const {
    connection_id: connectionId,
    user_id: userId,
    provider,
    field,
    version,
    ciphertext,
    key_id: keyId,
  } = row
  const owner = { connectionId, userId, provider }
  let value: string
  try {
    value = await openSecret(keyring, owner, { field, version, ciphertext, keyId })
  } catch (cause) {
    if (!(cause instanceof SecretError)) throw cause
    if (cause.kind === 'corrupted') result.corrupted.push({ connectionId, field })
    else result.unknownKeys[keyId] = (result.unknownKeys[keyId] ?? 0) + 1
    return
  }
  const sealed = await sealSecret(keyring, owner, { field, version, value })
  const changed = await sql`
    update askback.connection_secrets set ciphertext = ${sealed.ciphertext}, key_id = ${sealed.keyId}
    where connection_id = ${connectionId} and field = ${field} and version = ${version} and ciphertext = ${ciphertext}`
  if (changed.count === 1) result.rotated++
  else result.replaced++
}
