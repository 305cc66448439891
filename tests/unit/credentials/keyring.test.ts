import { describe, expect, it } from 'vitest'
import { KeyringError, readKeyring } from '../../../shared/server/credentials/keyring.ts'

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)))

describe('readKeyring', () => {
  it('encrypts with the first key and knows all of them', async () => {
    const keyring = await readKeyring(` new:${key(2)} , old:${key(1)} `)
    expect(keyring.current.id).toBe('new')
    expect([...keyring.keys.keys()]).toEqual(['new', 'old'])
  })

  it('takes base64url, with or without padding', async () => {
    const url = btoa(String.fromCharCode(...new Uint8Array(32).fill(255)))
      .replaceAll('/', '_')
      .replaceAll('+', '-')
      .replace('=', '')
    expect((await readKeyring(`a:${url}`)).current.id).toBe('a')
  })

  it('never lets a key out again', async () => {
    const { current } = await readKeyring(`a:${key(1)}`)
    await expect(crypto.subtle.exportKey('raw', current.key)).rejects.toThrow()
  })

  it.each([
    ['nothing', undefined, 'No credentials key is set'],
    ['an empty text', ' , ', 'No credentials key is set'],
    ['a key without an id', key(1), 'Entry 1'],
    ['a short key', `a:${btoa('short')}`, 'Entry 1'],
    ['a second entry that is no base64', `a:${key(1)},b:!!!`, 'Entry 2'],
    ['an id twice', `a:${key(1)},a:${key(2)}`, 'Two of the credentials keys'],
  ])('says how to set the keys when given %s', async (_, setting, message) => {
    const error = await readKeyring(setting).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(KeyringError)
    expect((error as Error).message).toContain(message)
    expect((error as Error).message).toContain('openssl rand -base64 32')
    expect((error as Error).message).not.toContain(key(1))
  })
})
