/** The positions of words in a text: [from, to) in UTF-16 code units, in order, without overlap. */
export type Ranges = [from: number, to: number][]

/** Part of a searched text, as plain text: the client highlights the ranges. */
export interface Excerpt {
  text: string
  ranges: Ranges
}

/** Characters of an excerpt, and of the text before the first word that was found. */
const longest = 160
const lead = 40

/**
 * The part of a text around the first word that was found, on one line.
 *
 * @example
 * makeExcerpt('We meet\nin Lisbon.', ['lis']) // => { text: 'We meet in Lisbon.', ranges: [[11, 14]] }
 */
export function makeExcerpt(whole: string, words: readonly string[]): Excerpt {
  const text = whole.replace(/\s+/g, ' ').trim()
  const [first = 0] = findBeginnings(text, words)[0] ?? []
  const from = first <= lead ? 0 : nextWord(text, first - lead, first)
  const to = text.length - from <= longest ? text.length : lastWord(text, from + longest)
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, to).trimEnd()}${to < text.length ? '…' : ''}`
  return { text: shown, ranges: findBeginnings(shown, words) }
}

/**
 * The words of a text that start with one of the given ones, which are in lower case.
 *
 * @example
 * findBeginnings('Budget, budgets', ['budget']) // => [[0, 6], [8, 14]]
 */
export function findBeginnings(text: string, words: readonly string[]): Ranges {
  // The longer of two that match.
  const longestFirst = [...words].sort((a, b) => b.length - a.length)
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap(({ 0: token, index }) => {
    const lower = token.toLowerCase()
    const word = longestFirst.find((one) => lower.startsWith(one))
    return word ? [[index, index + Math.min(word.length, token.length)] as [number, number]] : []
  })
}

/** The positions of any of the words in a title, also inside other words. */
export function findInTitle(title: string, words: readonly string[]): Ranges {
  const lower = title.toLowerCase()
  // Letters that get longer in lower case would shift the positions.
  if (lower.length !== title.length) return findBeginnings(title, words)
  const ranges: Ranges = []
  for (let at = 0; at < lower.length; ) {
    const word = words.find((one) => one !== '' && lower.startsWith(one, at))
    if (word) ranges.push([at, at + word.length])
    at += word ? word.length : 1
  }
  return ranges
}

function nextWord(text: string, from: number, before: number): number {
  const blank = text.indexOf(' ', from)
  return blank >= 0 && blank < before ? blank + 1 : wholeCharacter(text, from)
}

function lastWord(text: string, to: number): number {
  const blank = text.lastIndexOf(' ', to)
  return blank > to - lead ? blank : wholeCharacter(text, to)
}

/** Not between the halves of a character. */
function wholeCharacter(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at
}
