import { z } from 'zod'
import {
  makeBellKey,
  openBellKey,
  openDestinationSecret,
} from '../../../../shared/server/credentials/destination-secret.ts'
import { readKeyring } from '../../../../shared/server/credentials/keyring.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'

/**
 * What opens the secrets of destinations, which the database has sealed. Makes the key that they are sealed with, if there is
 * none yet.
 */
export async function readBellSecrets({
  rpc,
  credentialsKeys,
}: Pick<ChatDependencies, 'rpc' | 'credentialsKeys'>): Promise<(sealed: string) => Promise<string>> {
  const keyring = await readKeyring(credentialsKeys)
  const read = (p_made?: { modulus: string; sealed: string }) =>
    askDatabase(rpc('bell_key', { p_made }), z.string().nullable())
  const sealed = (await read()) ?? (await read(await makeBellKey(keyring)))
  let key: Promise<CryptoKey> | undefined
  return async (secret) => {
    key ??= openBellKey(keyring, sealed ?? '')
    return await openDestinationSecret(await key, secret)
  }
}
