import type { Language } from '../language.ts'

export const archived: Language['archived'] = {
  title: 'Archiv',
  note: 'Archivierte Unterhaltungen findest du weiter über die Suche. Schreibst du in einer, kommt sie zurück in deine Liste.',
  none: 'Nichts archiviert.',
  list: 'Archivierte Unterhaltungen',
  restore: 'Wiederherstellen',
  restoreThis: (title) => `${title} wiederherstellen`,
  deleteThis: (title) => `${title} löschen`,
}
