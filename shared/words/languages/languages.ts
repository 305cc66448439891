import type { Language } from '../language.ts'
import { overlay } from '../overlay.ts'
import type { OwnWords } from '../own-words.ts'
import type { Reader } from '../reader.ts'
import type { Say } from '../said.ts'
import { english } from './english.ts'
import { german } from './german.ts'

/** By the tag of the language. One more language is one more line here. */
const ours: Readonly<Record<string, Language>> = { en: english, de: german }

/** Ours, with the words of the project in their place. */
let languages = ours

/** Says what a project says in its own words, by language, in this process from now on. */
export function overrule(own: Readonly<Record<string, OwnWords>>): void {
  languages = Object.fromEntries(
    Object.entries(ours).map(([tag, language]) => [tag, withOwn(language, own[tag])]),
  )
}

function withOwn(language: Language, own: OwnWords = {}): Language {
  const { said = {}, ...rest } = own
  const sentences = Object.entries(said).map(([code, say]) => [code, orOurs(say, language.said[code])])
  return overlay({ ...language, said: { ...language.said, ...Object.fromEntries(sentences) } }, rest)
}

/** A sentence of the project; ours if it has none for these values, or fails. */
function orOurs(own: Say, ours: Say = () => undefined): Say {
  return (about) => {
    try {
      return own(about) ?? ours(about)
    } catch {
      return ours(about)
    }
  }
}

/** The tags of the languages that sentences can be read in. */
export const languageTags: readonly string[] = Object.keys(ours)

/** The language of a reader, with their region and time zone: UTC where that is not known. */
export function languageFor({ locale, timeZone = 'UTC' }: Reader): Language {
  const language = languages[new Intl.Locale(locale).language] ?? english
  return { ...language, locale: locale.includes('-') ? locale : language.locale, timeZone }
}
