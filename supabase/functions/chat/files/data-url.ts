import { Buffer } from 'node:buffer'

/** True for a URL that contains its content, as browsers parse it: the scheme in any case, leading spaces allowed. */
export function isDataUrl(url: string): boolean {
  return /^\s*data:/i.test(url)
}

/**
 * The bytes in a `data:` URL (RFC 2397), and its media type. Undefined if the content does not match what the URL
 * declares: invalid base64 or percent-encoding.
 */
export function readDataUrl(url: string): { mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined {
  const start = url.indexOf(':') + 1
  const comma = url.indexOf(',', start)
  if (comma < 0) return undefined
  const head = url.slice(start, comma)
  const data = url.slice(comma + 1)
  const bytes = /;\s*base64\s*$/i.test(head) ? readBase64(data) : readPercent(data)
  return bytes && { mediaType: head.replace(/;\s*base64\s*$/i, ''), bytes }
}

function readBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const compact = /[\s%]/.test(text) ? decodePercent(text)?.replace(/\s+/g, '') : text
  if (compact === undefined) return undefined
  const digits = compact.replace(/={1,2}$/, '')
  // Padding may be omitted; one digit alone is not a byte.
  if (/[^A-Za-z0-9+/]/.test(digits) || digits.length % 4 === 1) return undefined
  if (digits !== compact && compact.length % 4 !== 0) return undefined
  const { buffer, byteOffset, byteLength } = Buffer.from(digits, 'base64')
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function readPercent(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined
  const bytes = new TextEncoder().encode(text)
  let size = 0
  for (let at = 0; at < bytes.length; at++, size++) {
    const byte = bytes[at] ?? 0
    if (byte === 0x25) {
      bytes[size] = Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16)
      at += 2
    } else bytes[size] = byte
  }
  return bytes.slice(0, size)
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
