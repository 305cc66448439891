/** What German says to somebody, as far as it depends on how it calls them. */
export interface GermanAddress {
  done: string
  message: string
  notYours: string
  allowed: string
  nothingWritten: string
  notWritten(these: string): string
  notNamed(these: string): string
}

/** To people who are called "du". */
export const informal: GermanAddress = {
  done: 'Das hast du schon getan',
  message: 'etwas, das deine Nachricht zitiert oder verlinkt',
  notYours: 'nicht von dir',
  allowed: 'Was du ohne Frage erlaubst',
  nothingWritten:
    'Du hast nichts davon selbst geschrieben, und es wurde etwas gelesen, das nicht von dir ist.',
  notWritten: (these) => `${these} hast du nicht selbst geschrieben`,
  notNamed: (these) => `Du hast ${these} nicht genannt`,
}

/** To people who are called "Sie". */
export const formal: GermanAddress = {
  done: 'Das haben Sie schon getan',
  message: 'etwas, das Ihre Nachricht zitiert oder verlinkt',
  notYours: 'nicht von Ihnen',
  allowed: 'Was Sie ohne Frage erlauben',
  nothingWritten:
    'Sie haben nichts davon selbst geschrieben, und es wurde etwas gelesen, das nicht von Ihnen ist.',
  notWritten: (these) => `${these} haben Sie nicht selbst geschrieben`,
  notNamed: (these) => `Sie haben ${these} nicht genannt`,
}
