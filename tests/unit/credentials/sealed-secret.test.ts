import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'
import {
  openSecret,
  type SealedSecret,
  SecretError,
  sealSecret,
} from '../../../shared/server/credentials/sealed-secret.ts'

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)))
const keyring = await readKeyring(`2026:${key(1)}`)
const owner = {
  connectionId: '6a0f4b0e-3a8a-4b41-8d7e-0a0c5f9a1c11',
  userId: '0d5b6f8e-52c7-4b0f-9d0b-3c4be3c2a9aa',
  provider: 'smtp',
}
const secret = { field: 'password', value: 'correct horse', version: 1 }

const bytesOf = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
const textOf = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

async function kindOf(opening: Promise<string>): Promise<string> {
  return opening.then(
    (value) => `opened: ${value}`,
    (error) => (error instanceof SecretError ? error.kind : String(error)),
  )
}

describe('a sealed secret', () => {
  it('opens to any text that was sealed, and shows nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 8 }), async (value) => {
        const sealed = await sealSecret(keyring, owner, { ...secret, value })
        expect(sealed).toMatchObject({ field: 'password', version: 1, keyId: '2026' })
        expect(atob(sealed.ciphertext)).not.toContain(value)
        expect(await openSecret(keyring, owner, sealed)).toBe(value)
      }),
      { numRuns: 50 },
    )
  })

  it('has a data key and nonces of its own: the same value never looks the same', async () => {
    const first = await sealSecret(keyring, owner, secret)
    const second = await sealSecret(keyring, owner, secret)
    expect(first.ciphertext.slice(2, 40)).not.toBe(second.ciphertext.slice(2, 40))
    expect(first.ciphertext.slice(-20)).not.toBe(second.ciphertext.slice(-20))
  })

  it('does not open when any single byte of it was changed', async () => {
    const sealed = await sealSecret(keyring, owner, secret)
    const bytes = bytesOf(sealed.ciphertext)
    for (let index = 0; index < bytes.length; index++) {
      const changed = bytes.slice()
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(await kindOf(openSecret(keyring, owner, { ...sealed, ciphertext: textOf(changed) }))).toBe(
        'corrupted',
      )
    }
  })

  it('does not open when it was cut or lengthened', async () => {
    const sealed = await sealSecret(keyring, owner, secret)
    const bytes = bytesOf(sealed.ciphertext)
    for (let length = 0; length < bytes.length; length++) {
      const ciphertext = textOf(bytes.slice(0, length))
      expect(await kindOf(openSecret(keyring, owner, { ...sealed, ciphertext }))).toBe('corrupted')
    }
    const longer = textOf(new Uint8Array([...bytes, 0]))
    expect(await kindOf(openSecret(keyring, owner, { ...sealed, ciphertext: longer }))).toBe('corrupted')
  })

  it('does not open in the place of another connection, user, provider, field or version', async () => {
    const sealed = await sealSecret(keyring, owner, secret)
    const elsewhere: [typeof owner, SealedSecret][] = [
      [{ ...owner, connectionId: owner.userId }, sealed],
      [{ ...owner, userId: owner.connectionId }, sealed],
      [{ ...owner, provider: 'gmail' }, sealed],
      [owner, { ...sealed, field: 'api_key' }],
      [owner, { ...sealed, version: 2 }],
    ]
    for (const [place, moved] of elsewhere) {
      expect(await kindOf(openSecret(keyring, place, moved))).toBe('corrupted')
    }
  })

  it('does not open when its wrapped key comes from another secret of the same user', async () => {
    const sealed = await sealSecret(keyring, owner, secret)
    const other = await sealSecret(keyring, owner, { ...secret, field: 'api_key' })
    const mixed = new Uint8Array([
      ...bytesOf(other.ciphertext).slice(0, 61),
      ...bytesOf(sealed.ciphertext).slice(61),
    ])
    expect(await kindOf(openSecret(keyring, owner, { ...sealed, ciphertext: textOf(mixed) }))).toBe(
      'corrupted',
    )
  })

  it.each(['', 'plain text', '9b2f6e0c-5f0e-4a52-8a4b-5f3b1a1b2c3d', '{"v":1}', 'AAAA'])(
    'is corrupted when it never was encrypted: %j',
    async (ciphertext) => {
      const stored = { field: 'password', version: 1, keyId: '2026', ciphertext }
      expect(await kindOf(openSecret(keyring, owner, stored))).toBe('corrupted')
    },
  )

  it('may be a UUID itself: some providers give those as passwords', async () => {
    const value = '9b2f6e0c-5f0e-4a52-8a4b-5f3b1a1b2c3d'
    expect(await openSecret(keyring, owner, await sealSecret(keyring, owner, { ...secret, value }))).toBe(
      value,
    )
  })

  it('opens after a rotation as long as its key is kept, and is the operator’s affair when it is not', async () => {
    const sealed = await sealSecret(keyring, owner, secret)
    const rotated = await readKeyring(`2027:${key(2)},2026:${key(1)}`)
    expect(await openSecret(rotated, owner, sealed)).toBe('correct horse')
    expect((await sealSecret(rotated, owner, secret)).keyId).toBe('2027')
    const forgotten = await readKeyring(`2027:${key(2)}`)
    expect(await kindOf(openSecret(forgotten, owner, sealed))).toBe('unknown_key')
  })

  it('does not open under another key id, nor under another key with the same id', async () => {
    const sealed = await sealSecret(keyring, owner, secret)
    const both = await readKeyring(`2027:${key(1)},2026:${key(1)}`)
    expect(await kindOf(openSecret(both, owner, { ...sealed, keyId: '2027' }))).toBe('corrupted')
    const replaced = await readKeyring(`2026:${key(3)}`)
    expect(await kindOf(openSecret(replaced, owner, sealed))).toBe('corrupted')
  })
})
