import type { Language } from '../language.ts'

export const inbox: Language['inbox'] = {
  title: 'Test-Posteingang',
  note: 'E-Mails, die von hier gesendet wurden, landen hier, statt zugestellt zu werden. Keine hat deinen Rechner verlassen.',
  empty: 'Posteingang leeren',
  emptied: 'Der Posteingang ist leer.',
  notEmptied: 'Der Posteingang konnte nicht geleert werden.',
  notLoaded: 'Der Posteingang konnte nicht geladen werden. Läuft Askback noch?',
  none: 'Noch keine E-Mails. Bitte einen Agenten, eine zu senden. Ein Neustart leert den Posteingang.',
  noSubject: '(kein Betreff)',
  mail: 'E-Mail',
  from: 'Von',
  to: 'An',
  cc: 'Cc',
  bcc: 'Bcc',
  replyTo: 'Antwort an',
  messageId: 'Nachrichten-ID',
  attachments: 'Anhänge',
  unnamed: 'ohne Namen',
  asItLooks: 'Die E-Mail, wie sie aussieht',
  text: 'Text',
  headers: 'Alle Header',
}
