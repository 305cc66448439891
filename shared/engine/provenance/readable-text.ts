import { spellNumber } from './amount.ts'
import { decodedParts } from './web-address.ts'

/** A known value as text to be recognised in. */
export function asText(value: string | number): string {
  return typeof value === 'number' ? spellNumber(value) : readable(value)
}

/** A fraction, exponent or footnote directly after a number: folded, `2½` would start with 21 and `10⁶` become 106. */
const joinedNumber = /(?<=[\p{Nd}.,])(?=\p{No})/gu

/**
 * A text prepared for searching values: compatibility forms such as full-width letters folded, followed by the
 * original text if it differs, and by the decoded parts of its percent-encoded addresses.
 */
export function readable(text: string): string {
  const parted = text.replace(joinedNumber, '^')
  const folded = parted.normalize('NFKC')
  const written = parted.normalize('NFC')
  return [
    folded,
    ...(written === folded ? [] : [written]),
    ...decodedParts(folded).map((part) => part.normalize('NFC')),
  ].join('\n')
}
