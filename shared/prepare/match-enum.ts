import type { JsonSchema } from '../schema/json-schema.ts'
import { isRelatedWord, isSameWord, isTypo, stemOf, wordsOf } from './compare-names.ts'
import { areSynonyms, isHeadFor } from './synonyms.ts'

/** Texts without case, outer blanks and separators; what stands between two digits or at an end is no separator. */
function enumKey(text: string): string {
  const lower = text.trim().normalize('NFKC').toLowerCase()
  return lower.replace(/(?<=\S)[\s_-]+(?=[^\s_+-])/gu, (_separators, at: number, whole: string) => {
    const next = whole.slice(at).match(/[^\s_-]/)?.[0] ?? ''
    return /\p{N}/u.test(whole[at - 1] ?? '') && /\p{N}/u.test(next) ? '-' : ''
  })
}

/** Longer texts are no value of an enumeration in another spelling. */
const maxLength = 500

/** As in `Color.RED`; `3.5` has none. */
const namespace = /^(?:[\p{L}_][\p{L}\p{N}_]*\.)+(?=\p{L})/u

/** The one allowed value that differs from the text by case, outer blanks, separators or a namespace only. */
export function matchSpelling(allowed: readonly unknown[], text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const texts = allowed.filter((value) => typeof value === 'string')
  const bare = text.trim().replace(namespace, '')
  const forms = bare === text.trim() ? [text] : [text, bare]
  for (const form of forms) {
    const trimmed = form.trim()
    if (trimmed === '') continue
    // Nearer readings first: `no` is `No` where `NO` stands beside it only by another rule.
    for (const key of [
      (value: string) => value.trim(),
      (value: string) => value.trim().toLowerCase(),
      enumKey,
    ]) {
      const wanted = key(trimmed)
      const matches = texts.filter((value) => key(value) === wanted)
      if (matches.length === 1) return matches[0]
      if (matches.length > 1) return undefined
    }
  }
  return undefined
}

/** The one allowed value of which the text is a slip of the pen. */
export function matchTypo(allowed: readonly unknown[], text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const wanted = enumKey(text)
  const matches = allowed.filter((value) => typeof value === 'string' && isTypo(enumKey(value), wanted))
  return matches.length === 1 ? (matches[0] as string) : undefined
}

/** The one allowed code whose English name the text is: `German` for `de`, `US dollar` for `USD`, `Japan` for `JP`. */
export function matchCode(allowed: readonly unknown[], text: string): string | undefined {
  const codes = allowed.filter(
    (value) => typeof value === 'string' && /^[a-z]{2,3}$/i.test(value),
  ) as string[]
  if (codes.length === 0 || text.length > 60) return undefined
  const wanted = new Set(
    [text, text.replace(/\s+(?:language|currency)$/i, '')].map((form) => form.trim().toLowerCase()),
  )
  const matches = codes.filter((code) => codeNames(code).some((name) => wanted.has(name.toLowerCase())))
  return matches.length === 1 ? matches[0] : undefined
}

type NameList = 'language' | 'region' | 'currency'
const nameLists = new Map<NameList, Intl.DisplayNames>()

function codeNames(code: string): string[] {
  const names: (string | undefined)[] = []
  for (const type of ['language', 'region', 'currency'] as const) {
    try {
      names.push(nameList(type).of(type === 'language' ? code.toLowerCase() : code.toUpperCase()))
    } catch {
      // Not every short text has the form of a code.
    }
  }
  return names.filter((name) => name !== undefined)
}

function nameList(type: NameList): Intl.DisplayNames {
  const list = nameLists.get(type) ?? new Intl.DisplayNames(['en'], { type, fallback: 'none' })
  nameLists.set(type, list)
  return list
}

/**
 * The allowed value that a text probably means, judged by everyday synonyms, the parameter's description and shared
 * words; a suggestion, never a repair. `undefined` when two are equally near or none is.
 */
export function suggestValue(
  allowed: readonly unknown[],
  text: string,
  name: string,
  shape: JsonSchema,
): unknown {
  const trimmed = text.trim().slice(0, maxLength)
  if (trimmed === '' || trimmed.length > 80) return undefined
  const spelled =
    matchSpelling(allowed, trimmed) ?? matchCode(allowed, trimmed) ?? matchTypo(allowed, trimmed)
  if (spelled !== undefined) return spelled
  const nameWords = wordsOf(name).map(stemOf)
  const said = wordsOf(trimmed).filter((word) => !nameWords.includes(stemOf(word)))
  if (said.length === 0) return undefined
  const scores = allowed.map((value) => scoreOf(String(value), said, trimmed, nameWords, allowed, shape))
  const best = Math.max(...scores)
  if (best <= 0 || scores.filter((score) => score === best).length > 1) return undefined
  return allowed[scores.indexOf(best)]
}

function scoreOf(
  value: string,
  said: string[],
  text: string,
  nameWords: string[],
  allowed: readonly unknown[],
  shape: JsonSchema,
): number {
  const words = wordsOf(value).filter((word) => !nameWords.includes(stemOf(word)))
  const phrase = words.join(' ')
  const saidPhrase = said.join(' ')
  if (phrase === '') return describedAs(value, said, allowed, shape.description) ? 2 : 0
  const whole = [saidPhrase, wordsOf(text).join(' ')]
  if (whole.some((form) => isHeadFor(phrase, form))) return 11
  if (whole.some((form) => areSynonyms(phrase, form))) return 10
  if (isSameWord(phrase, saidPhrase)) return 9
  const related = said.filter((word) =>
    words.some((other) => isRelatedWord(word, other) || sharesStart(word, other)),
  )
  const withPhrase = said.filter((word) => areSynonyms(word, phrase))
  const share = Math.max(related.length, withPhrase.length) / Math.max(said.length, 1)
  if (share > 0) return 3 + 4 * share
  return describedAs(value, said, allowed, shape.description) ? 2 : 0
}

/** `automatic` and `auto`, `financial` and `finance`. */
function sharesStart(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  if (length >= 3 && (a.startsWith(b) || b.startsWith(a))) return true
  let common = 0
  while (common < length && a[common] === b[common]) common++
  return common >= 4 && common >= length * 0.65
}

/** True when the description explains the value with one of the words said: `'2' for ironing`. */
function describedAs(
  value: string,
  said: string[],
  allowed: readonly unknown[],
  description: string | undefined,
): boolean {
  if (!description) return false
  const start = mentionOf(description, value)
  if (start < 0) return false
  const after = start + value.length
  const others = allowed.map((other) => mentionOf(description, String(other))).filter((at) => at >= after)
  const explanation = wordsOf(description.slice(after, Math.min(...others, after + 80))).map(stemOf)
  return said.some((word) => word.length > 2 && explanation.includes(stemOf(word)))
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
