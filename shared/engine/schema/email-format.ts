/** One mailbox, ready for an envelope and a header, or what is wrong with it as the end of a sentence. */
export type EmailAddressReading = { ok: true; address: string } | { ok: false; fault: string }

/** RFC 5321 4.5.3.1: octets of the part before the @, and of the whole path without its angle brackets. */
const maxLocalOctets = 64
const maxAddressOctets = 254
const maxDomainLength = 253

/** RFC 5321 atext, and letters of every script (RFC 6531). */
const atom = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+$/u
/** A quoted local part (RFC 5321 4.1.2, with the letters of RFC 6531). */
const quoted = /^"(?:[ !#-[\]-~\p{L}\p{N}\p{M}]|\\[ -~])+"$/u
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/**
 * Reads exactly one address, without display name, comment or surrounding spaces. The domain is returned in its
 * ASCII form by strict IDNA: a code point that mapping would drop or replace makes the address invalid, so that
 * no two spellings lead to one mailbox by accident. Domains need a dot; address literals are refused.
 */
export function readEmailAddress(text: string): EmailAddressReading {
  if (unsafe.test(text)) return { ok: false, fault: 'it contains a line break or an invisible character' }
  if (/[<>()]/.test(text))
    return { ok: false, fault: 'only the bare address is expected, without a name or comment' }
  if (/[,;]/.test(text))
    return { ok: false, fault: 'it looks like several addresses; each needs its own entry' }
  const at = text.lastIndexOf('@')
  if (at < 0) return { ok: false, fault: 'it has no @' }
  const local = text.slice(0, at)
  const localFault = findLocalFault(local)
  if (localFault !== undefined) return { ok: false, fault: localFault }
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === undefined) return { ok: false, fault: 'what follows the @ is not a domain name' }
  const address = `${local.normalize('NFC')}@${domain}`
  if (octets(address) > maxAddressOctets) {
    return { ok: false, fault: `it is longer than ${maxAddressOctets} octets` }
  }
  return { ok: true, address }
}

/** A host name in lower-case ASCII, or undefined if it is invalid or has no dot. */
export function asciiDomain(domain: string): string | undefined {
  if (unsafe.test(domain) || /[^\p{L}\p{N}\p{M}.-]/u.test(domain)) return undefined
  if (domain.normalize('NFKC') !== domain.normalize('NFC')) return undefined
  const ascii = /^\p{ASCII}*$/u.test(domain) ? domain.toLowerCase() : mappedHost(domain)
  const labels = ascii?.split('.') ?? []
  if (ascii === undefined || ascii.length > maxDomainLength || labels.length < 2) return undefined
  if (!labels.every((part) => label.test(part)) || /^\d+$/.test(labels.at(-1) ?? '')) return undefined
  return labels.some((part) => part.startsWith('xn--')) && !isDecodable(ascii) ? undefined : ascii
}

/**
 * Whether labels that claim to be IDNA really are. Newer URL parsers (Node 24) accept broken Punycode in an all-ASCII
 * name, so a non-ASCII label is put in front.
 */
function isDecodable(ascii: string): boolean {
  return mappedHost(`ü.${ascii}`) !== undefined
}

/** The URL parser's IDNA (UTS 46), which every web platform has. */
function mappedHost(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
}

function findLocalFault(local: string): string | undefined {
  if (local === '') return 'nothing stands before the @'
  if (octets(local) > maxLocalOctets) {
    return `the part before the @ is longer than ${maxLocalOctets} octets`
  }
  if (quoted.test(local) || local.split('.').every((part) => atom.test(part))) {
    return local.normalize('NFKC') === local.normalize('NFC')
      ? undefined
      : 'it contains characters that only look like plain letters'
  }
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) {
    return 'the part before the @ has a dot at its start or end, or two dots in a row'
  }
  if (/\s/.test(local)) return 'it contains a blank'
  if (local.includes('@')) return 'it contains more than one @'
  return 'the part before the @ contains a character that is not allowed there'
}

function octets(text: string): number {
  return new TextEncoder().encode(text).length
}
