import { codeNames } from './code-names.ts'
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

/** As in `Color.RED`; `3.5` and `N.A` have none, and `not.active` is something else. */
const namespace = /^(?:(?!(?:not|non|no|un|in)\.)[\p{L}_][\p{L}\p{N}_]+\.)+(?=\p{L})/iu

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
