import { characterAt, characterBefore, continuesWord, occurrences } from './text-boundary.ts'

/** True if `text` contains this value whole: an id is compared as written, words without digits ignoring case. */
export function namesText(text: string, value: string): boolean {
  const fold = (raw: string) => {
    const plain = raw.normalize('NFC').replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ').trim()
    return /\d/.test(value) ? plain : plain.toLowerCase()
  }
  const needle = fold(value)
  // A cheap check of the first word, before the whole text is folded.
  const [firstWord = ''] = needle.split(/[ ']/)
  if (!(/\d/.test(value) ? text : text.toLowerCase()).includes(firstWord)) return false
  const haystack = fold(text)
  for (const start of occurrences(haystack, needle)) {
    if (
      !goesOn(haystack, start, 'before', needle) &&
      !goesOn(haystack, start + needle.length, 'after', needle)
    )
      return true
  }
  return false
}

/** Whether a value is only part of what stands in a text, before or after it. */
export function goesOn(text: string, place: number, side: 'before' | 'after', value: string): boolean {
  const character = side === 'before' ? characterBefore(text, place) : characterAt(text, place)
  const edge = side === 'before' ? characterAt(value, 0) : characterBefore(value, value.length)
  if (continuesWord(character, edge)) return true
  if (!/[-.@+]/.test(character)) return false
  // A hyphen or dot belongs to the value only if the word continues after it.
  const next = side === 'before' ? characterBefore(text, place - 1) : characterAt(text, place + 1)
  return continuesWord(next, edge)
}
