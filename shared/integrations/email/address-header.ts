import { type Address, addressParser } from 'postal-mime'

/** Addresses of one header that are shown. */
const most = 100
/** Characters of a header that are looked at. */
const longest = 20_000

/**
 * A header with addresses, as `Ada Lovelace <ada@example.com>, grace@example.com`. A name can hold nothing that looks
 * like the address of somebody else: what is between `<` and `>` is always the address of the header itself.
 */
export function readAddressHeader(value: string): string {
  return addressParser(value.slice(0, longest), { flatten: true })
    .slice(0, most)
    .map(show)
    .filter(Boolean)
    .join(', ')
}

function show({ name, address }: Address): string {
  if (!address || /[\s<>"\p{Cc}]/u.test(address)) return ''
  const shown = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>"\\]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (shown === '') return address
  return `${/[^\p{L}\p{N} .'-]/u.test(shown) ? `"${shown}"` : shown} <${address}>`
}
