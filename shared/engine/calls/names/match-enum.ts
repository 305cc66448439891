import { isTypo } from './compare-names.ts'

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
/** More values are not compared letter by letter. */
const maxCompared = 1000

/** As in `Color.RED`; `3.5` and `N.A` have none, and `not.active` is something else. */
const namespace = /^(?:(?!(?:not|non|no|un|in)\.)[\p{L}_][\p{L}\p{N}_]+\.)+(?=\p{L})/iu

/** Readings of a text, the nearest first: `no` is `No` where `NO` stands beside it only by another rule. */
const readings: readonly ((text: string) => string)[] = [
  (text) => text.trim(),
  (text) => text.trim().toLowerCase(),
  enumKey,
]

/** The allowed texts by each reading; `null` where two have the same. */
type SpellingIndex = readonly ReadonlyMap<string, string | null>[]

const indexes = new WeakMap<readonly unknown[], SpellingIndex>()

function indexSpellings(allowed: readonly unknown[]): SpellingIndex {
  let index = indexes.get(allowed)
  if (!index) {
    const texts = allowed.filter(
      (value) => typeof value === 'string' && value.length <= maxLength,
    ) as string[]
    index = readings.map((read) => {
      const spellings = new Map<string, string | null>()
      for (const text of texts) {
        const key = read(text)
        spellings.set(key, !spellings.has(key) || spellings.get(key) === text ? text : null)
      }
      return spellings
    })
    indexes.set(allowed, index)
  }
  return index
}

/** The one allowed value that differs from the text by case, outer blanks, separators or a namespace only. */
export function matchSpelling(allowed: readonly unknown[], text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const trimmed = text.trim()
  const bare = trimmed.replace(namespace, '')
  for (const form of new Set([trimmed, bare])) {
    if (form === '') continue
    for (const [index, spellings] of indexSpellings(allowed).entries()) {
      const match = spellings.get((readings[index] ?? enumKey)(form))
      if (match !== undefined) return match ?? undefined
    }
  }
  return undefined
}

/** The one allowed value of which the text is a slip of the pen. */
export function matchTypo(allowed: readonly unknown[], text: string): string | undefined {
  if (text.length > maxLength || allowed.length > maxCompared) return undefined
  const wanted = enumKey(text)
  const alike = [...(indexSpellings(allowed)[2] ?? [])].filter(([key]) => isTypo(key, wanted))
  return alike.length === 1 ? (alike[0]?.[1] ?? undefined) : undefined
}
