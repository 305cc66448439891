/** What was read of a string: its value, and where the text goes on. */
export type StringReading =
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

/**
 * Reads a string from its opening quote. `isClosing` says whether a closing quote at this place ends it
 * (always, except in a guess at unescaped quotes).
 *
 * Two kinds of bad escape have one reading: an escaped quote that needs none (`\'`), and a backslash before a
 * letter that no escape begins with (`\d`), which stays; but not in a string that also holds a real letter escape,
 * because then the others may be no escapes either (`C:\Users\new`).
 */
export function readString(
  text: string,
  start: number,
  closing: string,
  isClosing: (at: number) => boolean = () => true,
): StringReading {
  let value = ''
  let at = start + 1
  let from = at
  let keptBackslash = false
  let letterEscape = false
  const rules = new Set<string>()

  for (; at < text.length; at++) {
    const char = text[at] as string
    if (char === closing && isClosing(at)) {
      if (keptBackslash && letterEscape)
        return { state: 'unreadable', message: 'a backslash has two readings' }
      return { state: 'closed', value: value + text.slice(from, at), end: at + 1, rules: [...rules] }
    }
    if (char < ' ') rules.add('raw_line_break')
    if (char !== '\\') continue

    if (from < at) value += text.slice(from, at)
    at++
    const escaped = text[at]
    if (escaped === undefined) return { state: 'cut' }
    const known = jsonEscapes[escaped]
    if (known !== undefined) {
      value += known
      if (escaped >= 'a') letterEscape = true
    } else if (escaped === "'" || escaped === '`') {
      value += escaped
      rules.add('bad_escape')
    } else if (escaped === 'u') {
      const digits = /^[0-9a-fA-F]{0,4}/.exec(text.slice(at + 1, at + 5))?.[0] ?? ''
      if (at + 1 + digits.length >= text.length) return { state: 'cut' }
      if (digits.length < 4) return { state: 'unreadable', message: `"\\u${digits}" is no complete escape` }
      value += String.fromCharCode(Number.parseInt(digits, 16))
      at += 4
      letterEscape = true
    } else if (/[A-Za-z]/.test(escaped) && escaped !== 'x') {
      value += `\\${escaped}`
      keptBackslash = true
      rules.add('bad_escape')
    } else return { state: 'unreadable', message: `"\\${escaped}" is no escape and has two readings` }
    from = at + 1
  }
  return { state: 'cut' }
}
