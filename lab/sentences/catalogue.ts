import { sayOwn } from '../../shared/words/say.ts'
import { sentences } from '../../shared/words/sentence-codes.ts'
import { languages } from '../../support/own-languages.ts'
import { samplesOf } from './samples.ts'
import type { Sentence } from './sentence.ts'

/** Every sentence of the catalogue, with values and without them. */
export function sentencesOfCatalogue(): Sentence[] {
  const codes = Object.entries<{ says: string; values?: readonly string[] }>(sentences)
  return codes.flatMap(([code, { values: names = [] }]) =>
    samplesOf(names).flatMap(([name, values]) =>
      Object.entries(languages).flatMap(([language, labels]): Sentence[] => {
        const sentence = sayOwn(labels, { code, values, text: '' })
        const from = `catalogue: ${name}`
        return sentence === '' ? [] : [{ from, to: 'people', language, as: 'said', code, values, sentence }]
      }),
    ),
  )
}
