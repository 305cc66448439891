import { german } from '../../client/labels/de.ts'
import { germanIntegrations } from '../../client/labels/de-integrations.ts'
import { english, type Labels } from '../../client/labels/en.ts'
import { englishIntegrations } from '../../client/labels/en-integrations.ts'
import { type Asked, sentenceOf } from '../../shared/engine/core/asked.ts'
import type { Pending } from '../../shared/engine/transcript/answer.ts'
import type { OwnText } from '../../shared/engine/transcript/entry.ts'
import { sayTexts } from '../../shared/engine/transcript/own-words.ts'
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
  return ownInEachLanguage({ ...asked, text: sentenceOf(asked) }, from)
}

/** A sentence of ours in each language. */
export function ownInEachLanguage(
  { code, values, text }: { code: string; values?: Record<string, unknown>; text: string },
  from: string,
): Sentence[] {
  return Object.entries(languages).map(([language, words]) => ({
    from,
    to: 'people',
    language,
    as: 'text',
    code,
    values,
    sentence: sayOwn(words, { code, values, text }),
  }))
}

/** The sentences of an answer of the chat: as it came, and what is asked and told as readers of the others have it. */
export function answerInEachLanguage(answer: object, from: string): Sentence[] {
  const { pending = [], message } = answer as { pending?: Pending[]; message?: Told }
  const { texts = [] } = message?.metadata ?? {}
  return Object.entries(languages).flatMap(([language, words]) => {
    if (language === 'en') return sentencesIn(answer, from, language)
    const asked = pending.map(({ code, codeValues, values }) =>
      sayTo(words, { code, values: codeValues }, { input: values }),
    )
    return sentencesIn({ pending: asked, texts: sayTexts(words, texts, () => undefined) }, from, language)
  })
}

interface Told {
  metadata?: { texts?: OwnText[] }
}
