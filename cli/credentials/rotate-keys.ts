import postgres from 'postgres'
import { readKeyring } from '../../shared/server/credentials/keyring.ts'
import { rotateSecrets } from './rotate-secrets.ts'

/**
 * Puts every stored secret under the first of the keys and prints what came of it. Resolves to 1 if it has to be run
 * again, once what it says is mended.
 *
 * @param keys As in `ASKBACK_CREDENTIALS_KEYS`. Throws KeyringError if they cannot be read.
 */
export async function rotateKeys(databaseUrl: string, keys: string | undefined): Promise<0 | 1> {
  const keyring = await readKeyring(keys)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const result = await rotateSecrets(sql, keyring, (rotated) => console.log(`Secrets so far: ${rotated}`))
    const { rotated, replaced, corrupted, isBellCorrupted, unknownKeys } = result
    console.log(`Secrets put under the key "${keyring.current.id}" now: ${rotated}.`)
    if (replaced > 0) console.log(`${replaced} were changed meanwhile. Run this again to look at them.`)
    for (const { connectionId, field } of corrupted) {
      console.error(
        `"${field}" of the connection ${connectionId} is corrupted: its owner has to add it anew.`,
      )
    }
    if (isBellCorrupted) {
      console.error(
        'The key of the bell is corrupted: delete the row of askback.bell_key, wait a minute, and write the secrets of askback.on_open again.',
      )
    }
    const unknown = Object.entries(unknownKeys)
    for (const [id, count] of unknown) {
      console.error(
        `Secrets that need the key "${id}", which is not in ASKBACK_CREDENTIALS_KEYS: ${count}. Put it back and run this again.`,
      )
    }
    if (unknown.length > 0 || replaced > 0) return 1
    const old = [...keyring.keys.keys()].filter((id) => id !== keyring.current.id)
    if (old.length > 0)
      console.log(`No secret needs ${old.join(', ')} any more: remove it in twenty minutes.`)
    else
      console.log(
        'To rotate, put a new key in front first: id:key, the key made with "openssl rand -base64 32".',
      )
    return 0
  } finally {
    await sql.end()
  }
}
