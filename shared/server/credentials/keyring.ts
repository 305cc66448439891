/** The keys that wrap the data keys of secrets: the first one encrypts, all of them decrypt. */
export interface Keyring {
  current: { id: string; key: CryptoKey }
  keys: ReadonlyMap<string, CryptoKey>
}

/** The operator's setting is unusable; the message says how to write it and never quotes a key. */
export class KeyringError extends Error {
  override name = 'KeyringError'
}

const howTo =
  'ASKBACK_CREDENTIALS_KEYS is "id:key,id:key"; a key is 32 random bytes in base64, made with: openssl rand -base64 32'

/**
 * Reads `ASKBACK_CREDENTIALS_KEYS="id:base64,…"`. To rotate, put a new key in front and keep the old ones.
 * @throws {KeyringError} if it is missing or any entry is not an id and 32 bytes
 */
export async function readKeyring(setting: string | undefined): Promise<Keyring> {
  const entries = (setting ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const keys = new Map<string, CryptoKey>()
  for (const [index, entry] of entries.entries()) {
    const match = /^([\w.-]{1,64}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry)
    const bytes = match?.[2] === undefined ? undefined : decodeBase64(match[2])
    const id = match?.[1]
    if (id === undefined || bytes?.length !== 32) {
      throw new KeyringError(`Entry ${index + 1} of the credentials keys cannot be read. ${howTo}`)
    }
    if (keys.has(id)) throw new KeyringError(`Two of the credentials keys have the id "${id}". ${howTo}`)
    keys.set(id, await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']))
  }
  const first = keys.entries().next().value
  if (!first) throw new KeyringError(`No credentials key is set. ${howTo}`)
  return { current: { id: first[0], key: first[1] }, keys }
}

/** Decodes base64 or base64url; undefined if it is neither. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
