import { afterAll, beforeAll } from 'vitest'
import { createDatabaseRpc } from './database-rpc.ts'
import { type GoogleOAuthServer, startGoogleOAuth } from './google-oauth-server.ts'
import { addTestProviders } from './test-providers.ts'
import { useDatabase } from './use-database.ts'

/** A database of its own with the providers of the tests, and the simulated Google, for a test file. */
export function useOAuth() {
  const { database, db } = useDatabase()
  const google = {} as GoogleOAuthServer
  beforeAll(async () => {
    await addTestProviders(database.sql)
    Object.assign(google, await startGoogleOAuth())
  })
  afterAll(() => google.close?.())
  return { database, db, rpc: createDatabaseRpc(db), google }
}
