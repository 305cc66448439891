/** What `\d`, `\w` and `\s` stand for in a sample. */
const classSamples: Record<string, string> = { d: '1', D: 'a', w: 'a', W: '-', s: ' ', S: 'a' }
const candidates = 'aA1-bB2!_.@/:+# '
const maxRepeat = 64

/**
 * A text that a regular expression matches, for examples; `undefined` when the expression uses what this reader does not
 * know (back-references), or wants by a look-around what no sample has.
 *
 * @example
 * samplePattern('^#W[0-9]{3}$') // => '#W111'
 */
export function samplePattern(pattern: string): string | undefined {
  try {
    const expression = new RegExp(pattern, 'u')
    return [plainest, mixed].map((fill) => sampleWith(pattern, fill)).find((text) => expression.test(text))
  } catch {
    return undefined
  }
}

function sampleWith(pattern: string, fill: Fill): string {
  const reader = { pattern, at: 0, fill }
  const text = readAlternatives(reader)
  if (reader.at < pattern.length) throw new Error('unread')
  return text
}

/** Which of the characters that fit stands at a repetition. */
type Fill = (fitting: readonly string[], index: number) => string
const plainest: Fill = ([first = '']) => first
/** Passwords want one of each kind, which their look-aheads say. */
const mixed: Fill = (fitting, index) => fitting[index % fitting.length] ?? ''

interface Reader {
  pattern: string
  at: number
  fill: Fill
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
    const times = readRepeat(reader)
    for (let index = 0; index < times; index++) text += reader.fill(atom, index)
  }
  return text
}

/** What may stand at one place, the plainest first. */
function readAtom(reader: Reader): readonly string[] {
  const char = reader.pattern[reader.at++] as string
  switch (char) {
    case '^':
    case '$':
      return ['']
    case '.':
      return [...candidates]
    case '(':
      return [readGroup(reader)]
    case '[':
      return readClass(reader)
    case '\\':
      return [readEscape(reader)]
    default:
      return [char]
  }
}

function readGroup(reader: Reader): string {
  const kind = /^\?(?::|<[a-z]\w*>|<?[=!])/i.exec(reader.pattern.slice(reader.at))?.[0] ?? ''
  reader.at += kind.length
  const text = readAlternatives(reader)
  reader.at++
  // A look-around only restricts what stands elsewhere; whether the sample satisfies it is tried in the end.
  return /[=!]$/.test(kind) ? '' : text
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
function readClass(reader: Reader): readonly string[] {
  let end = reader.at
  while (end < reader.pattern.length && (reader.pattern[end] !== ']' || end === reader.at)) {
    end += reader.pattern[end] === '\\' ? 2 : 1
  }
  const source = reader.pattern.slice(reader.at - 1, end + 1)
  reader.at = end + 1
  const test = new RegExp(`^${source}$`, 'u')
  const inside = source.slice(1, -1).replaceAll('\\', '')
  const fitting = [...candidates, ...inside].filter((candidate) => test.test(candidate))
  if (fitting.length === 0) throw new Error('class')
  return fitting
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
