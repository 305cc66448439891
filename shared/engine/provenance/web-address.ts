import { parse } from 'tldts'
import { characterAt, continuesWord } from './text-boundary.ts'

/** One spelling per URL: scheme and host in lower case, percent-encoding undone where it changes nothing. */
export function foldWebAddress(value: string): string | undefined {
  return readWebAddress(value)?.replace(/%[0-9A-F]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** A URL as the server sees it: a model could leak something even by how it encodes a letter. */
export function readWebAddress(value: string): string | undefined {
  const text = value.trim()
  if (/[\s\p{Default_Ignorable_Code_Point}]/u.test(text)) return undefined
  try {
    return new URL(text).href
  } catch {
    return undefined
  }
}

/** The same for a place in a call; one without a scheme (`www.example.com`) is read as https. */
export function readPlace(value: string): string | undefined {
  const text = value.trim()
  return readWebAddress(startsWithHost.test(text) ? `https://${text}` : text)
}

/** `www.example.com:80/a`, but neither `mailto:a@b.example` nor `ftp://a.example`. */
const startsWithHost = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u

/** The start page of a site by both schemes, where an address is no more than that: else the address alone. */
export function sameStartPage(address: string): string[] {
  const { protocol, pathname, search, hash, username, password, host } = new URL(address)
  const isMore = pathname !== '/' || search + hash + username + password !== '' || address.includes('?')
  if (isMore || !isOfWeb.test(protocol)) return [address]
  return [`https://${host}/`, `http://${host}/`]
}

/** Characters; browsers and servers accept no longer ones. */
const longest = 4000
const written =
  /(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/|(?<![\p{L}\p{N}@./\\-])(?=[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]))[^\s<>"“”„«»`]+/giu
const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i

/**
 * Whether a text contains this URL whole, in the spelling of `read`; one without a scheme is read as https.
 */
export function namesWebAddress(address: string, read = foldWebAddress): (text: string) => boolean {
  const { hostname } = new URL(address)
  const isPlain = !hostname.includes('xn--')
  return (text) => {
    if (isPlain && !text.toLowerCase().includes(hostname)) return false
    for (const [match] of text.matchAll(written)) {
      if (match.length > longest || !mayHaveHost(match, hostname)) continue
      const whole = trimEnd(match)
      for (const one of [whole, ...withoutNextWord(whole)])
        if (read(hasScheme.test(one) ? one : `https://${one}`) === address) return true
    }
    return false
  }
}

/** The URLs in a text, as servers see them, each once. */
export function webAddressesIn(text: string): string[] {
  const found = new Set<string>()
  for (const [match] of text.matchAll(written)) {
    if (match.length > longest) continue
    const whole = trimEnd(match)
    for (const address of [whole, ...withoutNextWord(whole)]) {
      const read = readWebAddress(hasScheme.test(address) ? address : `https://${address}`)
      if (read !== undefined && isOfWeb.test(read)) found.add(read)
    }
  }
  return [...found]
}

/** The links in a text, each with the ways to read it. A mail address, or the name of a file, is none. */
export function linksIn(text: string): string[][] {
  return [...text.matchAll(written)].flatMap(([match]) => {
    const whole = trimEnd(match)
    if (!hasScheme.test(whole) && !startsWithDomain(whole)) return []
    const readings = [whole, ...withoutNextWord(whole)].map((one) =>
      foldWebAddress(hasScheme.test(one) ? one : `https://${one}`),
    )
    const links = readings.filter((address) => address !== undefined)
    return links.length > 0 ? [links] : []
  })
}

/** Whether people would take it for a link: `www.example.com/a`, not `report.pdf` or `ann.smith@example.com`. */
function startsWithDomain(address: string): boolean {
  const [host = ''] = address.split(/[/?#]/)
  const { domain, isIcann } = parse(host)
  return !host.includes('@') && domain !== null && isIcann === true
}

/** How the URL of a page starts. */
export const isOfWeb = /^https?:/i

/** A cheap first check; a host in another script, or in Punycode, is compared after folding. */
function mayHaveHost(address: string, hostname: string): boolean {
  return /[^!-~]|xn--/i.test(address) || address.toLowerCase().includes(hostname)
}

/**
 * `https://a.example/bに送って`: a script without spaces may directly follow an ASCII URL. `www.example.com.They wrote`: so
 * may the next sentence, where what it starts with is no top-level domain.
 */
function withoutNextWord(address: string): string[] {
  const [, site] = /^([^/?#@]+)\.\p{Lu}[\p{L}\p{N}'’-]*$/u.exec(address) ?? []
  if (site !== undefined && !startsWithDomain(address) && startsWithDomain(site)) return [site]
  const [ascii] = /^[!-~]*[A-Za-z0-9/](?=[^!-~]+$)/.exec(address) ?? []
  if (ascii === undefined) return []
  const isSame = ascii.endsWith('/') || continuesWord(characterAt(address, ascii.length), 'a')
  return isSame ? [] : [ascii]
}

/** The parts of percent-encoded URLs in a text that are values of their own: path segments, query values. */
export function decodedParts(text: string): string[] {
  if (!text.includes('%')) return []
  return (text.match(/(?:mailto:|:\/\/)[!-~]+/gi) ?? []).flatMap((address) => {
    if (!address.includes('%') || address.length > longest) return []
    return address.split(/mailto:|[/?&=#,;()<>"[\]]+/i).flatMap((part) => {
      const decoded = part.includes('%') ? decode(part) : ''
      return /^[^\s,;<>"]+$/.test(decoded) ? [decoded] : []
    })
  })
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

const sentenceMark = /[.,;:!?'’*_|。、，；！？）」』】》।،؛؟]/
const brackets = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
])

/** The sentence's punctuation, and a closing bracket that was not opened inside, do not belong to the URL. */
function trimEnd(address: string): string {
  const unclosed = new Map<string, number>()
  for (const char of address) {
    const opening = brackets.get(char)
    if (opening) unclosed.set(opening, (unclosed.get(opening) ?? 0) - 1)
    else unclosed.set(char, (unclosed.get(char) ?? 0) + 1)
  }
  let end = address.length
  for (; end > 0; end--) {
    const last = address.charAt(end - 1)
    const opening = brackets.get(last)
    const open = opening === undefined ? 0 : (unclosed.get(opening) ?? 0)
    if (open >= 0 && !sentenceMark.test(last)) break
    if (opening !== undefined) unclosed.set(opening, open + 1)
  }
  return address.slice(0, end)
}
