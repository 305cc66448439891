import type { SaidAbout, Say } from '../said.ts'
import type { Subject } from './subject.ts'

/** A sentence about a mail server; undefined if it is not known which. */
const about =
  (say: (server: { host: unknown; port: unknown }) => string): Say =>
  ({ values: { host, port } }: SaidAbout) =>
    host === undefined ? undefined : say({ host, port })

/** Why a connection is incomplete or does not work. */
export const unusable = {
  en: {
    field_unfit: ({ values: { field } }) => `The field "${field}" is empty or not valid.`,
    key_unfit: () => 'The API key is empty, or contains a space or a character that no key has.',
    address_not_known: () => 'Its address is not known, so connect it again.',
    host_missing: ({ values: { user } }) =>
      `The mail server for "${user}" is not known, so enter its name, such as smtp.example.com.`,
    host_unknown: about(({ host }) => `There is no mail server named ${host}.`),
    host_private: about(
      ({ host }) => `The mail server ${host} is in a private network, which cannot be reached from here.`,
    ),
    port_blocked: about(
      ({ host, port }) => `Port ${port} is blocked for hosted functions; use port 465 of ${host} instead.`,
    ),
    not_encrypted: about(
      ({ host, port }) =>
        `${host} does not offer an encrypted connection on port ${port}; port 465 is usually right.`,
    ),
    certificate_not_trusted: about(
      ({ host }) => `The certificate of ${host} cannot be trusted, so nothing was sent to it.`,
    ),
    no_sign_in: about(
      ({ host, port }) =>
        `${host} offers no sign-in on port ${port}, so it is not the server that sends your mail.`,
    ),
    sender_missing: ({ values: { user } }) =>
      `The user name "${user}" is not an email address, so enter a sender, such as ada@example.com.`,
    sender_unfit: ({ values: { problem } }) =>
      `The sender is not an address${problem === undefined ? '' : `: ${problem}`}.`,
    sender_refused: about(({ host }) => `${host} does not accept its sender address.`),
  },
  de: {
    field_unfit: ({ values, show }) => `Das Feld ${show.value(values.field) ?? '–'} fehlt oder passt nicht.`,
    key_unfit: () =>
      'Der API-Schlüssel ist leer oder enthält ein Leerzeichen oder ein Zeichen, das in Schlüsseln nicht vorkommt.',
    address_not_known: () => 'Die Adresse des Kontos ist nicht bekannt; verbinde es neu.',
    host_missing: ({ values, show }) =>
      `Der Mailserver für ${show.value(values.user) ?? 'dieses Konto'} ist nicht bekannt. Trage seinen Namen ein, zum Beispiel smtp.example.com.`,
    host_unknown: about(({ host }) => `Einen Mailserver namens ${host} gibt es nicht.`),
    host_private: about(
      ({ host }) => `Der Mailserver ${host} steht in einem privaten Netz, das von hier nicht erreichbar ist.`,
    ),
    port_blocked: about(
      ({ host, port }) => `Port ${port} ist für gehostete Funktionen gesperrt; nimm Port 465 von ${host}.`,
    ),
    not_encrypted: about(
      ({ host, port }) =>
        `${host} bietet auf Port ${port} keine verschlüsselte Verbindung; meist ist Port 465 richtig.`,
    ),
    certificate_not_trusted: about(
      ({ host }) => `Dem Zertifikat von ${host} ist nicht zu trauen; es wurde nichts dorthin gesendet.`,
    ),
    no_sign_in: about(
      ({ host, port }) =>
        `${host} bietet auf Port ${port} keine Anmeldung, ist also nicht der Server, der deine Mails sendet.`,
    ),
    sender_missing: () =>
      'Der Benutzername ist keine E-Mail-Adresse. Trage einen Absender ein, zum Beispiel ada@example.com.',
    sender_unfit: () => 'Der Absender ist keine E-Mail-Adresse.',
    sender_refused: about(({ host }) => `${host} nimmt den Absender nicht an.`),
  },
} satisfies Subject<
  | 'field_unfit'
  | 'key_unfit'
  | 'address_not_known'
  | 'host_missing'
  | 'host_unknown'
  | 'host_private'
  | 'port_blocked'
  | 'not_encrypted'
  | 'certificate_not_trusted'
  | 'no_sign_in'
  | 'sender_missing'
  | 'sender_unfit'
  | 'sender_refused'
>
