import type { ToolSpecification } from '../core/tool-specification.ts'
import { isTyped } from './chosen-value.ts'
import { Evidence, type Words, wordsIn } from './evidence.ts'
import { isGuessable } from './guessable-value.ts'
import { goesOn } from './plain-text.ts'
import { readable } from './readable-text.ts'
import { valuesOf } from './sourced-values.ts'
import { occurrences, unspacedScript } from './text-boundary.ts'
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
  const before = known.map(asWords)
  const values = valuesOf(tool.parameters, args).filter(({ source }) => source === undefined)
  return values.some((value) => {
    if (isGuessable(value.value, today)) return false
    const isNamedIn = recognise(value)
    if (isTyped(value, isNamedIn, said) && !isTyped(value, isNamedIn, before)) return true
    return sentencesIn(String(value.value)).some(
      (sentence) => stands(sentence, said) && !stands(sentence, before),
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

const sentenceEnds = /[\n\r\u2028\u2029。｡！？؟۔।॥…]+|[.!?]+(?=\s|$)/u
/** The parts of a sentence count, too: people write `Hi Ada, the room is 4.12`. */
const partEnds = /[、，；：،؛«»“”„"()[\]{}<>「」『』（）【】]+|[,;:]+(?=\s|$)|\s[-–—]+\s/u
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu

/** The sentences of a text and their parts, as far as they say something of their own. */
function sentencesIn(text: string): string[] {
  const sentences = text.split(sentenceEnds)
  const all = [...sentences, ...sentences.flatMap((sentence) => sentence.split(partEnds))]
  return [...new Set(all.map((one) => fold(one).replace(edges, '')))].filter(isTelling)
}

function isTelling(sentence: string): boolean {
  const words = sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length >= fewestWords) return true
  if (!unspacedScript.test(sentence)) return false
  return (
    Array.from(sentence).filter((one) => unspacedScript.test(one) || /\p{N}/u.test(one)).length >=
    fewestUnspaced
  )
}

/** A text as sentences are compared: however it is written, the words are the same. */
function fold(text: string): string {
  return text.normalize('NFKC').replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ').trim().toLowerCase()
}

function stands(sentence: string, words: readonly Words[]): boolean {
  return words.some(({ text }) => {
    const folded = fold(text)
    return [...occurrences(folded, sentence)].some((start) => isWhole(folded, start, sentence))
  })
}

/** Where words are written without spaces, nothing shows where one ends. */
function isWhole(text: string, start: number, sentence: string): boolean {
  const [first = '', ...rest] = Array.from(sentence)
  const last = rest.at(-1) ?? first
  const isOpenBefore = !unspacedScript.test(first) && goesOn(text, start, 'before', sentence)
  return (
    !isOpenBefore && (unspacedScript.test(last) || !goesOn(text, start + sentence.length, 'after', sentence))
  )
}
