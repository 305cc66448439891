import { english } from './english.ts'
import { german } from './german.ts'
import type { Language } from './language.ts'
import type { Reader } from './reader.ts'

/** By the tag of the language. One more language is one more line here. */
const languages: Readonly<Record<string, Language>> = { en: english, de: german }

/** The tags of the languages that sentences can be read in. */
export const languageTags: readonly string[] = Object.keys(languages)

/** The language of a reader, with their region and time zone: UTC where that is not known. */
export function languageFor({ locale, timeZone = 'UTC' }: Reader): Language {
  const language = languages[new Intl.Locale(locale).language] ?? english
  return { ...language, locale: locale.includes('-') ? locale : language.locale, timeZone }
}
