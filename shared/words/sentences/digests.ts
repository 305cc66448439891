import type { Subject } from './subject.ts'

/** What a mail says about what has waited for its reader; the headings are those of the cards. */
export const digests = {
  en: {
    digest_subject: ({ values: { count } }) =>
      count === 1 ? 'Something is waiting for an answer' : `${count} things are waiting for an answer`,
    digest_reminder: ({ values: { count } }) =>
      count === 1
        ? 'Reminder: Something is waiting for an answer'
        : `Reminder: ${count} things are waiting for an answer`,
    digest_since: ({ values: { agent, person, at }, show }) => {
      const who = [agent, person === undefined ? undefined : `for ${person}`].filter(Boolean).join(' ')
      return who ? `${who}, since ${show.moment(at)}` : `Since ${show.moment(at)}`
    },
    digest_more: ({ values: { count } }) => (count === 1 ? 'And 1 more.' : `And ${count} more.`),
    digest_why: () => 'You get this email because you turned on emails about what waits for you.',
    digest_end: ({ values: { address } }) => `Unsubscribe: ${address}`,
  },
  de: {
    digest_subject: ({ values: { count } }) =>
      count === 1 ? 'Etwas wartet auf eine Antwort' : `${count} Dinge warten auf eine Antwort`,
    digest_reminder: ({ values: { count } }) =>
      count === 1
        ? 'Erinnerung: Etwas wartet auf eine Antwort'
        : `Erinnerung: ${count} Dinge warten auf eine Antwort`,
    digest_since: ({ values: { agent, person, at }, show }) => {
      const who = [agent, person === undefined ? undefined : `für ${person}`].filter(Boolean).join(' ')
      return who ? `${who}, seit ${show.moment(at)}` : `Seit ${show.moment(at)}`
    },
    digest_more: ({ values: { count } }) => (count === 1 ? 'Und 1 weiteres.' : `Und ${count} weitere.`),
    digest_why: () => 'Diese E-Mail kommt, weil E-Mails über das, was wartet, eingeschaltet sind.',
    digest_end: ({ values: { address } }) => `Abbestellen: ${address}`,
  },
} satisfies Subject<
  'digest_subject' | 'digest_reminder' | 'digest_since' | 'digest_more' | 'digest_why' | 'digest_end'
>
