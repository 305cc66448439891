import { z } from 'zod'
import { readKeyring } from '../credentials/keyring.ts'
import { openSecret } from '../credentials/sealed-secret.ts'
import { writeLog } from '../log/log-line.ts'
import type { OwnModelKey } from './own-model-keys.ts'

/** A user's key for a model, as stored in the database. */
export const sealedModelKeySchema = z.object({
  id: z.string(),
  provider: z.string(),
  /** The provider's display name. */
  name: z.string(),
  secrets: z.array(
    z.object({ field: z.string(), ciphertext: z.string(), keyId: z.string(), version: z.number() }),
  ),
})

/** Decrypts a user's keys for models. A key that cannot be opened is left out, and the server's own is used instead. */
export async function openModelKeys(
  stored: readonly z.infer<typeof sealedModelKeySchema>[],
  userId: string,
  credentialsKeys: string | undefined,
): Promise<OwnModelKey[]> {
  const opened = stored.map(async ({ id, provider, name, secrets: [sealed] }): Promise<OwnModelKey[]> => {
    if (!sealed) return []
    try {
      const keyring = await readKeyring(credentialsKeys)
      const apiKey = await openSecret(keyring, { connectionId: id, userId, provider }, sealed)
      return [{ provider, name, apiKey, connectionId: id }]
    } catch (cause) {
      writeLog('model-key-not-opened', { connectionId: id }, cause)
      return []
    }
  })
  return (await Promise.all(opened)).flat()
}
