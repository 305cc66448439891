import type { Labels } from './en.ts'

/** Everything that the pieces say, in German. */
export const german: Labels = {
  locale: 'de',

  youAnswered: 'Von dir beantwortet',
  youApproved: 'Von dir genehmigt',
  youDenied: 'Von dir abgelehnt',
  youKeptDraft: 'Von dir als Entwurf behalten',
  youSkipped: 'Von dir übersprungen',
  alreadyDecided: 'Darüber war schon entschieden',
}
