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
    skipped: () => 'This was not done, because you skipped it.',
    denied: () => 'You denied this.',
    decided: () => 'This was already decided.',
    waits_for_other: () => 'This is waiting for the decision about another call.',
  },
  de: {
    asked_again: () => 'Wird unten noch einmal gefragt.',
    yielded: () =>
      'Unten wird dasselbe für andere gefragt. Gib es frei, wenn du das hier auch willst: Dann wirst du neu gefragt.',
    expired: () => 'Das war zu lange offen und ist abgelaufen. Gib es frei, um neu gefragt zu werden.',
    not_carried_out: () => 'Das wurde gestoppt, bevor es geschah.',
    new_message: () => 'Das geschah nicht, weil du eine neue Nachricht geschrieben hast.',
    skipped: () => 'Das geschah nicht, weil du es übersprungen hast.',
    denied: () => 'Das hast du abgelehnt.',
    decided: () => 'Darüber war schon entschieden.',
    waits_for_other: () => 'Das wartet auf die Entscheidung über etwas anderes.',
  },
} satisfies Subject<
  | 'asked_again'
  | 'yielded'
  | 'expired'
  | 'not_carried_out'
  | 'new_message'
  | 'skipped'
  | 'denied'
  | 'decided'
  | 'waits_for_other'
>
