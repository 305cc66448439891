import type { DigestLabels } from './en-digests.ts'

/** The same, in German. */
export const germanDigests: DigestLabels = {
  title: 'E-Mails',
  choice: 'Schreib mir, wenn etwas länger auf mich wartet als',
  never: 'Nie',
  note: (to) =>
    `An ${to}. Eine E-Mail sagt alles, was gefragt wird, mit Links zum Entscheiden, und zu nichts kommt eine zweite.`,
  noAddress: 'Dein Konto hat keine bestätigte E-Mail-Adresse, deshalb kannst du keine E-Mails bekommen.',
  saved: (after) => `Du bekommst eine E-Mail, wenn etwas länger als ${after} gewartet hat.`,
  savedNever: 'Du bekommst keine E-Mails.',
  endQuestion: 'Keine solchen E-Mails mehr?',
  endNote:
    'Du bekommst dann keine E-Mails mehr über das, was auf dich wartet. In der App kannst du sie wieder einschalten.',
  end: 'Keine E-Mails mehr',
  ended: 'Du bekommst keine E-Mails mehr über das, was auf dich wartet.',
}
