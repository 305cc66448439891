/**
 * Everything that the pieces say, in English. A label is a text, or a function of what it is about; what stands in an
 * app beside them is the app's own. Another language is another file of this shape.
 */
export const english = {
  /** BCP 47. Dates, numbers and lists are written as its readers write them, in their own region where it is known. */
  locale: 'en',

  youAnswered: 'You answered',
  youApproved: 'You approved',
  youDenied: 'You denied this',
  youKeptDraft: 'You kept a draft',
  youSkipped: 'You skipped this',
  alreadyDecided: 'This was already decided',
}

/** All labels of one language: none can be forgotten. */
export type Labels = typeof english
