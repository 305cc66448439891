/** Levels that are printed on separate lines. */
const linedLevels = 30
/** Levels that are printed at all. */
const mostLevels = 500
/** Characters of a string that are written at a time. */
const textLength = 2000

/**
 * A value as JSON for people, on several lines and piece by piece, so that only the part that is shown gets written.
 * Never throws: prints `tooDeep` for whatever is nested too deeply.
 */
export function* jsonPieces(value: unknown, tooDeep = '…', level = 0): Generator<string> {
  if (typeof value === 'string') return yield* quotedPieces(value)
  if (typeof value !== 'object' || value === null) return yield JSON.stringify(value) ?? 'null'
  if (level > mostLevels) return yield tooDeep
  const line = level < linedLevels ? `\n${'  '.repeat(level)}` : ''
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  let separator = ''
  yield open
  for (const [name, member] of members(value)) {
    yield `${separator}${line && `${line}  `}`
    if (name !== undefined) yield `${JSON.stringify(name)}:${line && ' '}`
    yield* jsonPieces(member, tooDeep, level + 1)
    separator = ','
  }
  yield `${separator && line}${close}`
}

/** Yields members one at a time, without listing the keys of a long list first. */
function* members(value: object): Generator<[name: string | undefined, member: unknown]> {
  if (Array.isArray(value)) {
    for (const member of value) yield [undefined, member]
    return
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) yield [name, member]
  }
}

function* quotedPieces(text: string): Generator<string> {
  yield '"'
  for (let start = 0; start < text.length; start += textLength) {
    yield JSON.stringify(text.slice(start, start + textLength)).slice(1, -1)
  }
  yield '"'
}
