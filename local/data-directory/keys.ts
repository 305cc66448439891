import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../shared/engine/core/json-value.ts'
import { StartError } from '../process/start-error.ts'
import { writePrivateFile } from './data-directory.ts'

/** The secrets of one data directory, generated at its first start and kept. */
export interface Keys {
  /** HS256 secret of the user tokens. */
  jwtSecret: string
  publishableKey: string
  secretKey: string
  /** `id:base64` as `ASKBACK_CREDENTIALS_KEYS` wants it. */
  credentialsKeys: string
  /** Signs the tickets between functions. */
  functionSecret: string
  databasePassword: string
  inboxPassword: string
  demoPassword: string
}

/**
 * Reads `keys.json`, or creates it. Keys that an older file lacks are added.
 * @throws {StartError} when it cannot be read, or is gone while the database that it belongs to is there
 */
export function readKeys(directory: string): Keys {
  const path = join(directory, 'keys.json')
  const kept = existsSync(path) ? parseKeys(path) : {}
  if (!kept.databasePassword && existsSync(join(directory, 'postgres'))) {
    throw new StartError(
      `${path} ${existsSync(path) ? 'has no database password' : 'is gone'}, so the database beside it cannot be opened. Restore it, or delete the whole data directory to start over.`,
    )
  }
  const keys = { ...makeKeys(), ...kept }
  if (Object.keys(kept).length < Object.keys(keys).length) {
    writePrivateFile(path, `${JSON.stringify(keys, null, 2)}\n`)
  }
  return keys
}

function parseKeys(path: string): Partial<Keys> {
  try {
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(kept)) throw new Error('it does not contain a JSON object')
    return kept
  } catch (error) {
    throw new StartError(
      `${path} cannot be read (${(error as Error).message}). Restore it, or delete the whole data directory to start over: without these keys its stored connections cannot be opened.`,
    )
  }
}

function makeKeys(): Keys {
  return {
    jwtSecret: makeText(32),
    publishableKey: `sb_publishable_${makeText(16)}`,
    secretKey: `sb_secret_${makeText(16)}`,
    credentialsKeys: `local-${makeText(6)}:${randomBytes(32).toString('base64')}`,
    functionSecret: makeText(32),
    databasePassword: makeText(24),
    inboxPassword: makeText(18),
    demoPassword: makeText(12),
  }
}

function makeText(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
