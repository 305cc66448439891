/**
 * `npm run rotate-credentials-key`: puts every stored secret under the first key of `ASKBACK_CREDENTIALS_KEYS`.
 *
 * 1. Put a new key in front of the old ones, `ASKBACK_CREDENTIALS_KEYS="new:…,old:…"`, and give that to the functions
 *    (`supabase secrets set`; on the local stack `credentialsKeys` in keys.json, then restart it).
 * 2. Run this with the same keys and `DATABASE_URL`. It can be stopped and run again at any time.
 * 3. When it says that everything is done, and ten minutes later for sign-ins that had begun, remove the old key.
 *
 * Without these variables it takes the local stack of `ASKBACK_DATA_DIR`. It never prints a secret or a key.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import { KeyringError, readKeyring } from '../shared/server/credentials/keyring.ts'
import { rotateSecrets } from './credentials/rotate-secrets.ts'

const directory = resolve(process.env.ASKBACK_DATA_DIR || '.askback')

function readLocal(file: string): Record<string, string> {
  const path = join(directory, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

async function rotateAll(): Promise<number> {
  const url = process.env.DATABASE_URL || readLocal('stack.json').databaseUrl
  const keys = process.env.ASKBACK_CREDENTIALS_KEYS || readLocal('keys.json').credentialsKeys
  if (!url) {
    console.error('There is no database: set DATABASE_URL, or start the local stack first (npm start).')
    return 1
  }
  const keyring = await readKeyring(keys)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const result = await rotateSecrets(sql, keyring, (rotated) => console.log(`${rotated} secrets so far`))
    const { rotated, replaced, corrupted, unknownKeys } = result
    console.log(`Secrets put under the key "${keyring.current.id}" now: ${rotated}.`)
    if (replaced > 0) console.log(`${replaced} were changed meanwhile. Run this again to look at them.`)
    for (const { connectionId, field } of corrupted) {
      console.error(
        `"${field}" of the connection ${connectionId} is corrupted: its owner has to add it anew.`,
      )
    }
    const unknown = Object.entries(unknownKeys)
    for (const [id, count] of unknown) {
      console.error(
        `${count} secrets need the key "${id}", which is not in ASKBACK_CREDENTIALS_KEYS. Put it back and run this again.`,
      )
    }
    if (unknown.length > 0 || replaced > 0) return 1
    const old = [...keyring.keys.keys()].filter((id) => id !== keyring.current.id)
    if (old.length > 0) console.log(`No secret needs ${old.join(', ')} any more: remove it in ten minutes.`)
    else
      console.log(
        'To rotate, put a new key in front first: id:key, the key made with "openssl rand -base64 32".',
      )
    return 0
  } finally {
    await sql.end()
  }
}

process.exitCode = await rotateAll().catch((error) => {
  if (!(error instanceof KeyringError) && error.code === undefined) throw error
  console.error(error.message)
  return 1
})
