import { german } from '../../client/labels/de.ts'
import { germanIntegrations } from '../../client/labels/de-integrations.ts'
import { english, type Labels } from '../../client/labels/en.ts'
import { englishIntegrations } from '../../client/labels/en-integrations.ts'
import { type Asked, sentenceOf } from '../../shared/engine/core/asked.ts'
import type { Pending } from '../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../shared/engine/transcript/entry.ts'
import { inputsIn, sayTexts } from '../../shared/engine/transcript/own-words.ts'
import { sayTo } from '../../shared/words/languages/in-english.ts'
import { sayOwn } from '../../shared/words/say.ts'
import { languages } from '../../support/own-languages.ts'
import { sentencesIn } from './collect.ts'
import type { Sentence } from './sentence.ts'

/** All labels of the components, by language. */
export const labels: Readonly<Record<string, Labels>> = { en: english, de: german }
export const settingsLabels: Readonly<Record<string, object>> = {
  en: englishIntegrations,
  de: germanIntegrations,
}

/** What people are told in each language, of something that is asked or told. */
export function inEachLanguage(asked: Asked, from: string): Sentence[] {
  const { code, values } = asked
  return Object.entries(languages).map(([language, words]) => ({
    from,
    to: 'people',
    language,
    as: 'text',
    code,
    values,
    sentence: sayOwn(words, { code, values, text: sentenceOf(asked) }),
  }))
}

/** What the ends of runs say besides the words of the model, in each language. */
export function ownInEachLanguage(entries: readonly Entry[], from: string): Sentence[] {
  const said = entries.flatMap((entry) => (entry.type === 'run-end' ? (entry.ours ?? []) : []))
  const agents = entries.flatMap((entry) => (entry.type === 'run-start' && entry.agent ? [entry.agent] : []))
  const tools = new Map(agents.flatMap((agent) => agent.tools.map((tool) => [tool.name, tool])))
  return Object.entries(languages).flatMap(([language, words]) =>
    sayTexts(words, said, inputsIn(entries), tools).map(
      ({ code, values, text }): Sentence => ({
        from,
        to: 'people',
        language,
        as: 'text',
        code,
        values,
        sentence: text,
      }),
    ),
  )
}

/** What waits, as the engine answers (in English), and what people are asked in the other languages. */
export function pendingInEachLanguage(pending: readonly Pending[], from: string): Sentence[] {
  return Object.entries(languages).flatMap(([language, words]) => {
    if (language === 'en') return sentencesIn({ pending }, from, language)
    const asked = pending.map(({ code, codeValues, values }) =>
      sayTo(words, { code, values: codeValues }, { input: values }),
    )
    return sentencesIn({ pending: asked }, from, language)
  })
}
