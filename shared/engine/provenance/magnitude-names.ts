import { languages } from './languages.ts'

/** In each power of ten with a name of its own the numbers that languages inflect the name by. */
const samples = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12].flatMap((power) => [power, 2 * power, 5 * power])

let names: Map<string, number> | undefined

/**
 * What a word behind a number multiplies it by in one of the languages that are written most (`tusen`, `tysięcy`);
 * NaN where two of them differ (`mil`), undefined for any other word.
 */
export function magnitudeOf(word: string): number | undefined {
  names ??= readNames()
  return names.get(word)
}

function readNames(): Map<string, number> {
  const found = new Map<string, number>()
  for (const language of languages) {
    const format = new Intl.NumberFormat(`${language}-u-nu-latn`, {
      notation: 'compact',
      compactDisplay: 'long',
    })
    for (const sample of samples) {
      const parts = format.formatToParts(sample)
      const count = Number(parts.find(({ type }) => type === 'integer')?.value)
      // Romanian `20 de mii`; a few letters are an abbreviation that means something else elsewhere.
      const name = parts.find(({ type }) => type === 'compact')?.value.replace(/^de /, '')
      const word = name?.normalize('NFKC').toLowerCase().replace(/\.$/, '') ?? ''
      if (!count || word.length < 3) continue
      const factor = sample / count
      found.set(word, (found.get(word) ?? factor) === factor ? factor : Number.NaN)
    }
  }
  return found
}
