import { toHex } from '../../../../shared/engine/core/sha256.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** Seconds for which a link is valid; it stays the same for ten minutes, so that browsers can cache it. */
const lifetime = 3600
const step = 600

/** URLs by which browsers get files: each grants access to one file for an hour, without a token. */
export interface FileLinks {
  sign(fileId: string): Promise<string>
  /** Throws ApiError 403 if the link is not ours, incomplete or too old. Resolves to the seconds that it stays valid. */
  check(
    fileId: string,
    query: { expires?: string | undefined; signature?: string | undefined },
  ): Promise<number>
  /** The id of the file that one of our URLs leads to, however old it is; undefined for any other URL. */
  fileIdOf(url: string): string | undefined
}

/**
 * Signs with its own key, derived from the service key. `filesUrl`: what stands before a file's id, as
 * browsers reach it: `https://<project>.supabase.co/functions/v1/chat/files/`.
 */
export function createFileLinks(
  { filesUrl, serviceKey }: { filesUrl: string; serviceKey: string },
  now: () => number = Date.now,
): FileLinks {
  const { pathname } = new URL(filesUrl)
  let made: Promise<CryptoKey> | undefined
  const key = () => {
    made ??= deriveKey(serviceKey)
    return made
  }
  return {
    async sign(fileId) {
      const expires = Math.floor(now() / 1000 / step) * step + lifetime
      const signature = await crypto.subtle.sign('HMAC', await key(), signed(fileId, expires))
      return `${filesUrl}${fileId}?expires=${expires}&signature=${toHex(signature)}`
    },

    async check(fileId, { expires = '', signature = '' }) {
      const given = fromHex(signature)
      const isOurs =
        /^\d{1,12}$/.test(expires) &&
        given !== undefined &&
        (await crypto.subtle.verify('HMAC', await key(), given, signed(fileId, Number(expires))))
      if (!isOurs) throw new ApiError('link_not_valid', { why: 'file' })
      const left = Number(expires) - now() / 1000
      if (left > 0) return Math.floor(left)
      throw new ApiError('link_expired', { why: 'file' })
    },

    fileIdOf(url) {
      // On any host name of this project: on a laptop it has several.
      const link = URL.canParse(url.trim()) ? new URL(url.trim()) : undefined
      if (!link || !/^https?:$/.test(link.protocol) || !link.pathname.startsWith(pathname)) return undefined
      const id = link.pathname.slice(pathname.length)
      return /^[0-9a-f-]{36}$/.test(id) && link.searchParams.has('signature') ? id : undefined
    },
  }
}

function signed(fileId: string, expires: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${fileId}.${expires}`)
}

async function deriveKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = (text: string) => new TextEncoder().encode(text)
  const root = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  const derived = await crypto.subtle.sign('HMAC', root, bytes('askback links to files'))
  return await crypto.subtle.importKey('raw', derived, algorithm, false, ['sign', 'verify'])
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
