import type { Keyring } from './keyring.ts'
import { openSecret, SecretError, type SecretOwner, sealSecret } from './sealed-secret.ts'

const mark = 'sealed:'
const field = 'secret'
const version = 1

/** The secret of a destination of the bell (`askback.on_open`), sealed as those of connections are: nobody's, and bound to its row. */
export async function sealDestinationSecret(keyring: Keyring, id: string, value: string): Promise<string> {
  const { ciphertext, keyId } = await sealSecret(keyring, ownerOf(id), { field, value, version })
  return `${mark}${keyId}:${ciphertext}`
}

export function isSealed(text: string): boolean {
  return text.startsWith(mark)
}

/** The id of the key that seals a secret. */
export function keyOfSealed(text: string): string {
  return text.slice(mark.length).split(':')[0] ?? ''
}

/** @throws {SecretError} if it is corrupted, or its key is not in the keyring */
export async function openDestinationSecret(keyring: Keyring, id: string, text: string): Promise<string> {
  if (!isSealed(text)) throw new SecretError('corrupted', field)
  const keyId = keyOfSealed(text)
  const ciphertext = text.slice(mark.length + keyId.length + 1)
  return await openSecret(keyring, ownerOf(id), { field, ciphertext, keyId, version })
}

function ownerOf(id: string): SecretOwner {
  return { connectionId: id, userId: '00000000-0000-0000-0000-000000000000', provider: 'askback' }
}
