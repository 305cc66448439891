import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../data-directory/data-directory.ts'
import type { Client } from './client.ts'

/** What a user has agreed to. */
export interface Consent {
  userId: string
  clientId: string
  scopes: readonly string[]
  grantedAt: string
}

/** What a client was given for a user. */
export interface ClientSession {
  id: string
  userId: string
  clientId: string
  refreshToken: string
  /** The refresh token before this one, and until when it may be used once more, in milliseconds since 1970. */
  before?: { refreshToken: string; until: number }
}

export interface Stored {
  clients: Client[]
  consents: Consent[]
  sessions: ClientSession[]
}

/** What outlives a start of the stack: clients keep the ids and the tokens that they were given. */
export function openStore(directory: string) {
  const path = join(directory, 'oauth-server.json')
  const stored: Stored = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8'))
    : { clients: [], consents: [], sessions: [] }
  return {
    stored,
    save: () => writePrivateFile(path, `${JSON.stringify(stored, null, 2)}\n`),
  }
}
export type Store = ReturnType<typeof openStore>
