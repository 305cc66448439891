import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeyring } from '../../shared/server/credentials/keyring.ts'
import { openSecret, sealSecret } from '../../shared/server/credentials/sealed-secret.ts'
import { askback } from '../../support/askback-command.ts'
import { startTestDatabase, type TestDatabase } from '../../support/database.ts'
import { makeSupabaseProject, writeFiles } from '../../support/supabase-project.ts'

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`

describe('askback rotate-key', () => {
  let database: TestDatabase
  let folder: string
  beforeAll(async () => {
    database = await startTestDatabase()
    folder = makeSupabaseProject()
  })
  afterAll(() => database?.close())

  const setKeys = (...keys: string[]) =>
    writeFiles(folder, {
      'supabase/functions/.env': `ASKBACK_CREDENTIALS_KEYS=${keys.join(',')}
`,
    })
  const rotate = async () => {
    const outcome = await askback(folder, ['rotate-key', '--db-url', database.url])
    for (const fill of [1, 2]) expect(JSON.stringify(outcome)).not.toContain(key('', fill).slice(1))
    return outcome
  }

  /** Stores a mail account with a password; returns how it is read again. */
  async function storeConnection(keys: string, password: string) {
    const [user] =
      await database.sql`insert into auth.users (id, email) values (${randomUUID()}, 'ada@example.com') returning id`
    const owner = { connectionId: randomUUID(), userId: user?.id, provider: 'smtp' }
    const secret = { field: 'password', value: password, version: 1 }
    const connection = {
      id: owner.connectionId,
      provider: 'smtp',
      label: 'Mail',
      account: 'ada@example.com',
      metadata: {},
      secrets: [{ ...(await sealSecret(await readKeyring(keys), owner, secret)) }],
    }
    await database.sql`select askback.store_connection(${owner.userId}, ${database.sql.json(connection)}::json)`
    return async (withKeys: string) => {
      const [row] = await database.sql`
        select field, ciphertext, key_id as "keyId", version from askback.connection_secrets where connection_id = ${owner.connectionId}`
      return await openSecret(await readKeyring(withKeys), owner, row as never)
    }
  }

  it('puts what was stored under the first of the keys, so that the old one can go', async () => {
    const [old, next] = [key('old', 1), key('new', 2)]
    const read = await storeConnection(old, 'correct horse')
    setKeys(next, old)
    expect(await rotate()).toEqual({
      code: 0,
      stdout:
        'Secrets so far: 1\nSecrets put under the key "new" now: 1.\nNo secret needs old any more: remove it in twenty minutes.\n',
      stderr: '',
    })
    expect(await read(next)).toBe('correct horse')
    expect((await rotate()).stdout).toMatch(/^Secrets put under the key "new" now: 0\./)
    setKeys(key('third', 3))
    const { code, stderr } = await rotate()
    expect([code, stderr]).toEqual([
      1,
      'Secrets that need the key "new", which is not in ASKBACK_CREDENTIALS_KEYS: 1. Put it back and run this again.\n',
    ])
    expect(await read(next)).toBe('correct horse')
  })

  it('refuses in one sentence where there is no database, no key, or one that cannot be read', async () => {
    setKeys('no key')
    const unreadable = await rotate()
    expect(unreadable).toMatchObject({ code: 1, stdout: '' })
    expect(unreadable.stderr).toMatch(/^Entry 1 of the credentials keys cannot be read\. .*\n$/)
    setKeys()
    expect((await rotate()).stderr).toBe(
      'ASKBACK_CREDENTIALS_KEYS is neither in supabase/functions/.env nor set for this command.\n',
    )
    const { code, stderr } = await askback(folder, ['rotate-key'], { DATABASE_URL: '' })
    expect([code, stderr]).toEqual([
      1,
      'There is no database: name it with --db-url, or start `npx askback dev` first.\n',
    ])
  })
})
