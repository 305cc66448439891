import type { Language } from '../language.ts'

export const notFound: Language['notFound'] = {
  title: 'Seite nicht gefunden',
  note: 'Unter dieser Adresse gibt es nichts.',
  toChats: 'Zu deinen Chats',
}
