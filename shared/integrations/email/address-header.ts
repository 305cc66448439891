import { addressParser } from 'postal-mime'

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
    .map(({ name, address = '' }) => show(name, address))
    .filter(Boolean)
    .join(', ')
}

/**
 * Who a mail is from, usually one address. Gmail decodes the names in headers, so a name may look like an address by now
 * (`Boss <boss@example.com> <eve@example.org>`): the sender is the last one, which no name can come after. Of a header
 * that names several all are shown, so that none of them passes for the sender.
 */
export function readSender(value: string): string {
  const header = value.slice(0, longest).trim()
  const named = addressParser(header, { flatten: true })
  if (named.filter(({ address }) => address?.includes('@')).length > 1) return readAddressHeader(header)
  const start = header.lastIndexOf('<')
  if (start !== -1 && header.endsWith('>')) return show(header.slice(0, start), header.slice(start + 1, -1))
  const last = named.at(-1)
  return last ? show(last.name, last.address ?? '') : ''
}

function show(name: string, address: string): string {
  if (!address.includes('@') || /[\s<>"\p{Cc}]/u.test(address)) return ''
  const shown = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>"\\]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (shown === '') return address
  return `${/[^\p{L}\p{N} .'-]/u.test(shown) ? `"${shown}"` : shown} <${address}>`
}
