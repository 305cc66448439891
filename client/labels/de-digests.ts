import type { DigestLabels } from './en-digests.ts'

/** The same, in German. */
export const germanDigests: DigestLabels = {
  title: 'E-Mail-Benachrichtigungen',
  choice: 'E-Mail senden, wenn etwas länger wartet als',
  never: 'Nie',
  note: (to) =>
    `An ${to}. Eine E-Mail zählt alles auf, was auf dich wartet, mit Links dorthin. Nichts steht in einer zweiten.`,
  noAddress: 'Dein Konto hat keine bestätigte E-Mail-Adresse, deshalb kannst du keine E-Mails bekommen.',
  saved: (after) => `Du bekommst eine E-Mail, wenn etwas länger als ${after} gewartet hat.`,
  savedNever: 'Du bekommst keine E-Mails über das, was auf dich wartet.',
  endQuestion: 'Diese E-Mails abbestellen?',
  endNote:
    'Du bekommst dann keine E-Mails mehr über das, was auf dich wartet. In deinem Konto kannst du sie wieder einschalten.',
  end: 'Abbestellen',
  ended: 'Abbestellt. Du bekommst keine E-Mails mehr über das, was auf dich wartet.',
}
