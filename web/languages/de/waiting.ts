import type { Language } from '../language.ts'

export const waiting: Language['waiting'] = {
  title: 'Wartet auf dich',
  note: 'Fragen und Freigaben aus allen deinen Chats, die ältesten zuerst.',
  none: 'Nichts wartet auf dich.',
  later: 'Geht von selbst weiter',
  forGroups: 'Für deine Gruppen',
  asksFor: (agent: string, name: string) => `${agent} fragt für ${name}`,
  fromChat: 'Aus dem Chat',
  notify: 'In diesem Browser benachrichtigen',
  notifyBlocked:
    'Dein Browser blockiert Benachrichtigungen von dieser Seite. Erlaube sie in seinen Einstellungen.',
}
