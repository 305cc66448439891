import { toHex } from '../../engine/core/sha256.ts'
import { decodeBase64, type Keyring } from './keyring.ts'
import { encodeBase64, openSecret, SecretError, type SecretOwner, sealSecret } from './sealed-secret.ts'

// Secrets of destinations of the bell (`askback.on_open`). The database seals them as they are written, with the public half
// of a key (SQL `seal_secret`); its private half is sealed as secrets of connections are.

const mark = 'sealed:'
const field = 'bell_key'
const version = 1
/** Nobody's, and of no connection. */
const nil = '00000000-0000-0000-0000-000000000000'
const owner: SecretOwner = { connectionId: nil, userId: nil, provider: 'askback' }
const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' }

/** Of a new key: its modulus in lower-case hex, and its private half, sealed. */
export async function makeBellKey(keyring: Keyring): Promise<{ modulus: string; sealed: string }> {
  const kind = { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const { publicKey, privateKey } = await crypto.subtle.generateKey(kind, true, ['encrypt', 'decrypt'])
  const { n = '' } = await crypto.subtle.exportKey('jwk', publicKey)
  const modulus = decodeBase64(n)
  if (!modulus) throw new Error('The modulus of a new key is not base64.')
  const value = encodeBase64(new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey)))
  return { modulus: toHex(modulus.buffer), sealed: await seal(keyring, value) }
}

/** @throws {SecretError} if it is corrupted, or its key is not in the keyring */
export async function openBellKey(keyring: Keyring, sealed: string): Promise<CryptoKey> {
  const bytes = decodeBase64(await open(keyring, sealed))
  if (!bytes) throw new SecretError('corrupted', field)
  return await crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['decrypt'])
}

/** The private half, sealed with the first key of the keyring. Throws as openBellKey does. */
export async function sealBellKeyAnew(keyring: Keyring, sealed: string): Promise<string> {
  return await seal(keyring, await open(keyring, sealed))
}

/** The id of the key of the keyring that seals a private half. */
export function keyOfSealed(sealed: string): string {
  return sealed.slice(mark.length).split(':')[0] ?? ''
}

/** @throws {SecretError} if it is corrupted, or sealed with another key */
export async function openDestinationSecret(key: CryptoKey, sealed: string): Promise<string> {
  const pairs = sealed.slice(mark.length).match(/[0-9a-f]{2}/g) ?? []
  const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, key, bytes))
  } catch {
    throw new SecretError('corrupted', 'secret')
  }
}

async function seal(keyring: Keyring, value: string): Promise<string> {
  const { ciphertext, keyId } = await sealSecret(keyring, owner, { field, value, version })
  return `${mark}${keyId}:${ciphertext}`
}

async function open(keyring: Keyring, sealed: string): Promise<string> {
  const keyId = keyOfSealed(sealed)
  const ciphertext = sealed.slice(mark.length + keyId.length + 1)
  return await openSecret(keyring, owner, { field, ciphertext, keyId, version })
}
