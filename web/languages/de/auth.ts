import type { Language } from '../language.ts'

const taken = 'Mit dieser Adresse gibt es schon ein Konto. Melde dich an oder setz dein Passwort zurück.'

export const auth: Language['auth'] = {
  byCode: {
    invalid_credentials: 'E-Mail oder Passwort stimmt nicht.',
    user_already_exists: taken,
    email_exists: taken,
    email_not_confirmed: 'Bestätige erst diese Adresse: Öffne den Link, den wir dir gemailt haben.',
    email_address_invalid: 'An diese Adresse kann nichts gesendet werden. Prüfe ihre Schreibweise.',
    email_address_not_authorized:
      'Dieser Server mailt nur an sein eigenes Team. Bitte deinen Administrator, einen Mailserver einzurichten.',
    same_password: 'Das ist schon dein Passwort. Wähle ein anderes.',
    signup_disabled: 'Neue Konten sind hier nicht möglich. Frag deinen Administrator.',
    email_provider_disabled: 'Neue Konten mit E-Mail sind hier nicht möglich. Frag deinen Administrator.',
    user_banned: 'Dieses Konto ist gesperrt. Frag deinen Administrator.',
    otp_expired: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordere einen neuen an.',
    session_expired: 'Du wurdest abgemeldet. Melde dich wieder an.',
    reauthentication_needed: 'Melde dich erst ab und wieder an, dann ändere dein Passwort.',
  },
  tooMany: 'Zu viele Versuche. Warte eine Minute und versuch es noch einmal.',
  unreachable: 'Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuch es noch einmal.',
  broken: 'Die Anmeldung funktioniert gerade nicht. Versuch es in einer Minute noch einmal.',
  leaked: 'Dieses Passwort ist aus einem Datenleck bekannt. Wähle ein anderes.',
  tooPlain: 'Nimm Groß- und Kleinbuchstaben, Ziffern und Sonderzeichen.',
  tooShort: 'Wähle ein längeres Passwort.',
  enterEmail: 'Gib deine E-Mail-Adresse ein.',
  notAnAddress: (typed) => `„${typed}“ ist keine vollständige E-Mail-Adresse. Beispiel: name@example.com.`,
  atLeast: (characters) => `Wähle ein Passwort mit mindestens ${characters} Zeichen.`,
  linkFailed: 'Dieser Link hat nicht funktioniert. Fordere einen neuen an.',
}
