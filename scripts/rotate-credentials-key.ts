/**
 * `npm run rotate-credentials-key`: puts every stored secret under the first key of `ASKBACK_CREDENTIALS_KEYS`.
 *
 * 1. Put a new key in front of the old ones, `ASKBACK_CREDENTIALS_KEYS="new:…,old:…"`, and give that to the functions
 *    (`supabase secrets set`; on the local stack `credentialsKeys` in keys.json, then restart it).
 * 2. Run this with the same keys and `DATABASE_URL`. It can be stopped and run again at any time.
 * 3. When it says that everything is done, and twenty minutes later for sign-ins that had begun, remove the old key.
 *
 * Without these variables it takes the local stack of `ASKBACK_DATA_DIR`. It never prints a secret or a key.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rotateKeys } from '../cli/credentials/rotate-keys.ts'
import { KeyringError } from '../shared/server/credentials/keyring.ts'

const directory = resolve(process.env.ASKBACK_DATA_DIR || '.askback')

function readLocal(file: string): Record<string, string> {
  const path = join(directory, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

const url = process.env.DATABASE_URL || readLocal('stack.json').databaseUrl
if (!url) console.error('There is no database: set DATABASE_URL, or start the local stack first (npm start).')
const keys = process.env.ASKBACK_CREDENTIALS_KEYS || readLocal('keys.json').credentialsKeys
const rotation = url ? rotateKeys(url, keys) : Promise.resolve(1)
process.exitCode = await rotation.catch((error) => {
  if (!(error instanceof KeyringError) && error.code === undefined) throw error
  console.error(error.message)
  return 1
})
