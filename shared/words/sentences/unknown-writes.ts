import type { SaidAbout, Say } from '../said.ts'
import { earlier, secondTry, when } from './earlier.ts'
import { type GermanAddress, informal } from './german-address.ts'
import type { Subject } from './subject.ts'

/** What is known of a write that may have happened. */
const happened = {
  en: ({ values: { how, subject, people }, tool }: SaidAbout): string => {
    switch (how) {
      case 'mail': {
        const which = Array.isArray(people) ? ` "${subject}" to ${firstTwo(people.map(String))}` : ''
        return `The email${which} may have been sent, but the mail server did not confirm it.`
      }
      case 'begun':
        return `It may have been carried out: "${tool}" was begun, but no confirmation arrived.`
      case 'asked':
        return `"${tool}" had begun when it asked, so it may have been carried out.`
      case 'fault':
        return `"${tool}" ended with an unexpected error, so it may have been carried out.`
      case 'delivered':
        return 'It may have been carried out: an earlier delivery of the same call has not reported back.'
      default:
        return 'It may have been carried out, but no confirmation arrived.'
    }
  },
  de: (about: SaidAbout): string =>
    `Das ist vielleicht schon geschehen${when.de(about)}; eine Bestätigung kam nicht.${secondTry.de(about)}`,
}

/** `ada@example.com, bob@example.com and 3 more`. */
function firstTwo([first = '', second, ...more]: string[]): string {
  if (second === undefined) return first
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${more.length} more`
}

/** What a call would have done, or its tool if it is not known what; undefined without words for it. */
function whatIn({ values, statement, tool }: SaidAbout): string | undefined {
  return values.input === undefined ? tool : statement
}

/** The same as below in German, to people who are called so. */
export function unknownWritesInGerman(
  address: GermanAddress,
): Readonly<Record<'outcome_unknown' | 'not_done' | 'unknown_if_done', Say>> {
  return {
    outcome_unknown(about) {
      const { input, words, why } = about.values
      if (input === undefined)
        return words === undefined
          ? { because: happened.de(about), asked: 'Soll es noch einmal geschehen?' }
          : String(words)
      if (about.confirm === undefined) return undefined
      const own = why === undefined ? undefined : about.why()
      if (own !== undefined)
        return { because: earlier.de(about, address), asked: own, confirm: about.confirm }
      return { because: happened.de(about), asked: `Noch einmal: ${about.confirm}`, confirm: about.confirm }
    },
    not_done(about) {
      const what = whatIn(about)
      if (what === undefined) return undefined
      return ['Nicht erledigt:', what && `${what}.`, about.why()].filter(Boolean).join(' ')
    },
    unknown_if_done(about) {
      const { why } = about.values
      if (about.statement === undefined) return undefined
      const own = why === undefined || why === 'outcome_unknown' ? undefined : about.why()
      return `${earlier.de(about, address)} ${own ?? 'Eine Bestätigung kam nicht.'}`
    },
  }
}

/** Writes that were carried out, or were not, or about which nobody knows. */
export const unknownWrites = {
  en: {
    outcome_unknown(about) {
      const { input, words, why } = about.values
      if (input === undefined)
        return words === undefined
          ? { because: happened.en(about), asked: 'Should it be done again?' }
          : String(words)
      if (about.confirm === undefined) return undefined
      const own = why === undefined ? undefined : about.why()
      if (own !== undefined) return { because: earlier.en(about), asked: own, confirm: about.confirm }
      const because = `This may have been done${when.en(about)}, but no confirmation arrived.${secondTry.en(about)}`
      return { because, asked: `Do it again: ${about.confirm}`, confirm: about.confirm }
    },
    not_done(about) {
      const what = whatIn(about)
      if (what === undefined) return undefined
      return ['Not done:', what && `${what}.`, about.why()].filter(Boolean).join(' ')
    },
    unknown_if_done(about) {
      if (about.statement === undefined) return undefined
      return about.values.why === undefined
        ? `This may have been done, but no confirmation arrived: ${about.statement}.`
        : `${earlier.en(about)} ${about.why() ?? ''}`.trim()
    },
  },
  de: unknownWritesInGerman(informal),
} satisfies Subject<'outcome_unknown' | 'not_done' | 'unknown_if_done'>
