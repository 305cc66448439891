import type { Language } from '../language.ts'

export const menus: Language['menus'] = {
  close: 'Schließen',
  closeMenu: 'Menü schließen',
  cancel: 'Abbrechen',
  keep: 'Behalten',
  delete: 'Löschen',

  pin: 'Anheften',
  unpin: 'Lösen',
  rename: 'Umbenennen',
  export: 'Exportieren',
  archive: 'Archivieren',
  restore: 'Wiederherstellen',
  archived: 'Unterhaltung archiviert.',
  restored: 'Unterhaltung wiederhergestellt.',
  deleteQuestion: 'Diese Unterhaltung löschen?',
  deleteNote: (title) =>
    `„${title}“ wird mit allem gelöscht, was darin steht. Was gesendet wurde, bleibt gesendet.`,
  deleted: 'Unterhaltung gelöscht.',

  conversation: 'Unterhaltung',
  attached: (file) => `Angehängt: ${file}`,
  aFile: 'eine Datei',

  none: (search) => `Keine Treffer für „${search}“.`,
  found: (count) => `${count} Treffer`,
  moreThan: (count) => `Mehr als ${count} Treffer`,

  shortcuts: {
    newChat: 'Neuer Chat',
    search: 'Unterhaltungen durchsuchen',
    move: 'Zwischen Unterhaltungen wechseln (← → für das Menü)',
    turn: 'In der Unterhaltung blättern',
    send: 'Senden',
    newLine: 'Neue Zeile',
    stop: 'Antwort stoppen',
    list: 'Diese Liste zeigen',
  },
}
