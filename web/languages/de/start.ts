import type { Language } from '../language.ts'

export const start: Language['start'] = {
  title: 'Was kann ich für dich tun?',
  note: 'Ich frage, wenn etwas fehlt, und zeige dir, was ich korrigiert habe.',
  demoNote:
    'Es antwortet das Demomodell: ein paar Regeln, kein Sprachmodell, und nur auf Englisch. [Füge einen Schlüssel hinzu], und ein echtes antwortet.',
  suggestions: {
    mailTo: 'Schreib ada@example.com eine E-Mail zum Meeting',
    mail: 'Schreib eine E-Mail zum Meeting',
    document: 'Erstelle ein Dokument über das Sommerfest',
    find: 'Finde meine Dokumente zum Sommerfest',
    search: 'Such im Web nach Edge Functions',
    unread: 'Zeig mir meine ungelesenen E-Mails',
  },
  about: {
    mailTo: 'Korrigiert unterwegs eigene Fehler',
    mail: 'Fragt dich, an wen sie geht',
    document: 'Schreibt und speichert es',
    find: 'Durchsucht deine Dokumente',
    search: 'Braucht erst einen Suchdienst',
    unread: 'Braucht erst Gmail',
  },
  simulated: {
    search: 'Verbinde erst einen Suchdienst; hier ist er simuliert',
    google: 'Verbinde erst Gmail; hier ist es simuliert',
  },
}
