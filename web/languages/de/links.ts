import type { Language } from '../language.ts'

export const links: Language['links'] = {
  newPassword: 'Neues Passwort',
  choosePassword: 'Wähle ein neues Passwort',
  passwordFor: (email) => `Für ${email}. Danach bist du damit angemeldet.`,
  savePassword: 'Passwort speichern',

  linkTitle: 'Mit einem Link anmelden',
  linkQuestion: (email) => `Als ${email} anmelden?`,
  linkNote: (email) =>
    `Der Link, den du geöffnet hast, meldet dich als ${email} an. Mach nur weiter, wenn dieses Konto dir gehört: Alles, was du dort schreibst und verbindest, gehört dazu.`,
  goOnAs: (email) => `Weiter als ${email}`,
  stayAs: (email) => `Als ${email} angemeldet bleiben`,
  somebodyElse: 'jemand anderes',
  dontSignIn: 'Nicht anmelden',
}
