import { afterAll, beforeAll } from 'vitest'
import { startTestDatabase, type TestDatabase } from './database.ts'
import { DatabaseCalls } from './database-calls.ts'

/** A database of its own for a test file, from before its first test until after its last one. */
export function useDatabase(): { database: TestDatabase; db: DatabaseCalls } {
  const database = {} as TestDatabase
  const db = new DatabaseCalls()
  beforeAll(async () => {
    Object.assign(database, await startTestDatabase())
    db.open(database)
  })
  afterAll(async () => {
    await db.close()
    await database.close?.()
  })
  return { database, db }
}
