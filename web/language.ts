/// <reference types="vite/client" />
import { useSyncExternalStore } from 'react'
import { readersLocale } from '../client/locale.ts'
import type { Language } from './languages/language.ts'

/** Each language besides English is one file, named by its BCP 47 tag. */
const files = import.meta.glob<Language>('./languages/??.ts', { import: 'language' })
const key = 'askback-language'
const watchers = new Set<() => void>()

/** The tags of all languages. */
export const languages = ['en', ...Object.keys(files).map((path) => path.slice(-5, -3))].sort()

let spoken: Language | undefined
/** The language of the page: it changes when everything is loaded. */
let tag = 'en'

/** What was chosen on this device; undefined where the browser decides. */
export function chosenLanguage(): string | undefined {
  return localStorage.getItem(key) ?? undefined
}

/** Chooses a language, or leaves it to the browser. Everything is drawn anew in it; what was typed is kept. */
export async function chooseLanguage(language: string | undefined): Promise<void> {
  if (language === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, language)
  await loadLanguage()
  for (const tell of watchers) tell()
}

/** Before anything is drawn. English is there already; a language that cannot be loaded is left. */
export async function loadLanguage(): Promise<void> {
  const language = findLanguage()
  spoken = await files[`./languages/${language}.ts`]?.().catch(() => undefined)
  tag = spoken ? language : 'en'
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
}

/** The tag of the language of the page; draws anew when another one was chosen. */
export function useLanguage(): string {
  return useSyncExternalStore(watch, () => tag)
}

function watch(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

/** The language that was loaded; undefined for English. */
export function spokenLanguage(): Language | undefined {
  return spoken
}

/** How the reader of the page writes dates and numbers. */
export function pageLocale(): string {
  return readersLocale(tag)
}

/**
 * The words of one part of the app, in the language of the page: its English stands beside it and comes with it, the
 * other languages are a file each. To be asked for when something is drawn or said, not before.
 *
 * @example
 * export const accountWords = wordsOf('account', { title: 'Account' })
 * accountWords().title // => 'Konto'
 */
export function wordsOf<Words extends object>(
  part: Exclude<keyof Language, 'client'>,
  english: Words,
): () => Words {
  return () => ((spoken as Record<string, unknown> | undefined)?.[part] as Words | undefined) ?? english
}

/** What was chosen on this device, else the first of the browser's languages that there is. */
function findLanguage(): string {
  const wanted = [chosenLanguage() ?? '', ...navigator.languages].map((locale) => locale.split('-')[0] ?? '')
  return wanted.find((language) => languages.includes(language)) ?? 'en'
}

/** Scripts that are written from right to left, as Unicode has them. */
const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
