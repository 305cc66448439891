import { spellNumber } from './amount.ts'
import { decodedParts } from './web-address.ts'

/** A known value as text that it is recognised in. */
export function asText(value: string | number): string {
  return typeof value === 'number' ? spellNumber(value) : readable(value)
}

/** A fraction, exponent or footnote right behind a number: folded, `2½` would begin with 21 and `10⁶` be 106. */
const joinedNumber = /(?<=[\p{Nd}.,])(?=\p{No})/gu

/**
 * A text as values are looked for in it: compatibility forms such as full-width letters folded, with the text
 * as it was written where that differs, and with what its percent-encoded addresses hold.
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
