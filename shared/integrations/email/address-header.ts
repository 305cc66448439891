import { addressParser } from 'postal-mime'

/** Addresses of one header that are shown. */
const most = 100
/** Characters of a header that are read. */
const longest = 20_000

/**
 * A header with addresses, as `Ada Lovelace <ada@example.com>, grace@example.com`. A name cannot contain anything that
 * looks like another person's address: what is between `<` and `>` is always the header's own address.
 */
export function readAddressHeader(value: string): string {
  return addressParser(value.slice(0, longest), { flatten: true })
    .slice(0, most)
    .map(({ name, address = '' }) => show(name, address))
    .filter(Boolean)
    .join(', ')
}

/**
 * The sender of a mail, usually one address. Gmail decodes the names in headers, so a name may look like an address
 * (`Boss <boss@example.com> <eve@example.org>`): the sender is the last one, since no name can follow it. If a header
 * names several senders, all are shown, so that none of them passes for the only one.
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
