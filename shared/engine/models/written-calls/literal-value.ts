/** Reads values as models write them in calls: Python's and JSON's literals, and Gemma's, whose texts stand between marks. */

const longestNesting = 32
/** What texts stand between; the longest first. */
const quotes = ['<|"|>', '<escape>', '"""', "'''", '"', "'"]
const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]+)(?=\s*(?:[,\])}]|$))/y
const words: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
}
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' }

export interface ReadLiteral {
  value: unknown
  end: number
}

/** The value at `start`; undefined if there is none, or it is cut. */
export function readLiteral(text: string, start: number, depth = 0): ReadLiteral | undefined {
  const at = skip(text, start)
  if (depth > longestNesting) return undefined
  const quote = quotes.find((one) => text.startsWith(one, at))
  if (quote !== undefined) return readQuoted(text, at, quote)
  const opener = text[at]
  if (opener === '{') return readMap(text, at + 1, '}', depth)
  if (opener === '[') return readList(text, at + 1, ']', depth)
  if (opener === '(') return readList(text, at + 1, ')', depth)
  literal.lastIndex = at
  const found = literal.exec(text)?.[0]
  if (found === undefined) return undefined
  if (Object.hasOwn(words, found)) return { value: words[found], end: literal.lastIndex }
  const value = Number(found)
  return Number.isFinite(value) ? { value, end: literal.lastIndex } : undefined
}

/** Members up to `closer`, with `:` or `=` between name and value, from behind the opener. */
export function readMap(text: string, start: number, closer: string, depth = 0): ReadLiteral | undefined {
  const members: [string, unknown][] = []
  let at = skip(text, start)
  while (text[at] !== closer) {
    const key = readKey(text, at)
    if (key === undefined) return undefined
    const read = readLiteral(text, key.end, depth + 1)
    if (read === undefined || key.name === '__proto__') return undefined
    members.push([key.name, read.value])
    at = skip(text, read.end)
    if (text[at] === ',') at = skip(text, at + 1)
    else if (text[at] !== closer) return undefined
  }
  return { value: Object.fromEntries(members), end: at + 1 }
}

function readList(text: string, start: number, closer: string, depth: number): ReadLiteral | undefined {
  const items: unknown[] = []
  let at = skip(text, start)
  while (text[at] !== closer) {
    const read = readLiteral(text, at, depth + 1)
    if (read === undefined) return undefined
    items.push(read.value)
    at = skip(text, read.end)
    if (text[at] === ',') at = skip(text, at + 1)
    else if (text[at] !== closer) return undefined
  }
  return { value: items, end: at + 1 }
}

function readKey(text: string, start: number): { name: string; end: number } | undefined {
  const quote = quotes.find((one) => text.startsWith(one, start))
  const quoted = quote === undefined ? undefined : readQuoted(text, start, quote)
  const bare = /[\p{L}_$][\p{L}\p{N}_$.-]*/uy
  bare.lastIndex = start
  const name = quoted === undefined ? bare.exec(text)?.[0] : String(quoted.value)
  if (name === undefined) return undefined
  const separator = /\s*[:=]/y
  separator.lastIndex = quoted?.end ?? bare.lastIndex
  return separator.test(text) ? { name, end: separator.lastIndex } : undefined
}

function readQuoted(text: string, start: number, quote: string): ReadLiteral | undefined {
  const from = start + quote.length
  // Between marks nothing is escaped.
  if (quote.startsWith('<')) {
    const end = text.indexOf(quote, from)
    return end < 0 ? undefined : { value: text.slice(from, end), end: end + quote.length }
  }
  let value = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\') {
      const next = text[++at] ?? ''
      const code = next === 'u' ? /^[0-9a-fA-F]{4}/.exec(text.slice(at + 1, at + 5))?.[0] : undefined
      if (code !== undefined) at += 4
      value += code === undefined ? (escapes[next] ?? next) : String.fromCharCode(Number.parseInt(code, 16))
    } else if (text.startsWith(quote, at)) return { value, end: at + quote.length }
    else value += character
  }
  return undefined
}

function skip(text: string, start: number): number {
  const blanks = /\s*/y
  blanks.lastIndex = start
  blanks.test(text)
  return blanks.lastIndex
}
