let spoken: string | undefined

/** Notes the language that the page is shown in: what people read from the server comes in it. */
export function speak(locale: string): void {
  spoken = locale
}

/** The language of the page, as BCP 47 names it; undefined on a server, where it would be everybody's. */
export function spokenLanguage(): string | undefined {
  return typeof document === 'undefined' ? undefined : spoken
}
