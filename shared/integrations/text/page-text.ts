import untypedSniffer from 'html-encoding-sniffer'

/** The package has no types, and runtimes guess different ones. */
const sniffEncoding = untypedSniffer as unknown as (
  bytes: Uint8Array,
  options: { transportLayerEncodingLabel?: string; defaultEncoding?: string },
) => string

/** The text of a page, decoded by its byte order mark, else by the header, else by its own declaration. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const transportLayerEncodingLabel = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1]
  const label = sniffEncoding(bytes, {
    transportLayerEncodingLabel: transportLayerEncodingLabel || undefined,
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  })
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // An encoding that browsers refuse as well.
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
