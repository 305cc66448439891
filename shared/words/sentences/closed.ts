import type { Subject } from './subject.ts'

/** What a closed card says. */
export const closed = {
  en: {
    asked_again: () => 'Asked again below.',
    yielded: () =>
      'The same is now asked for other people below. If you want this as well, approve it to be asked again.',
    expired: () => 'This was open for too long and has expired. Approve it to be asked again.',
    not_carried_out: () => 'This was stopped before it was done.',
    new_message: () => 'This was not done, because you wrote a new message.',
    no_longer_connected: () => 'This was not done, because its server is no longer connected.',
    skipped: () => 'This was not done, because you skipped it.',
    denied: () => 'You denied this.',
    decided: () => 'This was already decided.',
    waits_for_other: () => 'This is waiting for the decision about another call.',
  },
  de: {
    asked_again: () => 'Unten wird noch einmal gefragt.',
    yielded: () =>
      'Unten geht es um dasselbe für andere. Willst du das hier auch, gib es frei: Dann wirst du noch einmal gefragt.',
    expired: () =>
      'Das war zu lange offen und ist abgelaufen. Gib es frei, dann wirst du noch einmal gefragt.',
    not_carried_out: () => 'Das wurde gestoppt, bevor es ausgeführt war.',
    new_message: () => 'Das wurde nicht ausgeführt, weil du eine neue Nachricht geschrieben hast.',
    no_longer_connected: () => 'Das wurde nicht ausgeführt, weil der Server dafür nicht mehr verbunden ist.',
    skipped: () => 'Das wurde nicht ausgeführt, weil du es übersprungen hast.',
    denied: () => 'Das hast du abgelehnt.',
    decided: () => 'Darüber ist schon entschieden.',
    waits_for_other: () => 'Das wartet auf die Entscheidung über etwas anderes.',
  },
} satisfies Subject<
  | 'asked_again'
  | 'yielded'
  | 'expired'
  | 'not_carried_out'
  | 'new_message'
  | 'no_longer_connected'
  | 'skipped'
  | 'denied'
  | 'decided'
  | 'waits_for_other'
>
