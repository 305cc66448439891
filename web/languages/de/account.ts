import type { Language } from '../language.ts'

export const account: Language['account'] = {
  title: 'Konto',
  signedInAs: (email) => `Angemeldet als ${email}.`,
  signedInWithoutAddress: 'Angemeldet ohne E-Mail-Adresse.',
  password: 'Passwort',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  enterCurrent: 'Gib dein aktuelles Passwort ein.',
  currentIsWrong: 'Das aktuelle Passwort stimmt nicht.',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Passwort geändert.',
  language: 'Sprache',
  asInBrowser: 'Wie im Browser',
  devices: 'Geräte',
  devicesNote:
    'Meldet dich hier und überall sonst ab. Bei anderen Geräten kann es bis zu einer Stunde dauern. Alle deine Tokens für OpenAI-Clients werden endgültig widerrufen.',
  signOutEverywhere: 'Überall abmelden',
  signedOutEverywhere: 'Du bist auf allen deinen Geräten abgemeldet, und deine Tokens sind widerrufen.',
  deleteAccount: 'Konto löschen',
  deleteNote:
    'Löscht deine Chats, Agenten, Dokumente, Dateien, Verbindungen und Tokens endgültig und stoppt alles, was gerade läuft. Gesendete E-Mails bleiben gesendet.',
  typeToConfirm: (email) => `Gib zur Bestätigung ${email} ein`,
  confirmMissing: 'Gib zur Bestätigung die Adresse deines Kontos ein.',
  confirmWord: 'LÖSCHEN',
  confirmWordMissing: 'Gib zur Bestätigung LÖSCHEN ein.',
  deleteMine: 'Mein Konto löschen',
  deleting: 'Wird gelöscht …',
  deleted: 'Dein Konto und alles darin ist gelöscht.',
  notNotified: (providers) => `${providers} war nicht erreichbar: Entferne die App dort aus deinem Konto.`,
  demoComesBack: 'Das Demokonto ist wieder da, sobald Askback neu startet.',
}
