import { maxDepth, maxValues } from './value-limits.ts'

/** Shorter texts are cheap to parse, whatever they contain. */
const harmlessLength = 64_000
const quote = 34
const comma = 44
const colon = 58
const brace = 123
const bracket = 91

/** Index of the quote that closes the string opened at `open`; -1 if there is none. */
export function findClosingQuote(text: string, open: number, quote: string): number {
  let close = text.indexOf(quote, open + 1)
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf(quote, close + 1)
  return close
}

/** Index after the string opened at `open`, or the end of the text. */
function skipString(text: string, open: number): number {
  const close = findClosingQuote(text, open, '"')
  return close === -1 ? text.length : close + 1
}

/** Whether an odd number of backslashes precedes this position. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Number of members in a valid JSON text, including repeated keys, of which JSON.parse keeps only the last. */
export function countMembers(text: string): number {
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = skipString(text, at) - 1
    else if (code === colon) members++
  }
  return members
}

/** Whether a long text has more values or levels than arguments may have: then it is not parsed at all. */
export function isTooLarge(text: string): boolean {
  if (text.length < harmlessLength) return false
  if (
    !containsMore(text, ',', maxValues) &&
    !containsMore(text, '{', maxDepth / 2) &&
    !containsMore(text, '[', maxDepth / 2)
  )
    return false
  let values = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = skipString(text, at) - 1
    else if (code === comma) values++
    else if (code === brace || code === bracket) depth++
    else if (code === brace + 2 || code === bracket + 2) depth--
    if (values > maxValues || depth > maxDepth) return true
  }
  return false
}

/** Whether a text has more than `count` of a character, inside strings or not. */
function containsMore(text: string, char: string, count: number): boolean {
  let found = 0
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) {
    if (++found > count) return true
  }
  return false
}
