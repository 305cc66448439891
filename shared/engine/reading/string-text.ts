import { findClosingQuote } from './text-outside-strings.ts'

/** The result of reading a string: its value, and where the text continues. */
type StringReading =
  | { state: 'closed'; value: string; end: number; rules: string[] }
  | { state: 'cut' }
  | { state: 'unreadable'; message: string }

const jsonEscapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const twoReadings = 'a backslash has two readings'

/** Escapes of other languages: their meaning is known, but not whether they were meant. */
const codePoint = /^(?:x|U[0-9a-fA-F]{4})/

/** A Windows path whose first backslash starts an escape: nobody means a tab in `C:\temp`. `A:\n` may start an answer. */
const drivePath = /^[A-Za-z]:\\[bfrtu]\w/

/** Reads a string from its opening quote at `start`. */
export function readString(text: string, start: number, closing: string): StringReading {
  const close = findClosingQuote(text, start, closing)
  if (close === -1) return { state: 'cut' }
  const decoded = decode(text.slice(start + 1, close), closing === '"')
  return typeof decoded === 'string'
    ? { state: 'unreadable', message: decoded }
    : { state: 'closed', ...decoded, end: close + 1 }
}

/** The text between two quotes, or a sentence on why it has no single reading. */
function decode(inside: string, isJson: boolean): { value: string; rules: string[] } | string {
  if (drivePath.test(inside)) return twoReadings
  try {
    if (isJson) return { value: JSON.parse(`"${inside}"`) as string, rules: [] }
  } catch {
    // Not JSON: read it escape by escape.
  }
  return decodeEscapes(inside)
}

/**
 * Two kinds of bad escape have one reading: an escaped quote that needs no escape (`\'`), and a backslash before a
 * letter that starts no escape (`\d`), which stays; but not in a text with a real letter escape too,
 * because then the others may not be escapes either (`C:\Users\new`).
 */
function decodeEscapes(inside: string): { value: string; rules: string[] } | string {
  let value = ''
  let from = 0
  let keptBackslash = false
  let letterEscape = false
  const rules = new Set<string>()

  for (let at = 0; at < inside.length; at++) {
    const char = inside[at] as string
    if (char < ' ') rules.add('raw_line_break')
    if (char !== '\\') continue
    value += inside.slice(from, at)
    at++
    const escaped = inside[at] ?? ''
    const known = jsonEscapes[escaped]
    if (known !== undefined) {
      value += known
      if (escaped >= 'a') letterEscape = true
    } else if (escaped === "'" || escaped === '`') {
      value += escaped
      rules.add('bad_escape')
    } else if (escaped === 'u') {
      const [digits = ''] = /^[0-9a-fA-F]{0,4}/.exec(inside.slice(at + 1, at + 5)) ?? []
      if (digits.length < 4) return `"\\u${digits}" is not a complete escape`
      value += String.fromCharCode(Number.parseInt(digits, 16))
      at += 4
      letterEscape = true
    } else if (/[A-Za-z]/.test(escaped) && !codePoint.test(inside.slice(at, at + 9))) {
      value += `\\${escaped}`
      keptBackslash = true
      rules.add('bad_escape')
    } else return `"\\${escaped}" is not an escape and has two readings`
    from = at + 1
  }
  if (keptBackslash && letterEscape) return twoReadings
  return { value: value + inside.slice(from), rules: [...rules] }
}
