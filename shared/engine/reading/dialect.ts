/** What a reader of objects takes for JSON beyond JSON itself. */
export interface Dialect {
  /** Closing quote by opening quote. */
  quotes: Readonly<Record<string, string>>
  /** Characters between a name and its value. */
  separators: string
  /** Tolerances of a guess; without them a reading is lossless. */
  guess?: {
    /** A name with at most one of its quotes; sticky, the name is group 1. */
    name: RegExp
    /** Whether the quote at `at` ends a string inside such a container. */
    endsString(text: string, at: number, container: 'object' | 'array'): boolean
    /** Whether a member or item begins at `at`, with no comma before it. */
    startsMember(text: string, at: number, container: 'object' | 'array'): boolean
    /** Whether what stands between two quotes can be one text, with the same quotes inside it. */
    mayBeText(inside: string, quote: string): boolean
    /** A text without quotes; sticky, the text is group 1. */
    words: RegExp
  }
}

/** Every text it reads has one reading only. */
export const lossless: Dialect = { quotes: { '"': '"', "'": "'" }, separators: ':' }

const lookAhead = 200
const memberStart = /^["'“‘`]?[\p{L}\p{N}_$.-]+["'”’`]?\s*[:=]/u
const itemStart = /^(?:["'“‘`[{\d-]|true|false|null)/

/** Takes what probably has one reading: missing commas, unescaped or typographic quotes, words without quotes. */
export const guess: Dialect = {
  quotes: { '"': '"', "'": "'", '“': '”', '”': '”', '„': '“', '‘': '’', '’': '’', '`': '`' },
  separators: ':=',
  guess: {
    name: /["'“”‘’`]?([\p{L}\p{N}_$.-]+)["'“”‘’`]?(?=\s*[:=])/uy,
    words:
      /(?!(?:NaN|Infinity|undefined|nil|null|object Object)\b)(\p{L}[^,:{}[\]"'`#\n(=]{0,100}?)["']?(?=\s*[,}\]])/iuy,
    mayBeText,
    endsString(text, at, container) {
      const rest = text.slice(at + 1, at + lookAhead).trimStart()
      if (/^[}\]]/.test(rest)) return true
      if (container === 'array') return rest.startsWith(',') && itemStart.test(rest.slice(1).trimStart())
      if (rest.startsWith(','))
        return /^\s*[}\]]/.test(rest.slice(1)) || memberStart.test(rest.slice(1).trimStart())
      return /^["'“‘`]/.test(rest) && memberStart.test(rest)
    },
    startsMember(text, at, container) {
      // The comma that is missing here may be the last sign of the text before it.
      if (/,["'”’]\s*$/.test(text.slice(Math.max(0, at - 20), at))) return false
      const rest = text.slice(at, at + lookAhead)
      if (container === 'object') return memberStart.test(rest)
      return /\n\s*$/.test(text.slice(Math.max(0, at - 20), at)) && itemStart.test(rest)
    },
  },
}

function mayBeText(inside: string, quote: string): boolean {
  // A name in it may be the next member, behind a quote that was lost.
  if (/["']\s*:/.test(inside)) return false
  const text = inside.replace(/\\./gs, '\\.')
  if (quote === '`' && inside.includes('${')) return false
  // Two quotes side by side may be one quote written twice, or an empty text.
  if (text.includes(quote + quote)) return false
  if (quote === "'") return !/(?<!\p{L})'|'(?!\p{L})/u.test(text)
  let opened = false
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    const before = text[at - 1] ?? ''
    const after = text[at + 1] ?? ''
    // An opening quote stands before a word, a closing one behind it, an inch behind a number and before a blank.
    if (!opened && /\d/.test(before) && /^[\s)]$/.test(after)) continue
    if (opened ? /^\s?$/.test(before) : !/^[\s(=>[{/,.:;-]?$/.test(before) || /^[\s,;:)\]}]?$/.test(after))
      return false
    opened = !opened
  }
  return !opened
}
