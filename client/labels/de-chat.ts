import type { ChatLabels } from './en-chat.ts'
import type { ModelLabels } from './en-models.ts'

/** The German labels of `<AskbackChat>`, besides those of the pieces in it. */
export const germanChat: ChatLabels = {
  chat: 'Chat',
  conversations: 'Unterhaltungen',
  newChat: 'Neuer Chat',
  searchConversations: 'Unterhaltungen durchsuchen',
  search: 'Suchen',
  clearSearch: 'Suche leeren',
  none: (search) => `Keine Treffer für „${search}“.`,
  found: (count) => `${count} Treffer`,
  moreThan: (count) => `Mehr als ${count} Treffer`,
  waitingCount: (count) => (count === 1 ? '1 Anfrage wartet auf dich' : `${count} Anfragen warten auf dich`),
  backToChat: 'Zurück zum Chat',
  greeting: 'Was kann ich für dich tun?',
  loading: 'Wird geladen …',
  dismiss: 'Schließen',

  missing:
    'Dieser Chat gehört nicht zu deinem Konto. Ein Link aus einer anderen Chat-App öffnet sich nur in dem Konto, dessen Token sie nutzt.',
  tryAgain: 'Noch einmal versuchen',
  newest: 'Neueste Nachricht',
  waiting: 'Wartet auf dich',
  several: (count) => (count === 2 ? 'Beide auf einmal entscheiden' : `Alle ${count} auf einmal entscheiden`),
  next: (place, count) => `Nächste (${place} von ${count})`,
  stop: 'Stopp',
  toAlways: 'Immer erlauben …',
  writeInstead: 'Im Chat antworten',

  copy: 'Kopieren',
  copyCode: 'Code kopieren',
  copied: 'Kopiert',
  notCopied: 'Kopieren hat nicht geklappt. Markiere den Text und kopiere ihn selbst.',
  edit: 'Nachricht bearbeiten',
  again: 'Neu antworten',
  againTitle: 'Neu antworten',
  good: 'Gute Antwort',
  bad: 'Schlechte Antwort',

  versions: 'Antworten auf diese Nachricht',
  version: (place, count) => `${place} von ${count}`,
  previousVersion: 'Vorige Antwort',
  nextVersion: 'Nächste Antwort',
  isFormer: 'Der Chat geht mit der letzten Antwort weiter.',

  options: 'Optionen',
  pin: 'Anheften',
  unpin: 'Lösen',
  rename: 'Umbenennen',
  title: 'Titel',
  delete: 'Löschen',
  deleteQuestion:
    'Diese Unterhaltung mit allem, was darin gesagt wurde, löschen? Was gesendet wurde, bleibt gesendet.',
  keep: 'Behalten',

  code: 'Code',
  table: 'Tabelle',
  tableOf: (columns) => `Tabelle: ${columns}`,
  task: 'Aufgabe',
  picture: (name) => (name === '' ? '[Bild]' : `[Bild: ${name}]`),
}

export const germanModels: ModelLabels = {
  model: 'Modell',
  demo: 'Demomodell',
  demoNote: 'Ein paar Regeln, kein Sprachmodell',
  ownKey: 'dein Schlüssel',
}
