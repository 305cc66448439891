import type { SaidAbout } from '../said.ts'
import type { Show } from '../show.ts'
import { informal } from './german-address.ts'

/** What was done before, or perhaps: a sentence each. */
export const earlier = {
  en: (about: SaidAbout): string =>
    about.values.isDone === true
      ? `You already did this${when.en(about)}: ${doneIn(about)}.`
      : `This may have been done${when.en(about)}: ${about.statement ?? doneIn(about)}.${secondTry.en(about)}`,
  de: (about: SaidAbout, address = informal): string =>
    about.values.isDone === true
      ? `${address.done}${when.de(about)}: ${doneIn(about)}.`
      : `Das ist vielleicht schon geschehen${when.de(about)}: ${doneIn(about)}.${secondTry.de(about)}`,
}

/** What was done before, if this may be something else. */
export const before = {
  en: (about: SaidAbout): string => `This was done${when.en(about)}: ${doneIn(about)}.`,
  de: (about: SaidAbout): string => `Das ist geschehen${when.de(about)}: ${doneIn(about)}.`,
}

/** When it was called, to be put after the verb; empty if that is not known. */
export const when = {
  en: ({ values: { at }, show }: SaidAbout): string => after(' ', onMoment(show, at)),
  de: ({ values: { at }, show }: SaidAbout): string => after(' (', show.moment(at), ')'),
}

/** `on 29 Nov at 00:00 UTC`. */
export function onMoment(show: Show, at: unknown): string | undefined {
  const moment = show.moment(at)
  return moment && `on ${moment.replace(', ', ' at ')}`
}

/** Of something that was tried a second time, and again without a confirmation. */
export const secondTry = {
  en: ({ values: { isSecond } }: SaidAbout): string =>
    isSecond === true ? ' That was the second try, so doing it again may do it twice.' : '',
  de: ({ values: { isSecond } }: SaidAbout): string =>
    isSecond === true
      ? ' Das war der zweite Versuch; ein weiterer kann dazu führen, dass es doppelt geschieht.'
      : '',
}

/** What it was, as it is told once it is done; else as it was asked, without the question mark. */
function doneIn({ done, statement, tool, show }: SaidAbout): string {
  return done ?? statement ?? show.value(tool) ?? '–'
}

function after(start: string, text: string | undefined, end = ''): string {
  return text === undefined ? '' : `${start}${text}${end}`
}
