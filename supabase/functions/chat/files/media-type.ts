/** Types recognised by their first bytes; a client's claim about these is ignored. */
const signatures: readonly { mediaType: string; bytes: readonly (number | null)[] }[] = [
  { mediaType: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mediaType: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { mediaType: 'image/gif', bytes: [0x47, 0x49, 0x46, 0x38] },
  // RIFF, four bytes of length, WEBP.
  {
    mediaType: 'image/webp',
    bytes: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50],
  },
  { mediaType: 'application/pdf', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
]

/** Bytes of a file that are enough to recognise its type. */
export const signatureBytes = Math.max(...signatures.map(({ bytes }) => bytes.length))

/** Pictures that browsers show and models accept. Nothing in them runs. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export function isPicture(mediaType: string): boolean {
  return pictures.includes(mediaType)
}

/** `type/subtype` in lower case without parameters; `application/octet-stream` if invalid. */
export function plainMediaType(mediaType: string): string {
  const [type = ''] = mediaType.trim().toLowerCase().split(';', 1)
  const isType = type.length <= 127 && /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/.test(type.trim())
  return isType ? type.trim() : 'application/octet-stream'
}

/**
 * The type of a file: by its bytes, else as declared. Undefined for one that is declared a picture or a PDF and
 * is neither.
 */
export function trueMediaType(declared: string, bytes: Uint8Array): string | undefined {
  const found = signatures.find(({ bytes: start }) =>
    start.every((byte, index) => byte === null || byte === bytes[index]),
  )
  if (found) return found.mediaType
  const claimsSignature = signatures.some(({ mediaType }) => mediaType === declared)
  return claimsSignature || declared === 'image/jpg' ? undefined : declared
}
