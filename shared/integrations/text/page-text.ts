import untypedSniffer from 'html-encoding-sniffer'

/** It has no types of its own, and runtimes guess different ones. */
const sniffEncoding = untypedSniffer as unknown as (
  bytes: Uint8Array,
  options: { transportLayerEncodingLabel?: string; defaultEncoding?: string },
) => string

/** The text of a page: its byte order mark counts most, then the header, then what it says of itself. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const transportLayerEncodingLabel = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1]
  const label = sniffEncoding(bytes, {
    ...(transportLayerEncodingLabel ? { transportLayerEncodingLabel } : {}),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  })
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // An encoding that browsers refuse to read, too.
    return new TextDecoder().decode(bytes)
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
