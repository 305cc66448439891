import { afterEach, expect, test } from 'vitest'
import { samplesOf } from '../../../lab/sentences/samples.ts'
import { formalGerman } from '../../../shared/words/formal-german/formal-german.ts'
import type { Language } from '../../../shared/words/language.ts'
import { languageFor, overrule } from '../../../shared/words/languages/languages.ts'
import { saidParts } from '../../../shared/words/say.ts'
import { sentences } from '../../../shared/words/sentence-codes.ts'
import { languages } from '../../../support/own-languages.ts'

/** What stands where a value should. */
const gap =
  /undefined|\bnull\b|NaN|\[object|""|„“| {2}|\( *[,)]| [.,:;?!)]|^ | $|: ?[.?]|^(?:asks|says|fragt|meldet)\b/

const codes = Object.entries<{ says: string; values?: readonly string[] }>(sentences).map(
  ([code, { values = [] }]): [string, readonly string[]] => [code, values],
)

/** All that a sentence says if one of its values is missing, or all are, with what was missing. */
function gapsIn(language: Language, code: string, names: readonly string[]): string[] {
  const all = samplesOf(names)[0]?.[1]
  const lacking = [undefined, null, ''].flatMap((nothing) => [
    ...names.map((name): [string, object] => [name, { ...all, [name]: nothing }]),
    ['everything', Object.fromEntries(names.map((name) => [name, nothing]))] as [string, object],
  ])
  return lacking.flatMap(([name, values]) =>
    Object.values(saidParts(language, code, values as Record<string, unknown>) ?? {})
      .filter((text) => typeof text === 'string' && gap.test(text))
      // What somebody has sent may be nothing.
      .filter((text) => name !== 'value' || !/^[^"]*""[^"]*$/.test(text))
      .map((text) => `${name}: ${text}`),
  )
}

afterEach(() => overrule({}))

test.each(codes)('%s leaves no gap where a value is missing, in English and German', (code, names) => {
  for (const language of Object.values(languages)) expect(gapsIn(language, code, names)).toEqual([])
})

test.each(codes)('%s leaves none in formal German', (code, names) => {
  overrule({ de: formalGerman })
  const formal = { ...languageFor({ locale: 'de' }), tools: languages.de?.tools ?? {} }
  expect(gapsIn(formal, code, names)).toEqual([])
})
