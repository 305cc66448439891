import { asciiDomain } from '../schema/email-format.ts'
import { characterAt, characterBefore, continuesWord, occurrences } from './text-boundary.ts'

/** Allowed in an unquoted local part besides letters and digits (RFC 5321 atext and the dot). */
const localCharacter = /[.!#$%&'*+/=?^`{|}~_-]/
const domainCharacter = /[\p{L}\p{N}\p{M}.-]|\p{Default_Ignorable_Code_Point}/u
/** Not part of the domain at its end: punctuation and invisible characters. */
const domainTail = /[.\p{Default_Ignorable_Code_Point}-]+$/u
/** After a domain: another @ (`"a@b"@c`), a host name with an underscore, the ideographic full stop as IDNA's dot. */
const goesOn = /^(?:"?@|[_。｡][A-Za-z0-9])/
const invisibleEnd = /\p{Default_Ignorable_Code_Point}+$/u
/** Characters; a domain has at most 253 in ASCII. */
const longestDomain = 400
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u

/** Characters of a value with one address, including its display name. */
const longest = 1000
/** How many characters around an address are considered. */
const reach = 80

/** A character that normalisation replaces with another: full-width letters, the Kelvin sign. */
function hasLookAlike(text: string): boolean {
  for (const character of text) if (character.normalize('NFKC') !== character) return true
  return false
}

/** `local@domain` folded for comparison, or undefined if the text is not one plain address. */
function foldAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  if (at <= 0 || ignorable.test(local) || /[\s"<>()[\]\\,;:@]/.test(local)) return undefined
  const domain = asciiDomain(address.slice(at + 1))
  return domain === undefined ? undefined : `${local.normalize('NFC').toLowerCase()}@${domain}`
}

/**
 * The only address in a value, without display name, `mailto:`, Markdown or quotes; undefined if
 * it has none, or more than one.
 */
export function readAddress(value: string): string | undefined {
  const text = value.trim()
  if (/[\r\n]/.test(text) || text.length > longest || hasLookAlike(text)) return undefined
  const markdown = /^\[[^\]]*\]\((?:mailto:)?([^()?\s]+)\)$/i.exec(text)
  const angle = /^[^<>]*<(?:mailto:)?([^<>?\s]+)>$/i.exec(text)
  const bare = /^(?:mailto:)?(\S+)$/i.exec(text)
  const inner = (markdown ?? angle ?? bare)?.[1]
  if (inner === undefined) return undefined
  const unquoted = /^(["'`*_“”«»‘’])(.+)\1$/.exec(inner)?.[2] ?? inner.replace(/^[“«‘„]|[”»’“]$/g, '')
  return foldAddress(unquoted)
}

/** The only address of a `From` header; undefined if it names none or several: then nobody can tell whose mail it is. */
export function readSender(header: string): string | undefined {
  const [sender, ...more] = withoutNamesAndComments(header)
    .split(/[,;]/)
    .filter((part) => part.includes('@'))
  return sender === undefined || more.length > 0 ? undefined : readHeaderAddresses(sender)[0]
}

/** The addresses inside a mail header (`Name <a@b>, c@d`), never those in a display name. */
export function readHeaderAddresses(header: string): string[] {
  return withoutNamesAndComments(header)
    .split(/[,;]/)
    .flatMap((part) => {
      const angles = part.match(/<[^<>]*>/g) ?? []
      const folded = angles.length > 1 ? undefined : readAddress(angles[0] ?? part)
      return folded === undefined ? [] : [folded]
    })
}

/** Blanks out quoted strings and comments (RFC 5322 3.2), to the end if they are never closed. */
function withoutNamesAndComments(header: string): string {
  let rest = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < header.length; at++) {
    const character = header.charAt(at)
    const isInside = isQuoted || depth > 0
    if (isInside && character === '\\') at++
    else if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (character === '(' && !isQuoted) depth++
    else if (character === ')' && !isQuoted && depth > 0) depth--
    if (!isInside && !isQuoted && depth === 0) rest += character
    else if (!isInside) rest += ' '
  }
  return rest
}

/** Lower-case ASCII without Punycode is already folded. */
const isPlain = /^(?!.*xn--)[!-~]+$/

/** True if `text` (NFKC-folded) contains this address whole, not as part of a longer one. */
export function namesAddress(text: string, folded: string): boolean {
  const local = folded.slice(0, folded.lastIndexOf('@'))
  const lower = text.toLowerCase()
  for (const start of occurrences(lower, `${local}@`)) {
    const at = start + local.length
    if (!startsThere(lower, start, at)) continue
    for (const end of domainEnds(lower, at + 1)) {
      const written = lower.slice(start, end)
      if (written === folded || (!isPlain.test(written) && foldAddress(written) === folded)) return true
    }
  }
  return false
}

/** Whether an address may start at `start`: what comes before cannot belong to its local part. */
function startsThere(text: string, start: number, at: number): boolean {
  // Direction marks and other invisible characters are ignored: what comes before them decides.
  const outside = text.slice(Math.max(0, start - reach), start).replace(invisibleEnd, '')
  const before = characterBefore(outside, outside.length)
  if (before === '') return true
  if (continuesWord(before, text.charAt(start))) return before === '_' && isWrapped(text, outside, at, before)
  // `@user@host` is a name in a social network, and `https://user:password@host` is not an address either.
  if (before === '@') return false
  if (before === ':' && /:\/\/[^\s/]*$/.test(outside)) return false
  if (!localCharacter.test(before)) return true
  if (before === '.') return /(^|[\s.])\.$/.test(outside)
  if (before === '-') return /(^|\n)[ \t]*-$/.test(outside)
  if (before === '/') return /@[\p{L}\p{N}.-]+\/$|\/\/\S+\/$/u.test(outside)
  if (before === '=') return /(?:^|[\s?&;,])[\w-]+=$/.test(outside)
  return isWrapped(text, outside, at, before)
}

/** `'a@b'`, `*a@b*`, `_a@b_`, `{a@b}` … : the same mark, or its partner, on both sides of the address. */
function isWrapped(text: string, before: string, at: number, mark: string): boolean {
  const outside = before.replace(/['*_`~|{]+$/, '')
  if (outside !== '' && continuesWord(characterBefore(outside, outside.length), 'a')) return false
  const closing = mark === '{' ? '}' : mark
  return domainEnds(text, at + 1).some((end) => text.startsWith(closing, end))
}

/** The places where the domain that starts at `from` may end, longest first. */
function domainEnds(text: string, from: number): number[] {
  let end = from
  let asciiEnd = -1
  while (end - from < longestDomain) {
    const character = characterAt(text, end)
    if (character === '' || !domainCharacter.test(character)) break
    // A script without spaces may directly follow an ASCII domain.
    if (asciiEnd === -1 && character > '\u007f' && !continuesWord(character, 'a')) asciiEnd = end
    end += character.length
  }
  if (end - from >= longestDomain || goesOn.test(text.slice(end, end + 2))) return []
  const ends = asciiEnd === -1 ? [end] : [end, asciiEnd]
  return ends.map((place) => from + text.slice(from, place).replace(domainTail, '').length)
}
