import type { Language } from '../language.ts'

export const door: Language['door'] = {
  claim: 'Agenten, die ihre Fehler selbst beheben, nur fragen, wenn es sein muss, und nie doppelt senden.',
  signIn: 'Anmelden',
  createAnAccount: 'Konto erstellen',
  createAccount: 'Konto erstellen',
  forgotten: 'Passwort vergessen',
  sendLink: 'Link zusenden',
  haveAccount: 'Ich habe schon ein Konto',
  email: 'E-Mail',
  password: 'Passwort',
  shortest: (characters) => `Mindestens ${characters} Zeichen.`,
  enterPassword: 'Gib dein Passwort ein.',
  tryDemo: 'Demo ausprobieren',
  demoNote:
    'Alles läuft auf deinem Rechner, und E-Mails der Demo landen in [einem Test-Posteingang]. Oder nutze dein eigenes Konto:',
  demoGone: 'Das Demokonto wurde gelöscht. Starte Askback neu, dann gibt es ein neues.',
  checkEmail: 'Wir haben dir einen Link gemailt. Öffne ihn, um weiterzumachen.',
  linkSent: 'Wenn es ein Konto mit dieser Adresse gibt, ist jetzt ein Link dorthin unterwegs.',
  sendAgain: 'E-Mail noch einmal senden',
  sentAgain: 'Wir haben sie noch einmal gesendet.',
}
