import { isUuid } from '../../engine/core/uuid.ts'
import { decodeBase64, type Keyring } from './keyring.ts'

/** The owner of a secret, which is authenticated with it: a secret moved anywhere else does not open. */
export interface SecretOwner {
  connectionId: string
  userId: string
  /** Provider id, like `smtp`. */
  provider: string
}

/** One secret as it is stored. */
export interface SealedSecret {
  field: string
  /** base64 of: format (1 byte), nonce (12) and wrapped data key (48), nonce (12) and encrypted value. */
  ciphertext: string
  /** The key of the keyring that wraps the data key. */
  keyId: string
  /** Counts the values this field has had, from 1, so that an old value cannot be put back. */
  version: number
}

export type SecretErrorKind = 'corrupted' | 'unknown_key'

/** `corrupted`: it was changed, moved or never encrypted. `unknown_key`: the operator removed a key in use. */
export class SecretError extends Error {
  override name = 'SecretError'
  readonly kind: SecretErrorKind
  readonly field: string
  constructor(kind: SecretErrorKind, field: string) {
    super(kind === 'corrupted' ? `The secret "${field}" is corrupted.` : `The key of "${field}" is unknown.`)
    this.kind = kind
    this.field = field
  }
}

const format = 1
const nonceLength = 12
const tagLength = 16
const wrappedKeyLength = 32 + tagLength
const valueStart = 1 + nonceLength + wrappedKeyLength

/** Encrypts a value with a fresh data key, which the keyring's first key wraps (AES-256-GCM both). */
export async function sealSecret(
  keyring: Keyring,
  owner: SecretOwner,
  secret: { field: string; value: string; version: number },
): Promise<SealedSecret> {
  const { field, version } = secret
  const keyId = keyring.current.id
  const rawDataKey = crypto.getRandomValues(new Uint8Array(32))
  const dataKey = await crypto.subtle.importKey('raw', rawDataKey, 'AES-GCM', false, ['encrypt'])
  const wrappedKey = await encrypt(
    keyring.current.key,
    rawDataKey,
    boundTo('key', owner, field, version, keyId),
  )
  const value = new TextEncoder().encode(secret.value)
  const encrypted = await encrypt(dataKey, value, boundTo('value', owner, field, version, keyId))
  const bytes = new Uint8Array([format, ...wrappedKey, ...encrypted])
  return { field, ciphertext: encodeBase64(bytes), keyId, version }
}

/**
 * Decrypts a stored secret.
 * @throws {SecretError} if it is corrupted, or its key is not in the keyring
 */
export async function openSecret(
  keyring: Keyring,
  owner: SecretOwner,
  sealed: SealedSecret,
): Promise<string> {
  const { field, version, keyId, ciphertext } = sealed
  const bytes = isUuid(ciphertext) ? undefined : decodeBase64(ciphertext)
  if (bytes?.[0] !== format || bytes.length < valueStart + nonceLength + tagLength) {
    throw new SecretError('corrupted', field)
  }
  const key = keyring.keys.get(keyId)
  if (!key) throw new SecretError('unknown_key', field)
  let value: Uint8Array<ArrayBuffer>
  try {
    const rawDataKey = await decrypt(
      key,
      bytes.subarray(1, valueStart),
      boundTo('key', owner, field, version, keyId),
    )
    const dataKey = await crypto.subtle.importKey('raw', rawDataKey, 'AES-GCM', false, ['decrypt'])
    value = await decrypt(dataKey, bytes.subarray(valueStart), boundTo('value', owner, field, version, keyId))
  } catch {
    throw new SecretError('corrupted', field)
  }
  return new TextDecoder().decode(value)
}

/**
 * Additional authenticated data: the whole context as one unambiguous text. `part` prevents a wrapped key from being
 * used as a value; the key id prevents relabelling a row.
 */
function boundTo(part: 'key' | 'value', owner: SecretOwner, field: string, version: number, keyId: string) {
  const { connectionId, userId, provider } = owner
  return new TextEncoder().encode(
    JSON.stringify(['askback secret', format, part, connectionId, userId, provider, field, version, keyId]),
  )
}

/** Nonce and ciphertext. A random nonce is safe here: a data key is used once, a wrapping key far below 2^32 times. */
async function encrypt(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  additionalData: Uint8Array<ArrayBuffer>,
) {
  const iv = crypto.getRandomValues(new Uint8Array(nonceLength))
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)
  return new Uint8Array([...iv, ...new Uint8Array(encrypted)])
}

async function decrypt(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  additionalData: Uint8Array<ArrayBuffer>,
) {
  const iv = bytes.subarray(0, nonceLength)
  const encrypted = bytes.subarray(nonceLength)
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, encrypted))
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
