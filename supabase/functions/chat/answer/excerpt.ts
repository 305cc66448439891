import { type AskedWord, askedWord, wordForms } from './search-forms.ts'

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
  const [first = 0] = beginnings(text, words).next().value ?? []
  const from = first <= lead ? 0 : nextWord(text, first - lead, first)
  const to = text.length - from <= longest ? text.length : lastWord(text, from + longest)
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, to).trimEnd()}${to < text.length ? '…' : ''}`
  return { text: shown, ranges: findBeginnings(shown, words) }
}

/**
 * The words of a text that start with one of the given ones, in any case and with or without accents.
 *
 * @example
 * findBeginnings('Budget, budgets', ['budget']) // => [[0, 6], [8, 14]]
 * findBeginnings('Müller', ['mueller']) // => [[0, 6]]
 */
export function findBeginnings(text: string, words: readonly string[]): Ranges {
  return [...beginnings(text, words)]
}

function* beginnings(text: string, words: readonly string[]): Generator<Ranges[number], undefined> {
  const asked = longestFirst(words)
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const forms = wordForms(token)
    const word = asked.find((one) => beginsWith(forms, one) || forms.includes(one.whole))
    if (word) yield [index, index + lengthOf(token, word)]
  }
}

/** The positions of any of the words in a title, also inside other words. */
export function findInTitle(title: string, words: readonly string[]): Ranges {
  const asked = longestFirst(words)
  const atBeginnings = new Map(findBeginnings(title, words))
  const ranges: Ranges = []
  for (let at = 0; at < title.length; ) {
    const rest = title.slice(at)
    const inside = asked.find((one) => beginsWith(wordForms(rest), one))
    const to = atBeginnings.get(at) ?? (inside && at + lengthOf(rest, inside))
    if (to) ranges.push([at, to])
    at = to ?? at + characterAt(title, at).length
  }
  return ranges
}

/** The longer of two that match goes first. */
function longestFirst(words: readonly string[]): AskedWord[] {
  return words
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length)
    .map(askedWord)
}

function beginsWith(forms: readonly string[], { beginnings }: AskedWord): boolean {
  return forms.some((form) => beginnings.some((beginning) => form.startsWith(beginning)))
}

/** How much of a text the word at its beginning takes up: all of it, if only the whole text is that word. */
function lengthOf(text: string, word: AskedWord): number {
  let length = 0
  do length += characterAt(text, length).length
  while (length < text.length && !beginsWith(wordForms(text.slice(0, length)), word))
  return length
}

/** A character with the accents that follow it. */
function characterAt(text: string, at: number): string {
  return /^.\p{M}*/su.exec(text.slice(at))?.[0] ?? ''
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
