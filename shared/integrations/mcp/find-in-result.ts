import { readJsonText } from '../../engine/core/json-value.ts'
import { unwrapResult } from './unwrap-result.ts'

/**
 * Whether a result of `tools/call` has a text, standing alone: in its words, or in a value of its data. Undefined if it does
 * not tell, since the tool failed or not all of it can be read. Throws for data that is nested too deeply.
 */
export function isInResult(returned: unknown, text: string): boolean | undefined {
  const { said, links, isError, leftOut } = unwrapResult(returned, { files: 0, bytes: 0 })
  if (isError) return undefined
  const sought = plain(text)
  if (textsIn([said, links]).some((one) => standsIn(plain(one), sought))) return true
  return leftOut > 0 ? undefined : false
}

/** Of JSON as a text, its texts too: they are written in another way there. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'string') {
    const data = /^\s*[[{]/.test(value) ? readJsonText(value) : undefined
    return [value, ...textsIn(data)]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function plain(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

const partOfWord = /[\p{L}\p{N}_]/u

function standsIn(text: string, sought: string): boolean {
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const isBound = (one = '', other = '') => partOfWord.test(one) && partOfWord.test(other)
    const end = at + sought.length
    if (!isBound(text[at - 1], sought[0]) && !isBound(sought.at(-1), text[end])) return true
  }
  return false
}
