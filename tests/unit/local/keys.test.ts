import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readKeys } from '../../../local/data-directory/keys.ts'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askback-unit-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('readKeys', () => {
  it('makes the keys once, for their owner only', () => {
    const keys = readKeys(folder)
    expect(readKeys(folder)).toEqual(keys)
    expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600)
    expect(new Set(Object.values(keys)).size).toBe(Object.keys(keys).length)
  })

  it('makes a credentials key that the product can use, with an id of its own', async () => {
    const { current } = await readKeyring(readKeys(folder).credentialsKeys)
    const path = join(folder, 'keys.json')
    rmSync(path)
    expect((await readKeyring(readKeys(folder).credentialsKeys)).current.id).not.toBe(current.id)
  })

  it('keeps the keys of an older file and adds what it lacks', () => {
    const path = join(folder, 'keys.json')
    writeFileSync(path, '{"jwtSecret":"kept"}')
    const keys = readKeys(folder)
    expect(keys.jwtSecret).toBe('kept')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(keys)
  })

  it.each(['{"jwtSecret":', 'null', '[]'])('refuses to replace a file that it cannot read: %s', (text) => {
    const path = join(folder, 'keys.json')
    writeFileSync(path, text)
    expect(() => readKeys(folder)).toThrow(
      /keys\.json cannot be read .*Restore it, or delete the whole data directory/,
    )
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it.each([
    [undefined, 'is gone'],
    ['{"jwtSecret":"kept"}', 'has no database password'],
  ])('makes no new keys for a database that is there: %s', (text, problem) => {
    const path = join(folder, 'keys.json')
    mkdirSync(join(folder, 'postgres'))
    if (text !== undefined) writeFileSync(path, text)
    expect(() => readKeys(folder)).toThrow(
      `${path} ${problem}, so the database beside it cannot be opened. Restore it, or delete the whole data directory to start over.`,
    )
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(text)
  })
})
