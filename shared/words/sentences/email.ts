import { inWords } from '../in-words.ts'
import type { SaidAbout } from '../said.ts'
import type { Show } from '../show.ts'
import { saidInEnglish } from './connections.ts'
import type { Subject } from './subject.ts'

const textsIn = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : [])

const onPort = (port: unknown) => (port === undefined ? '' : ` on port ${port}`)

/** What a mail server failed at, by `what`, as the beginning of a sentence. */
const failures: Readonly<Record<string, (host: unknown, port: unknown) => string>> = {
  look_up: (host) => `The name of the mail server ${host} could not be looked up`,
  late: (host, port) => `The mail server ${host} did not answer in time${onPort(port)}`,
  unreachable: (host, port) => `The mail server ${host} cannot be reached${onPort(port)}`,
  sign_in: (host) => `The mail server ${host} could not check the sign-in`,
  busy: (host) => `The mail server ${host} did not accept the email now`,
}

function listInGerman(values: unknown, show: Show, type?: Intl.ListFormatType): string {
  if (!Array.isArray(values)) return '–'
  return show.list(
    values.map((one) => show.value(one) ?? '–'),
    type,
  )
}

/** The provider's own words stay as they are. */
function reasonInGerman({ values: { reason }, show }: SaidAbout): string {
  const given = show.value(reason)
  return given ? ` Begründung: ${given}.` : ''
}

const addressInGerman = ({ values, show }: SaidAbout) => show.value(values.address) ?? 'diese Adresse'

/** What our mail tools ask and tell. */
export const email = {
  en: {
    account_unclear: ({ values: { accounts } }) =>
      `Which of your accounts should this email come from: ${inWords(textsIn(accounts), 'or')}?`,
    account_not_connected: ({ values: { from, accounts } }) =>
      `The email cannot be sent from ${from}, because that is not one of your connected accounts (${textsIn(accounts).join(', ')}). Which of them should it come from?`,
    address_unknown: ({ values: { address, reason } }) =>
      `The mail server does not know the address ${address}${saidInEnglish(reason)}. Nothing was sent. What is the right email address?`,
    address_unsupported: ({ values: { host } }) =>
      `The mail server ${host} cannot deliver to addresses with letters outside ASCII before the @. Is there another address that I should use?`,
    mailbox_full: ({ values: { address, reason } }) =>
      `The mailbox of ${address} is full${saidInEnglish(reason)}. Nothing was sent. Is there another address that I should use?`,
    file_not_found: () =>
      'There is no such file. Which of your files should I attach? Please name it as it is shown in the conversation.',
    files_too_large: ({ values: { mebibytes } }) =>
      `The attached files are larger than ${mebibytes} MiB together. Please attach fewer or smaller files.`,
    email_too_large: ({ values: { host } }) =>
      `This email is larger than the mail server ${host} accepts. Nothing was sent. Which files should go with it?`,
    attachment_too_large: ({ values: { file, mebibytes } }) =>
      `The file "${file}" of that email is larger than ${mebibytes} MiB, too large to be sent on. Which smaller files should go with the email?`,
    emails_not_found: () =>
      'Which emails did you mean? They are not in your mailbox any more, so nothing was changed.',
    emails_too_large: () =>
      'An email is too large to be read here. Please ask for fewer emails, or without their text.',
    email_refused: ({ values: { host, reason } }) =>
      `The mail server ${host} refused this email${saidInEnglish(reason)}. Nothing was sent. What should be changed?`,
    mail_server_unavailable: ({ values: { host, port, reason, what, isSending } }) =>
      `${(failures[String(what)] ?? failures.busy)?.(host, port)}${saidInEnglish(reason)}.${isSending === true ? ' Nothing was sent.' : ''}`,
    sending_limit_reached: ({ values: { reason } }) =>
      `Your mail account has reached its sending limit${saidInEnglish(reason)}. Nothing was sent. Should I try again later, or should it go out another way?`,
    gmail_quota_reached: ({ values: { isForSending } }) =>
      `The Gmail quota ${isForSending === true ? 'for sending' : 'of this application'} is used up for today, so this was not done. Should I try again tomorrow, or should it go out another way?`,
    gmail_not_allowed: () =>
      'The administrators of your organization do not allow this application to use Gmail, so this was not done. Could they be asked, or should it go out another way?',
    account_without_gmail: () => 'This Google account has no Gmail. Which account should I use?',
    label_exists: ({ values: { label } }) =>
      `There is already a label "${label}". Please use it, or another name.`,
    label_not_found: ({ values: { label, labels } }) =>
      `There is no label "${label}". Please use one of: ${textsIn(labels).join(', ')}.`,
  },
  de: {
    account_unclear: ({ values, show }) =>
      `Von welchem deiner Konten soll diese E-Mail kommen: ${listInGerman(values.accounts, show, 'disjunction')}?`,
    account_not_connected: ({ values, show }) =>
      `${show.value(values.from) ?? 'Das'} ist keines deiner verbundenen Konten (${listInGerman(values.accounts, show, 'disjunction')}). Von welchem soll die E-Mail kommen?`,
    address_unknown: (about) =>
      `Der Mailserver kennt ${addressInGerman(about)} nicht.${reasonInGerman(about)} Es wurde nichts gesendet. Wie lautet die richtige Adresse?`,
    address_unsupported: () =>
      'Der Mailserver kann an Adressen mit solchen Buchstaben vor dem @ nichts zustellen. Gibt es eine andere Adresse?',
    mailbox_full: (about) =>
      `Das Postfach von ${addressInGerman(about)} ist voll.${reasonInGerman(about)} Es wurde nichts gesendet. Gibt es eine andere Adresse?`,
    file_not_found: () =>
      'Diese Datei gibt es nicht. Welche deiner Dateien soll ich anhängen? Nenne sie so, wie sie in der Unterhaltung heißt.',
    files_too_large: ({ values, show }) =>
      `Die Anhänge sind zusammen größer als ${show.value(values.mebibytes) ?? '10'} MiB. Welche sollen mit? Es müssen weniger oder kleinere sein.`,
    email_too_large: () =>
      'Diese E-Mail ist größer, als der Mailserver erlaubt. Es wurde nichts gesendet. Welche Dateien sollen mit?',
    attachment_too_large: ({ values, show }) =>
      `Die Datei ${show.value(values.file) ?? 'jener E-Mail'} ist zu groß zum Weiterleiten. Welche kleineren Dateien sollen mit?`,
    emails_not_found: () =>
      'Welche E-Mails meinst du? Sie sind nicht mehr in deinem Postfach; es wurde nichts geändert.',
    emails_too_large: () =>
      'Eine dieser E-Mails ist zu groß, um sie hier zu lesen. Frag nach weniger E-Mails, oder ohne ihren Text.',
    email_refused: (about) =>
      `Der Mailserver hat diese E-Mail abgelehnt.${reasonInGerman(about)} Es wurde nichts gesendet. Was soll ich ändern?`,
    mail_server_unavailable: (about) =>
      about.values.host === undefined
        ? undefined
        : `Der Mailserver ${about.values.host} ist gerade nicht erreichbar oder nimmt nichts an.${reasonInGerman(about)}`,
    sending_limit_reached: (about) =>
      `Dein Mailkonto hat seine Grenze fürs Senden erreicht.${reasonInGerman(about)} Es wurde nichts gesendet. Soll ich es später noch einmal versuchen oder anders senden?`,
    gmail_quota_reached: () =>
      'Die Grenze von Gmail ist für heute erreicht. Soll ich es morgen noch einmal versuchen oder anders senden?',
    gmail_not_allowed: () =>
      'Deine Organisation erlaubt dieser App Gmail nicht. Kannst du dort fragen, oder soll ich es anders senden?',
    account_without_gmail: () => 'Dieses Google-Konto hat kein Gmail. Welches Konto soll ich nehmen?',
    label_exists: ({ values, show }) =>
      `Ein Label ${show.value(values.label) ?? 'mit diesem Namen'} gibt es schon. Soll ich es nehmen, oder wie soll das neue heißen?`,
    label_not_found: ({ values, show }) =>
      `Ein Label ${show.value(values.label) ?? 'mit diesem Namen'} gibt es nicht. Welches davon meinst du: ${listInGerman(values.labels, show)}?`,
  },
} satisfies Subject<
  | 'account_unclear'
  | 'account_not_connected'
  | 'address_unknown'
  | 'address_unsupported'
  | 'mailbox_full'
  | 'file_not_found'
  | 'files_too_large'
  | 'email_too_large'
  | 'attachment_too_large'
  | 'emails_not_found'
  | 'emails_too_large'
  | 'email_refused'
  | 'mail_server_unavailable'
  | 'sending_limit_reached'
  | 'gmail_quota_reached'
  | 'gmail_not_allowed'
  | 'account_without_gmail'
  | 'label_exists'
  | 'label_not_found'
>
