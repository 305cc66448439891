import type { Language } from '../language.ts'
import { overlay } from '../overlay.ts'
import type { OwnWords } from '../own-words.ts'
import { nearestTag, type Reader, readTag } from '../reader.ts'
import type { Refuse } from '../refuse.ts'
import type { Say, Sentences } from '../said.ts'
import { english } from './english.ts'
import { german } from './german.ts'

type Refused = Language['refusals']

/** By the tag of the language. One more language is one more line here. */
const ours: Readonly<Record<string, Language>> = { en: english, de: german }

/** Ours with the words of the project in their place, and the languages that only the project has. */
let languages = ours

/**
 * Says what a project says in its own words, by language, in this process from now on. Returns the names that are no
 * language: their words are not used.
 */
export function overrule(own: Readonly<Record<string, OwnWords>>): string[] {
  languages = ours
  // The words of a language count in its regions, too.
  const byLength = Object.entries(own).sort(([one], [other]) => one.length - other.length)
  return byLength.flatMap(([name, words]) => {
    const tag = readTag(name)?.baseName
    if (tag === undefined) return [name]
    languages = { ...languages, [tag]: said(tag, words) }
    return []
  })
}

function said(tag: string, own: OwnWords): Language {
  const known = languages[nearestTag(tag, languageTags()) ?? '']
  if (known) return withOwn(known, own)
  // Sentences for these clients are put together of several members.
  const isWhole = Object.keys(english.openai).every((name) => Object.hasOwn(own.openai ?? {}, name))
  const bare = { ...english, locale: tag, said: {}, meanings: {}, inSettings: {}, refusals: {} }
  return withOwn(bare, isWhole ? own : { ...own, openai: undefined })
}

function withOwn(
  language: Language,
  { said = {}, inSettings = {}, refusals = {}, ...rest }: OwnWords,
): Language {
  const elsewhere = language.inSettings
  // What is overruled is overruled in the settings, too.
  const inBoth = Object.fromEntries(Object.entries(said).filter(([code]) => Object.hasOwn(elsewhere, code)))
  const sentences = {
    said: withSaid(language.said, said),
    inSettings: withSaid(withSaid(elsewhere, inBoth), inSettings),
    refusals: withRefused(language.refusals, refusals as Refused),
  }
  return overlay({ ...language, ...sentences }, rest)
}

function withSaid(ours: Sentences, own: Sentences): Sentences {
  const sentences = Object.entries(own).map(([code, say]) => [code, orOurs(say, ours[code])])
  return { ...ours, ...Object.fromEntries(sentences) }
}

function withRefused(ours: Refused, own: Refused): Refused {
  const sentences = Object.entries(own).map(([code, say]) => [code, refuseOrOurs(say, ours[code])])
  return { ...ours, ...Object.fromEntries(sentences) }
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

/** The same for a refused request. */
function refuseOrOurs(own: Refuse<never>, ours: Refuse<never> = ''): Refuse<never> {
  if (typeof own !== 'function') return own
  return (values, reading) => {
    try {
      const said = own(values, reading)
      if (typeof said === 'string' && said !== '') return said
    } catch {
      // Ours is said instead.
    }
    return typeof ours === 'function' ? ours(values, reading) : ours
  }
}

/** The tags of the languages that sentences can be read in. */
export function languageTags(): string[] {
  return Object.keys(languages)
}

/** The language of a reader, with their region and time zone, as far as they are known. */
export function languageFor({ locale, timeZone }: Reader): Language {
  const { en = english } = languages
  const language = languages[nearestTag(locale, languageTags()) ?? ''] ?? en
  const spoken = { ...language, locale: locale.includes('-') ? locale : language.locale, timeZone }
  return language === en ? spoken : { ...spoken, otherwise: { ...en, timeZone } }
}
