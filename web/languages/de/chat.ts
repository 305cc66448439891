import type { Language } from '../language.ts'

export const chat: Language['chat'] = {
  missing:
    'Dieser Chat gehört nicht zu deinem Konto. Ein Link aus einer anderen Chat-App öffnet sich nur in dem Konto, dessen Token sie nutzt.',
  tryAgain: 'Noch einmal versuchen',
  newest: 'Neueste Nachricht',
  waiting: 'Wartet auf dich',
  several: (count) => `${count} Freigaben: mehrere auf einmal entscheiden`,
  next: (place, count) => `${place} von ${count} · Weiter`,
  stop: 'Stopp',
  writeInstead: 'Lieber eine Nachricht schreiben',

  copy: 'Kopieren',
  copyCode: 'Code kopieren',
  copied: 'Kopiert',
  notCopied: 'Kopieren hat nicht geklappt. Markiere den Text und kopiere ihn selbst.',
  edit: 'Nachricht bearbeiten',
  again: 'Neu antworten',
  againTitle: 'Neu antworten',
  good: 'Gute Antwort',
  bad: 'Schlechte Antwort',

  code: 'Code',
  table: 'Tabelle',
  tableOf: (columns) => `Tabelle: ${columns}`,
  task: 'Aufgabe',
  picture: (name) => (name === '' ? '[Bild]' : `[Bild: ${name}]`),
}
