/** What `\d`, `\w` and `\s` stand for in a sample. */
const classSamples: Record<string, string> = { d: '1', D: 'a', w: 'a', W: '-', s: ' ', S: 'a' }
const candidates = 'aA1-_.@ /:+#bB2!'
const maxRepeat = 64

/**
 * A text that a regular expression matches, for examples; `undefined` when the expression uses what this reader does not
 * know (look-around, back-references).
 *
 * @example
 * samplePattern('^#W[0-9]{3}$') // => '#W111'
 */
export function samplePattern(pattern: string): string | undefined {
  const reader = { pattern, at: 0 }
  try {
    const text = readAlternatives(reader)
    return reader.at >= pattern.length && new RegExp(pattern, 'u').test(text) ? text : undefined
  } catch {
    return undefined
  }
}

interface Reader {
  pattern: string
  at: number
}

/** The first alternative that is not empty counts. */
function readAlternatives(reader: Reader): string {
  const branches = [readSequence(reader)]
  while (reader.pattern[reader.at] === '|') {
    reader.at++
    branches.push(readSequence(reader))
  }
  return branches.find((branch) => branch !== '') ?? ''
}

function readSequence(reader: Reader): string {
  let text = ''
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] as string)) {
    const atom = readAtom(reader)
    text += atom.repeat(readRepeat(reader))
  }
  return text
}

function readAtom(reader: Reader): string {
  const char = reader.pattern[reader.at++] as string
  switch (char) {
    case '^':
    case '$':
      return ''
    case '.':
      return 'a'
    case '(':
      return readGroup(reader)
    case '[':
      return readClass(reader)
    case '\\':
      return readEscape(reader)
    default:
      return char
  }
}

function readGroup(reader: Reader): string {
  const kind = /^\?(?::|<[a-z]\w*>)/i.exec(reader.pattern.slice(reader.at))
  if (kind) reader.at += kind[0].length
  else if (reader.pattern[reader.at] === '?') throw new Error('look-around')
  const text = readAlternatives(reader)
  reader.at++
  return text
}

function readEscape(reader: Reader): string {
  const char = reader.pattern[reader.at++] as string
  const sample = classSamples[char]
  if (sample !== undefined) return sample
  if (char === 'b') return ''
  if (char === 'n') return '\n'
  if (char === 't') return '\t'
  if (/[\w]/.test(char)) throw new Error('escape')
  return char
}

/** A character of a class is found by trying, so ranges and negation need no reading. */
function readClass(reader: Reader): string {
  let end = reader.at
  while (end < reader.pattern.length && (reader.pattern[end] !== ']' || end === reader.at)) {
    end += reader.pattern[end] === '\\' ? 2 : 1
  }
  const source = reader.pattern.slice(reader.at - 1, end + 1)
  reader.at = end + 1
  const test = new RegExp(`^${source}$`, 'u')
  const inside = source.slice(1, -1).replaceAll('\\', '')
  const char = [...candidates, ...inside].find((candidate) => test.test(candidate))
  if (char === undefined) throw new Error('class')
  return char
}

/** The fewest repetitions that are at least one where that is allowed. */
function readRepeat(reader: Reader): number {
  const rest = reader.pattern.slice(reader.at)
  const match = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/.exec(rest)
  if (!match) return 1
  reader.at += match[0].length
  if (match[1] !== undefined) return match[1] === '+' ? 1 : 0
  return Math.min(Math.max(Number(match[2]), match[3] !== undefined && match[4] !== '0' ? 1 : 0), maxRepeat)
}
