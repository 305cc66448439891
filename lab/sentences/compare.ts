import { readFile } from 'node:fs/promises'
import type { Sentence } from './sentence.ts'

/** Two recordings of sentences: what only one of them has, by where it was said. */
export interface Difference {
  from: string
  removed: string[]
  added: string[]
}

/** What differs in words or codes; values that no sentence shows do not count. */
export async function compareSentences(before: string, after: string): Promise<Difference[]> {
  const [old, now] = [await readSentences(before), await readSentences(after)]
  const places = new Set([...old.keys(), ...now.keys()])
  return [...places].sort().flatMap((from): Difference[] => {
    const [was, is] = [old.get(from) ?? new Set<string>(), now.get(from) ?? new Set<string>()]
    const removed = [...was].filter((one) => !is.has(one))
    const added = [...is].filter((one) => !was.has(one))
    return removed.length + added.length > 0 ? [{ from, removed, added }] : []
  })
}

/** The difference as it is printed, a block for each place. */
export function describeDifference(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'No sentence differs.'
  return differences
    .map(({ from, removed, added }) =>
      [from, ...removed.map((one) => `  - ${one}`), ...added.map((one) => `  + ${one}`)].join('\n'),
    )
    .join('\n')
}

async function readSentences(file: string): Promise<Map<string, Set<string>>> {
  const places = new Map<string, Set<string>>()
  for (const line of (await readFile(file, 'utf8')).trim().split('\n')) {
    const { from, to, language, as, code = '', sentence }: Sentence = JSON.parse(line)
    const said = `${to}, ${language}, ${as}${code && ` ${code}`}: ${sentence}`
    places.set(from, (places.get(from) ?? new Set()).add(said))
  }
  return places
}
