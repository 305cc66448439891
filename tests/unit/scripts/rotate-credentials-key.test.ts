import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { rotateSecrets } from '../../../cli/credentials/rotate-secrets.ts'
import {
  makeBellKey,
  openBellKey,
  openDestinationSecret,
} from '../../../shared/server/credentials/destination-secret.ts'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'
import {
  openSecret,
  type SealedSecret,
  sealSecret,
} from '../../../shared/server/credentials/sealed-secret.ts'
import { useDatabase } from '../../../support/use-database.ts'

const oldKey = `old:${btoa('o'.repeat(32))}`
const newKey = `new:${btoa('n'.repeat(32))}`
const [before, during, after] = await Promise.all([oldKey, `${newKey},${oldKey}`, newKey].map(readKeyring))
const { database, db } = useDatabase()
let user: string

beforeEach(async () => {
  await database.sql`delete from askback.connections`
  await database.sql`delete from askback.bell_key`
  // More than a user may have.
  await database.sql`update askback.limits set value = 1000 where measure = 'connections'`
  user = await db.createUser()
})

async function store(password: string, keyring = before) {
  const id = randomUUID()
  const secret = { field: 'password', value: password, version: 3 }
  if (!keyring) throw new Error('There is no keyring.')
  const sealed = await sealSecret(keyring, { connectionId: id, userId: user, provider: 'smtp' }, secret)
  await db.call('store_connection', user, { id, provider: 'smtp', label: id, secrets: [sealed] })
  return id
}

async function open(id: string, keyring = after) {
  const [sealed] = await database.sql<SealedSecret[]>`
    select field, ciphertext, key_id as "keyId", version from askback.connection_secrets where connection_id = ${id}`
  if (!sealed || !keyring) throw new Error('There is no such secret.')
  return await openSecret(keyring, { connectionId: id, userId: user, provider: 'smtp' }, sealed)
}

const rotate = (onBatch: (rotated: number) => void = () => {}) => {
  if (!during) throw new Error('There is no keyring.')
  return rotateSecrets(database.sql, during, onBatch)
}

test('every secret opens with the new key alone, and with both while it goes on', async () => {
  const ids = await Promise.all(Array.from({ length: 450 }, (_, number) => store(`planted ${number}`)))
  const batches: number[] = []
  expect(await rotate((rotated) => batches.push(rotated))).toEqual({
    rotated: 450,
    replaced: 0,
    corrupted: [],
    isBellCorrupted: false,
    unknownKeys: {},
  })
  expect(batches).toEqual([200, 400, 450])
  expect(await open(ids[0] ?? '')).toBe('planted 0')
  expect(await open(ids[449] ?? '', during)).toBe('planted 449')
  expect(await rotate()).toMatchObject({ rotated: 0 })
})

test('one that was stopped goes on where it was', async () => {
  await Promise.all(Array.from({ length: 250 }, (_, number) => store(`planted ${number}`)))
  const killed = rotate(() => {
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(await rotate()).toMatchObject({ rotated: 50 })
})

test('what cannot be opened stays as it is, and is told apart: corrupted, or a key that is missing', async () => {
  const corrupted = await store('planted')
  await database.sql`update askback.connection_secrets set ciphertext = ${randomUUID()} where connection_id = ${corrupted}`
  await store('planted', await readKeyring(`lost:${btoa('l'.repeat(32))}`))
  const fine = await store('planted')
  expect(await rotate()).toEqual({
    rotated: 1,
    replaced: 0,
    corrupted: [{ connectionId: corrupted, field: 'password' }],
    isBellCorrupted: false,
    unknownKeys: { lost: 1 },
  })
  expect(await open(fine)).toBe('planted')
})

test('the key of the bell opens with the new key alone', async () => {
  if (!before || !during || !after) throw new Error('There is no keyring.')
  const { modulus, sealed } = await makeBellKey(before)
  await database.sql`insert into askback.bell_key (modulus, sealed) values (${modulus}, ${sealed})`
  await database.sql`insert into askback.on_open (url, secret) values ('https://app.example.com', 'planted')`
  expect(await rotate()).toMatchObject({ rotated: 1 })
  const [row] = await database.sql`select k.sealed, o.secret from askback.bell_key k, askback.on_open o`
  const key = await openBellKey(after, row?.sealed)
  expect(await openDestinationSecret(key, row?.secret)).toBe('planted')
  await database.sql`update askback.bell_key set sealed = 'sealed:old:planted'`
  expect(await rotate()).toMatchObject({ rotated: 0, isBellCorrupted: true })
})

test('the command says what to do, and prints neither secret nor key', async () => {
  await store('planted secret')
  const run = (keys: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/rotate-credentials-key.ts'], {
      env: { PATH: process.env.PATH, DATABASE_URL: database.url, ASKBACK_CREDENTIALS_KEYS: keys },
    }).catch((error) => error)
  const failed = await run(newKey)
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain('Secrets that need the key "old"')
  const { stdout } = await run(`${newKey},${oldKey}`)
  expect(stdout).toContain('Secrets put under the key "new" now: 1.')
  expect(stdout).toContain('No secret needs old any more: remove it in twenty minutes.')
  for (const secret of ['planted', newKey.slice(4), oldKey.slice(4)]) {
    expect(failed.stdout + failed.stderr + stdout).not.toContain(secret)
  }
})
