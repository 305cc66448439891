import { decodeWords } from 'postal-mime'

/** Characters that start escape sequences of ISO-2022 and HZ, which are all ASCII, and so valid UTF-8. */
const shifts = ['\u001b$', '\u001b(', '~{']

/**
 * The text of a part. Gmail converts some texts to UTF-8 while their headers still declare another charset: valid UTF-8
 * is read as UTF-8, everything else as declared.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const text = decode(bytes, 'utf-8', true)
  const declared = charset?.trim().toLowerCase()
  if (
    text !== undefined &&
    !(declared && /^(?:iso-2022|hz)/.test(declared) && shifts.some((shift) => text.includes(shift)))
  ) {
    // UTF-16 of plain English is valid UTF-8 in which every other character is zero.
    return declared?.startsWith('utf-16') && text.includes('\0') ? (decode(bytes, declared) ?? text) : text
  }
  return decode(bytes, declared ?? 'windows-1252') ?? decode(bytes, 'windows-1252') ?? ''
}

/** Undefined if the charset is unknown, or with `strict` if the bytes do not fit it. */
function decode(bytes: Uint8Array, charset: string, strict = false): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: strict }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A header as people read it, on one line. */
export function decodeHeader(value: string): string {
  return decodeWords(value)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}
