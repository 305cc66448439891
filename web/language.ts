import type { Language } from './languages/language.ts'

/** Each language besides English is one file, named by its BCP 47 tag. */
const files = import.meta.glob<Language>('./languages/??.ts', { import: 'language' })
const key = 'askback-language'

/** The tags of all languages. */
export const languages = ['en', ...Object.keys(files).map((path) => path.slice(-5, -3))].sort()

let spoken: Language | undefined

/** The language that the page is in: what was chosen on this device, else the first of the browser's that there is. */
export function readLanguage(): string {
  const kept = localStorage.getItem(key)
  const wanted = [kept ?? '', ...navigator.languages].map((locale) => locale.split('-')[0] ?? '')
  return wanted.find((language) => languages.includes(language)) ?? 'en'
}

/** What was chosen on this device; undefined where the browser decides. */
export function chosenLanguage(): string | undefined {
  return localStorage.getItem(key) ?? undefined
}

/** Chooses a language, or leaves it to the browser. The page is loaded anew: what was typed is kept. */
export function chooseLanguage(language: string | undefined): void {
  if (language === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, language)
  location.reload()
}

/** Before anything is drawn. English is there already; a language that cannot be loaded is left. */
export async function loadLanguage(): Promise<void> {
  const language = readLanguage()
  spoken = await files[`./languages/${language}.ts`]?.().catch(() => undefined)
  document.documentElement.lang = spoken ? language : 'en'
  document.documentElement.dir = directionOf(document.documentElement.lang)
}

/** The language that was loaded; undefined for English. */
export function spokenLanguage(): Language | undefined {
  return spoken
}

/**
 * The words of one part of the app, in the language of the page: its English stands beside it and comes with it, the
 * other languages are a file each.
 *
 * @example
 * export const accountWords = wordsOf('account', { title: 'Account' })
 * accountWords().title // => 'Konto'
 */
export function wordsOf<Words extends object>(part: string, english: Words): () => Words {
  return () => ((spoken as Record<string, unknown> | undefined)?.[part] as Words | undefined) ?? english
}

/** Scripts that are written from right to left, as Unicode has them. */
const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
