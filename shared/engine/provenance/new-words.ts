import type { ToolSpecification } from '../core/tool-specification.ts'
import { unspacedScript } from '../core/unspaced-scripts.ts'
import { isTyped } from './chosen-value.ts'
import { Evidence, type Words, wordsIn } from './evidence.ts'
import { isGuessable } from './guessable-value.ts'
import { goesOn } from './plain-text.ts'
import { readable } from './readable-text.ts'
import { valuesOf } from './sourced-values.ts'
import { characterAt, characterBefore, occurrences } from './text-boundary.ts'
import { recognise } from './value-kind.ts'

/** What was typed since something was done, and what was known by then. */
export interface TypedSince {
  /** Messages; what they quote does not count. */
  typed: readonly string[]
  /** Values of forms. */
  forms: readonly unknown[]
  /** Texts, or arguments of calls: what stands in one of them is not new. */
  known: readonly unknown[]
}

/**
 * Whether a call holds something that its user has typed since: a whole value, or a sentence in one, that needs no
 * source, that nobody can guess and that was not known. `today`: see `isGuessable`.
 *
 * @example
 * const tool = { name: 'send', description: 'Sends', effect: 'write', parameters: { type: 'object' } }
 * const since = { typed: ['Also tell her that the room is 4.12.'], forms: [], known: ['Invite Ada to the meeting.'] }
 * hasNewWords(tool, { body: 'Hi Ada,\n\nThe room is 4.12.' }, since, []) // => true
 * hasNewWords(tool, { body: 'Hi Ada,\n\nSee you there.' }, since, []) // => false
 */
export function hasNewWords(
  tool: ToolSpecification,
  args: Record<string, unknown>,
  { typed, forms, known }: TypedSince,
  today: readonly string[],
): boolean {
  const evidence = new Evidence(new Map())
  for (const text of typed) evidence.addMessage(text)
  for (const values of forms) evidence.addWords(JSON.stringify(values))
  const { said } = evidence
  const now = joined(said.map(({ text }) => fold(text)))
  const before = known.map(asWords)
  const then = joined(before.map(({ text }) => bare(text)))
  const isNew = (text: string) => !stands(bare(text), then)
  const values = valuesOf(tool.parameters, args).filter(({ source }) => source === undefined)
  return values.some((value) => {
    if (isGuessable(value.value, today)) return false
    const text = String(value.value)
    const isNamedIn = recognise(value)
    if (isTyped(value, isNamedIn, said) && !isTyped(value, isNamedIn, before) && isNew(text)) return true
    return sentencesIn(text).some(
      (sentence) => !isGuessable(sentence, today) && stands(sentence, now) && isNew(sentence),
    )
  })
}

function asWords(known: unknown): Words {
  const text = readable(wordsIn(known))
  return { text, forAddresses: text, except: '' }
}

/** Words of a sentence; characters, where words are written without spaces. */
const fewestWords = 3
const fewestUnspaced = 6

const marks = /[.!?,;:]+/g
const sentenceEnds = /[\n\r\u2028\u2029。｡！？؟۔।॥…]+/u
/** The parts of a sentence count, too: people write `Hi Ada, the room is 4.12`. */
const partEnds = /[、，；：،؛«»“”„"()[\]{}<>「」『』（）【】]+|\s[-–—]+\s/u
const fromLetterToLetter = /[\p{L}\p{N}].*[\p{L}\p{M}\p{N}]|[\p{L}\p{N}]/su

/** The sentences of a text and their parts, as far as they say something of their own. */
function sentencesIn(text: string): string[] {
  const sentences = splitAt(text, /[.!?]/).flatMap((line) => line.split(sentenceEnds))
  const parts = sentences.flatMap((one) => splitAt(one, /[,;:]/)).flatMap((one) => one.split(partEnds))
  const all = [...sentences, ...parts].map((one) => fromLetterToLetter.exec(fold(one))?.[0] ?? '')
  return [...new Set(all)].filter(isTelling)
}

/** Splits a text at marks that end a word: `4.12` has none. */
function splitAt(text: string, mark: RegExp): string[] {
  const ends = text.replace(marks, (found, at: number) => {
    const next = text.charAt(at + found.length)
    return mark.test(found) && next.trim() === '' ? '\n' : found
  })
  return ends.split('\n')
}

function isTelling(sentence: string): boolean {
  const words = sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length >= fewestWords) return true
  const unspaced = Array.from(sentence).filter(isUnspaced)
  const digits = sentence.match(/\p{N}/gu) ?? []
  return unspaced.length > 0 && unspaced.length + digits.length >= fewestUnspaced
}

/** Korean has spaces, although particles join a word of another script. */
function isUnspaced(character: string): boolean {
  return unspacedScript.test(character) && !/\p{Script=Hangul}/u.test(character)
}

/** A text as sentences are compared: however it is written, the words are the same. */
function fold(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const plain = visible.replace(/[’ʼ]/g, "'").replace(/[‐-―−]/g, '-')
  return plain.replace(/\s+/g, ' ').trim().toLowerCase()
}

/** The words and numbers alone: what was known with other marks isn't new. */
function bare(text: string): string {
  return fold(text)
    .replace(/(?<=\p{N})[.,:/](?=\p{N})/gu, '.')
    .replace(/(?<!\p{N})\.|\.(?!\p{N})|[^\p{L}\p{M}\p{N}.]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/** Texts to be searched in one go; no match goes from one to the next. */
function joined(folded: readonly string[]): string {
  return folded.join('\n')
}

/** Whether a sentence stands whole in folded texts. */
function stands(sentence: string, texts: string): boolean {
  for (const start of occurrences(texts, sentence)) if (isWhole(texts, start, sentence)) return true
  return false
}

/** Where words are written without spaces, nothing shows where one ends. */
function isWhole(text: string, start: number, sentence: string): boolean {
  const first = characterAt(sentence, 0)
  const last = characterBefore(sentence, sentence.length)
  const isOpenBefore = !unspacedScript.test(first) && goesOn(text, start, 'before', sentence)
  return (
    !isOpenBefore && (unspacedScript.test(last) || !goesOn(text, start + sentence.length, 'after', sentence))
  )
}
