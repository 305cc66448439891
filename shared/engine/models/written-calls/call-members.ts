/** Finds the members of a JSON object in a text without parsing their values, so that raw arguments stay raw. */

interface Member {
  key: string
  /** The value exactly as written, without surrounding spaces. */
  raw: string
}

export interface MemberList {
  members: Member[]
  /** Position after the closing brace, or the end of the text. */
  end: number
  /** False if the text ended before the closing brace. */
  closed: boolean
}

/**
 * Reads the members of the object that starts at `start`; undefined if none starts there, or one that is not `known`.
 * Values may be malformed inside: only quotes and brackets are counted.
 *
 * @example
 * readMembers('{"name": "search", "arguments": {"q": "a",}}', 0)?.members.at(-1) // => { key: 'arguments', raw: '{"q": "a",}' }
 * readMembers('{"name": "sea', 0)?.closed // => false
 */
export function readMembers(text: string, start: number, known?: readonly string[]): MemberList | undefined {
  if (text[start] !== '{') return undefined
  const members: Member[] = []
  let position = skipBlanks(text, start + 1)
  while (position < text.length && text[position] !== '}') {
    const key = readKey(text, position)
    if (key === undefined || known?.includes(key.name) === false) return undefined
    const valueStart = skipBlanks(text, key.end)
    const valueEnd = valueEndFrom(text, valueStart)
    members.push({ key: key.name, raw: text.slice(valueStart, valueEnd).trim() })
    position = valueEnd
    while (position < text.length && /[\s,]/.test(text[position] ?? '')) position++
  }
  const closed = text[position] === '}'
  return { members, end: closed ? position + 1 : text.length, closed }
}

/** The end of a value: the comma or closer that does not belong to it. */
function valueEndFrom(text: string, start: number): number {
  let depth = 0
  for (let position = start; position < text.length; position++) {
    const character = text[position] ?? ''
    if (character === '"' || (character === "'" && opensText(text, position))) {
      position = textEnd(text, position) - 1
    } else if (character === '{' || character === '[') depth++
    else if (depth === 0 && (character === ',' || character === '}' || character === ']')) return position
    else if (character === '}' || character === ']') depth--
  }
  return text.length
}

function readKey(text: string, start: number): { name: string; end: number } | undefined {
  const match = /(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([A-Za-z_$][\w$-]*))\s*:/y
  match.lastIndex = start
  const found = match.exec(text)
  if (found === null) return undefined
  return { name: found[1] ?? found[2] ?? found[3] ?? '', end: match.lastIndex }
}

/** A single quote opens a string only where a value starts: elsewhere it is an apostrophe. */
function opensText(text: string, position: number): boolean {
  return /[:,[{]\s*$/.test(text.slice(Math.max(0, position - 20), position))
}

function textEnd(text: string, start: number): number {
  const quote = text[start]
  for (let position = start + 1; position < text.length; position++) {
    if (text[position] === '\\') position++
    else if (text[position] === quote) return position + 1
  }
  return text.length
}

export function skipBlanks(text: string, start: number): number {
  let position = start
  while (position < text.length && /\s/.test(text[position] ?? '')) position++
  return position
}
