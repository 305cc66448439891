import { decodeWords } from 'postal-mime'

/** Characters that escape sequences of ISO-2022 and HZ are made of: all of it is ASCII, and so valid UTF-8. */
const shifts = ['\u001b$', '\u001b(', '~{']

/**
 * The text of a part. Gmail hands out texts in UTF-8 while their headers still declare another charset, others do not:
 * what is valid UTF-8 is that, everything else is what was declared.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const text = decode(bytes, 'utf-8', true)
  const declared = charset?.trim().toLowerCase()
  if (
    text !== undefined &&
    !(declared && /^(?:iso-2022|hz)/.test(declared) && shifts.some((shift) => text.includes(shift)))
  ) {
    // UTF-16 of plain words is valid UTF-8 with a zero in every other place.
    return declared?.startsWith('utf-16') && text.includes('\0') ? (decode(bytes, declared) ?? text) : text
  }
  return decode(bytes, declared ?? 'windows-1252') ?? decode(bytes, 'windows-1252') ?? ''
}

/** Undefined when the charset is unknown, or with `strict` when the bytes do not fit it. */
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
