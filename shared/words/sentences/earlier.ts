import { lowerFirst } from '../first-letter.ts'
import type { SaidAbout } from '../said.ts'
import type { Show } from '../show.ts'

/** What was done before, or perhaps: a sentence each. */
export const earlier = {
  en(about: SaidAbout): string {
    const { done, values } = about
    if (values.isDone !== true)
      return `This may have been done${when.en(about)}: ${askedIn(about)}.${lookedFor.en(about)}${secondTry.en(about)}`
    return done === undefined
      ? `Already done${when.en(about)}: ${askedIn(about)}.`
      : `Already ${lowerFirst(done)}${when.en(about)}.`
  },
  de: (about: SaidAbout): string =>
    about.values.isDone === true
      ? `Schon${when.de(about)} erledigt: ${wordsIn(about)}.`
      : `Vielleicht schon${when.de(about)} geschehen: ${wordsIn(about)}.${lookedFor.de(about)}${secondTry.de(about)}`,
}

/** The same beside the question whether to do it again, which says what it is, unless that was something else. */
export const repeated = {
  en(about: SaidAbout): string {
    if (!isSame(about)) return earlier.en(about)
    const past = about.past ?? 'done'
    return about.values.isDone === true
      ? `Already ${past}${when.en(about)}.`
      : `This may have been ${past}${when.en(about)}, but no confirmation arrived.${lookedFor.en(about)}${secondTry.en(about)}`
  },
  de(about: SaidAbout): string {
    if (!isSame(about)) return earlier.de(about)
    const past = about.past ?? 'erledigt'
    return about.values.isDone === true
      ? `Schon${when.de(about)} ${past}.`
      : `Vielleicht schon${when.de(about)} ${past}; eine Bestätigung kam nicht.${lookedFor.de(about)}${secondTry.de(about)}`
  },
}

/** Why somebody is asked at all; undefined where that was to be expected. */
export const permitted = {
  en: ({ values }: SaidAbout): string | undefined =>
    values.isPermitted === true
      ? 'This is allowed without asking; you are asked because it may be a repetition.'
      : undefined,
  de: ({ values }: SaidAbout): string | undefined =>
    values.isPermitted === true
      ? 'Das ist ohne Nachfrage erlaubt; gefragt wird nur, weil es doppelt sein könnte.'
      : undefined,
}

/** The question whether to do it again; undefined without words for it. */
export const again = {
  en: ({ toDo }: SaidAbout): string | undefined => toDo && `${toDo} again?`,
  de: ({ confirm }: SaidAbout): string | undefined => confirm && `Noch einmal: ${confirm}`,
}

/** Whether what was done reads like what is asked now. */
function isSame({ statement, toDo }: SaidAbout): boolean {
  return statement !== undefined && statement === toDo
}

/** What was done before, if this may be something else. */
export const before = {
  en: (about: SaidAbout): string =>
    about.done === undefined
      ? `Done${when.en(about)}: ${askedIn(about)}.`
      : `${about.done}${when.en(about)}.`,
  de: (about: SaidAbout): string => `Schon${when.de(about)} erledigt: ${wordsIn(about)}.`,
}

/** When it was called, to be put after the verb in English, before it in German; empty if that is not known. */
const when = {
  en: ({ values: { at }, show }: SaidAbout): string => after(onMoment.en(show, at)),
  de: ({ values: { at }, show }: SaidAbout): string => after(onMoment.de(show, at)),
}

/** `on 29 Nov at 00:00 UTC`, `am 29. Nov. um 01:00`. */
export const onMoment = {
  en: (show: Show, at: unknown): string | undefined => join(show.moment(at), 'on', 'at'),
  de: (show: Show, at: unknown): string | undefined => join(show.moment(at), 'am', 'um'),
}

function join(moment: string | undefined, on: string, at: string): string | undefined {
  return moment && `${on} ${moment.replace(', ', ` ${at} `)}`
}

/** Of something that cannot be found where it should be. */
export const lookedFor = {
  en: ({ values: { isMissing } }: SaidAbout): string =>
    isMissing === true ? ' It was looked for and not found, but it may still appear.' : '',
  de: ({ values: { isMissing } }: SaidAbout): string =>
    isMissing === true ? ' Danach wurde gesucht und nichts gefunden; es kann aber noch auftauchen.' : '',
}

/** Of something that was tried a second time, and again without a confirmation. */
const secondTry = {
  en: ({ values: { isSecond } }: SaidAbout): string =>
    isSecond === true ? ' That was the second try, so doing it again may do it twice.' : '',
  de: ({ values: { isSecond } }: SaidAbout): string =>
    isSecond === true
      ? ' Das war der zweite Versuch; ein weiterer kann dazu führen, dass es doppelt geschieht.'
      : '',
}

/** What it was, as it is told once it is done; else as it was asked. */
function wordsIn(about: SaidAbout): string {
  return about.done ?? askedIn(about)
}

/** What it was, as it was asked, without the question mark. */
function askedIn({ statement, tool, show }: SaidAbout): string {
  return statement ?? show.value(tool) ?? '–'
}

function after(text: string | undefined): string {
  return text === undefined ? '' : ` ${text}`
}
