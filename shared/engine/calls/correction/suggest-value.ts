import type { JsonSchema } from '../../core/json-schema.ts'
import { allowedValues } from '../../schema/describe-schema.ts'
import { shapeOf } from '../../wording/question-for.ts'
import { codeNames } from '../names/code-names.ts'
import { isSameWord, stemOf, wordsOf } from '../names/compare-names.ts'
import { matchCode, matchSpelling, matchTypo } from '../names/match-enum.ts'
import { areSynonymousValues, headedGroupSize } from '../names/synonyms.ts'
import { formsOf } from '../names/word-forms.ts'
import { ones } from './read-quantity.ts'

/** A longer text is no value of an enumeration. */
const maxLength = 80
/** Comparing words with more values takes too long. */
const maxAllowed = 300
const maxWords = 8
const maxDescription = 2000

/** What was said instead of an allowed value, or one of these values. */
interface Phrase {
  text: string
  /** Without those of the parameter's name: they tell no value from another. */
  words: string[]
  /** Each word in the forms that it may have. */
  forms: string[][]
}

/**
 * The allowed value that a text probably means, judged by everyday synonyms, numbers, codes, initials, the parameter's
 * description and shared words; a suggestion, never a repair. `undefined` when two are equally near or none is.
 */
function suggestValue(allowed: readonly unknown[], text: string, name: string, shape: JsonSchema): unknown {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > maxLength) return undefined
  const spelled =
    matchSpelling(allowed, trimmed) ?? matchCode(allowed, trimmed) ?? matchTypo(allowed, trimmed)
  if (spelled !== undefined || allowed.length > maxAllowed) return spelled
  const nameStems = wordsOf(name).map(stemOf)
  const said = phraseOf(trimmed, nameStems)
  if (said.words.length === 0) return undefined
  const explained = explainedBy(shape.description, allowed, said.words)
  const scores = allowed.map(
    (value) => scoreOf(phraseOf(String(value), nameStems), said) || (value === explained ? 1 : 0),
  )
  const best = Math.max(...scores)
  if (best <= 0 || scores.filter((score) => score === best).length > 1) return undefined
  return allowed[scores.indexOf(best)]
}

/** The telling words of a text; numbers as words. */
function phraseOf(text: string, nameStems: readonly string[]): Phrase {
  const words = wordsOf(text)
    .filter((word) => !nameStems.includes(stemOf(word)))
    .slice(0, maxWords)
    .map((word) => (/^\d{1,2}$/.test(word) ? (ones[Number(word)] ?? word) : word))
  return { text, words, forms: words.map(formsOf) }
}

function scoreOf(value: Phrase, said: Phrase): number {
  if (value.words.length === 0 || differInNumber(value.words, said.words)) return 0
  const phrase = value.words.join(' ')
  const saidPhrase = said.words.join(' ')
  if (isSameWord(phrase, saidPhrase)) return 12
  const phrases = [saidPhrase, wordsOf(said.text).join(' ')]
  const sizes = phrases.map((form) => headedGroupSize(phrase, form)).filter((size) => size !== undefined)
  if (sizes.length > 0) return 11 + 1 / (1 + Math.min(...sizes))
  if (phrases.some((form) => areSynonymousValues(phrase, form))) return 10
  if (areInitials(value.text, said.text) || isCodeFor(value.text, said)) return 9
  const related = said.forms.filter((forms) => value.forms.some((others) => areRelatedForms(forms, others)))
  const withPhrase = said.forms.filter((forms) => forms.some((form) => areSynonymousValues(form, phrase)))
  const share = Math.max(related.length, withPhrase.length) / said.words.length
  return share > 0 ? 3 + 4 * share : 0
}

/** Both name a number, and not the same. */
function differInNumber(a: readonly string[], b: readonly string[]): boolean {
  const numbersOf = (words: readonly string[]) =>
    words.filter((word) => ones.includes(word) || /^\d/.test(word)).join(' ')
  return numbersOf(a) !== '' && numbersOf(b) !== '' && numbersOf(a) !== numbersOf(b)
}

/** `AA` and `American Airlines`, either way round. */
function areInitials(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const words = wordsOf(long)
  if (words.length < 2 || !/^\p{L}+$/u.test(short)) return false
  return words.map((word) => word[0]).join('') === short.toLowerCase()
}

/** `zh-CN` and `Chinese`, either way round. */
function isCodeFor(value: string, said: Phrase): boolean {
  const named = namesOf(value)
  if (named.length > 0) return said.words.every((word) => named.includes(stemOf(word)))
  const text = namesOf(said.text)
  return text.length > 0 && wordsOf(value).every((word) => text.includes(stemOf(word)))
}

/** Stems of the words in the names of a code, also of both its parts. */
function namesOf(code: string): string[] {
  const parts = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?$/i.exec(code)
  const names = parts ? [parts[1], parts[2]].flatMap((part) => (part ? codeNames(part) : [])) : []
  return names.flatMap(wordsOf).map(stemOf)
}

function areRelatedForms(forms: readonly string[], others: readonly string[]): boolean {
  if (sharesStart(forms[0] ?? '', others[0] ?? '')) return true
  return forms.some((form) =>
    others.some((other) => isSameWord(form, other) || areSynonymousValues(form, other)),
  )
}

/** `automatic` and `auto`, `financial` and `finance`. */
function sharesStart(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  if (length >= 3 && (a.startsWith(b) || b.startsWith(a))) return true
  let common = 0
  while (common < length && a[common] === b[common]) common++
  return common >= 4 && common >= length * 0.65
}

/** The one value that the description explains with one of the words said: `'2' for ironing`. */
function explainedBy(
  description: string | undefined,
  allowed: readonly unknown[],
  said: readonly string[],
): unknown {
  if (!description) return undefined
  const text = description.slice(0, maxDescription)
  const mentions = allowed.map((value) => ({ value, at: mentionOf(text, String(value)) }))
  const explained = mentions.filter(({ value, at }) => {
    if (at < 0) return false
    const after = at + String(value).length
    const others = mentions.map((mention) => mention.at).filter((other) => other >= after)
    const words = wordsOf(text.slice(after, Math.min(...others, after + 80))).map(stemOf)
    return said.some((word) => word.length > 2 && words.includes(stemOf(word)))
  })
  return explained.length === 1 ? explained[0]?.value : undefined
}

function mentionOf(description: string, value: string): number {
  for (const quote of ["'", '"', '`']) {
    const at = description.indexOf(`${quote}${value}${quote}`)
    if (at >= 0) return at + 1
  }
  const at = description.indexOf(value)
  return at >= 0 &&
    !/[\p{L}\p{N}]/u.test((description[at - 1] ?? ' ') + (description[at + value.length] ?? ' '))
    ? at
    : -1
}

/** What a text probably means where a schema lists the values allowed; `undefined` where it lists none. */
export function suggestAllowed(
  root: JsonSchema,
  place: JsonSchema | boolean,
  text: string,
  name: string,
): unknown {
  const shape = shapeOf(root, place)
  const allowed = allowedValues(shape)
  return allowed ? suggestValue(allowed, text, name, shape) : undefined
}
