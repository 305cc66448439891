import type { StoredFile } from '../../../../shared/server/files/file-store.ts'
import { isPicture } from './media-type.ts'

/** Types that are served as what they are, to be saved; everything else is served as plain bytes. */
const savedTypes = ['application/pdf', 'application/json', 'text/plain', 'text/csv', 'text/markdown']

/**
 * A file for a browser. Only pictures are displayed inline, everything else is downloaded; nothing in it can run or
 * load anything, whatever a browser takes it for.
 */
export function serveFile({ filename, mediaType, bytes }: StoredFile, goodForSeconds: number): Response {
  const isShown = isPicture(mediaType)
  const type = isShown || savedTypes.includes(mediaType) ? mediaType : 'application/octet-stream'
  return new Response(bytes, {
    headers: {
      'content-type': type,
      'content-length': String(bytes.byteLength),
      'content-disposition': disposition(isShown ? 'inline' : 'attachment', filename),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      // Apps of other origins may show pictures too.
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      // Compression would hide the file's length.
      'cache-control': `private, max-age=${goodForSeconds}, immutable, no-transform`,
    },
  })
}

/** RFC 6266: an ASCII name for old clients, and the full one in UTF-8 (RFC 8187). */
export function disposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}
