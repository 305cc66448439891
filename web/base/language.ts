/// <reference types="vite/client" />
import { useSyncExternalStore } from 'react'
import type { AllLabels } from '../../client/labels/en-integrations.ts'
import { readersLocale } from '../../shared/words/locale.ts'
import { canStore } from './can-store.ts'

/** The texts of a language: those of `client`, and of each part of the app. Its own file has their whole type. */
type Spoken = { client: AllLabels } & Record<string, object>

/** Each language other than English is one folder, named by its two-letter code. */
const files = import.meta.glob<Spoken>('../languages/??/??.ts', { import: 'language' })
const key = 'askback-language'
const watchers = new Set<() => void>()

/** The tags of all languages. */
export const languages = ['en', ...Object.keys(files).map((path) => path.slice(-5, -3))].sort()

let spoken: Spoken | undefined
/** The page's language; it changes once everything is loaded. */
let tag = 'en'

/** The language chosen on this device; undefined if the browser decides. */
export function chosenLanguage(): string | undefined {
  return canStore() ? (localStorage.getItem(key) ?? undefined) : undefined
}

/** Chooses a language, or leaves it to the browser. Everything is rendered again; typed text is kept. */
export async function chooseLanguage(language: string | undefined): Promise<void> {
  if (language === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, language)
  await loadLanguage()
  for (const tell of watchers) tell()
}

/** Call before the first render. English is always available; a language that cannot be loaded is skipped. */
export async function loadLanguage(): Promise<void> {
  const language = findLanguage()
  spoken = await files[`../languages/${language}/${language}.ts`]?.().catch(() => undefined)
  tag = spoken ? language : 'en'
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
}

/** The page's language tag; renders again when another one is chosen. */
export function useLanguage(): string {
  return useSyncExternalStore(watch, () => tag)
}

function watch(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

/** The loaded language; undefined for English. */
export function spokenLanguage(): Spoken | undefined {
  return spoken
}

/** The locale for the reader's dates and numbers. */
export function pageLocale(): string {
  return readersLocale(tag)
}

/**
 * The texts of one part of the app in the page's language. The English ones are bundled with that part; each other
 * language is one folder. Call it when rendering, not at module level.
 *
 * @example
 * export const accountWords = wordsOf('account', { title: 'Account' })
 * accountWords().title // => 'Konto'
 */
export function wordsOf<Words extends object>(part: string, english: Words): () => Words {
  return () => (spoken?.[part] as Words | undefined) ?? english
}

/** The language chosen on this device, else the first of the browser's languages that we have. */
function findLanguage(): string {
  const wanted = [chosenLanguage() ?? '', ...navigator.languages].map((locale) => locale.split('-')[0] ?? '')
  return wanted.find((language) => languages.includes(language)) ?? 'en'
}

/** Right-to-left scripts, from Unicode. */
const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
