/** What German says to somebody, as far as it depends on how it calls them. */
export interface GermanAddress {
  /** Of two ways to say the same, the one for "du" or the one for "Sie". */
  say(du: string, sie: string): string
  message: string
  notYours: string
  allowed: string
  nothingWritten: string
  notWritten(these: string): string
  notNamed(these: string): string
}

/** To people who are called "du". */
export const informal: GermanAddress = {
  say: (du) => du,
  message: 'etwas, das deine Nachricht zitiert oder verlinkt',
  notYours: 'nicht von dir',
  allowed: 'Was du ohne Nachfrage erlaubt hast',
  nothingWritten:
    'Du hast nichts davon selbst geschrieben, und es wurde etwas gelesen, das nicht von dir ist.',
  notWritten: (these) => `${these} hast du nicht selbst geschrieben`,
  notNamed: (these) => `Du hast ${these} nicht genannt`,
}

/** To people who are called "Sie". */
export const formal: GermanAddress = {
  say: (_, sie) => sie,
  message: 'etwas, das Ihre Nachricht zitiert oder verlinkt',
  notYours: 'nicht von Ihnen',
  allowed: 'Was Sie ohne Nachfrage erlaubt haben',
  nothingWritten:
    'Sie haben nichts davon selbst geschrieben, und es wurde etwas gelesen, das nicht von Ihnen ist.',
  notWritten: (these) => `${these} haben Sie nicht selbst geschrieben`,
  notNamed: (these) => `Sie haben ${these} nicht genannt`,
}
