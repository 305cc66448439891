import { isTypo } from './compare-names.ts'

/** Text without case, surrounding spaces and separators; a character between two digits or at an end is not a separator. */
function enumKey(text: string): string {
  const lower = text.trim().normalize('NFKC').toLowerCase()
  return lower.replace(/(?<=\S)[\s_-]+(?=[^\s_+-])/gu, (_separators, at: number, whole: string) => {
    const next = whole.slice(at).match(/[^\s_-]/)?.[0] ?? ''
    return /\p{N}/u.test(whole[at - 1] ?? '') && /\p{N}/u.test(next) ? '-' : ''
  })
}

/** Longer texts are not an enum value in another spelling. */
const maxLength = 500
/** With more values, they are not compared letter by letter. */
const maxCompared = 1000

/** As in `Color.RED`; `3.5` and `N.A` have none, and `not.active` means something else. */
const namespace = /^(?:(?!(?:not|non|no|un|in)\.)[\p{L}_][\p{L}\p{N}_]+\.)+(?=\p{L})/iu

/** Readings of a text, closest first: `no` is `No`, even if `NO` also matches by a later rule. */
const readings: readonly ((text: string) => string)[] = [
  (text) => text.trim(),
  (text) => text.trim().toLowerCase(),
  enumKey,
]

/** The allowed texts by each reading; `null` if two have the same. */
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

/** The only allowed value that differs from the text just by case, surrounding spaces, separators or a namespace. */
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

/** The only allowed value that the text is a typo of. */
export function matchTypo(allowed: readonly unknown[], text: string): string | undefined {
  if (text.length > maxLength || allowed.length > maxCompared) return undefined
  const wanted = enumKey(text)
  const alike = [...(indexSpellings(allowed)[2] ?? [])].filter(([key]) => isTypo(key, wanted))
  return alike.length === 1 ? (alike[0]?.[1] ?? undefined) : undefined
}
