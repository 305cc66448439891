import type { ChatMessage, Pending } from '../../client/api/message.ts'
import { german } from '../../client/labels/de.ts'
import { germanIntegrations } from '../../client/labels/de-integrations.ts'
import { english, type Labels } from '../../client/labels/en.ts'
import { englishIntegrations } from '../../client/labels/en-integrations.ts'
import { sayMessage, sayPending } from '../../client/labels/say.ts'
import { type Asked, sentenceOf } from '../../shared/engine/core/asked.ts'
import { sayOwn } from '../../shared/words/say.ts'
import { sentencesIn } from './collect.ts'
import type { Sentence } from './sentence.ts'

/** The languages of people, with all labels of the components. */
export const languages: Readonly<Record<string, Labels>> = { en: english, de: german }
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
  return Object.entries(languages).map(([language, labels]) => ({
    from,
    to: 'people',
    language,
    as: 'text',
    code,
    values,
    sentence: sayOwn(labels, { code, values, text }),
  }))
}

/** The sentences of an answer of the chat, in each language as its client shows them. */
export function answerInEachLanguage(answer: object, from: string): Sentence[] {
  const { pending, message } = answer as { pending?: Pending[]; message?: ChatMessage }
  return Object.entries(languages).flatMap(([language, labels]) =>
    sentencesIn(
      {
        ...answer,
        ...(pending ? { pending: pending.map((one) => sayPending(labels, one)) } : {}),
        ...(message ? { message: sayMessage(labels, message) } : {}),
      },
      from,
      language,
    ),
  )
}
