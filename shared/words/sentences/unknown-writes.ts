import type { SaidAbout, SaidParts } from '../said.ts'
import { again, earlier, lookedFor, repeated } from './earlier.ts'
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
  de: ({ past = 'geschehen' }: SaidAbout): string =>
    `Das ist vielleicht schon ${past}; eine Bestätigung kam nicht.`,
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

/** Whether to do it again, and why that is asked. If the tool has words of its own, they are the question. */
const askAgain = {
  en: (about: SaidAbout): SaidParts | undefined =>
    ask(about, again.en(about), { owns: earlier.en(about), ours: repeated.en(about) }),
  de: (about: SaidAbout): SaidParts | undefined =>
    ask(about, again.de(about), { owns: earlier.de(about), ours: repeated.de(about) }),
}

function ask(
  { values, confirm, why }: SaidAbout,
  asked: string | undefined,
  because: { owns: string; ours: string },
): SaidParts | undefined {
  if (asked === undefined) return undefined
  const own = values.why === undefined ? undefined : why()
  return own === undefined ? { because: because.ours, asked } : { because: because.owns, asked: own, confirm }
}

/** Writes that were carried out, or were not, or about which nobody knows. */
export const unknownWrites = {
  en: {
    outcome_unknown(about) {
      const { input, words } = about.values
      if (input !== undefined) return askAgain.en(about)
      return words === undefined
        ? { because: happened.en(about) + lookedFor.en(about), asked: 'Should it be done again?' }
        : String(words)
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
  de: {
    outcome_unknown(about) {
      const { input, words } = about.values
      if (input !== undefined) return askAgain.de(about)
      return words === undefined
        ? { because: happened.de(about) + lookedFor.de(about), asked: 'Soll es noch einmal geschehen?' }
        : String(words)
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
      return `${earlier.de(about)} ${own ?? 'Eine Bestätigung kam nicht.'}`
    },
  },
} satisfies Subject<'outcome_unknown' | 'not_done' | 'unknown_if_done'>
