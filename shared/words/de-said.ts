import { changesIn, type Said, type SaidAbout, type SaidParts, type Say } from './said.ts'
import { catalogue } from './sentences/catalogue.ts'
import type { Show } from './show.ts'

/** What a value is not. */
const formats: Readonly<Record<string, string>> = {
  email: 'keine vollständige E-Mail-Adresse',
  uri: 'keine vollständige Webadresse',
  date: 'kein Datum',
  'date-time': 'kein Datum mit Uhrzeit',
}
/** Windows of limits. */
const spans: Readonly<Record<string, string>> = { minute: 'Minute', hour: 'Stunde', day: 'Tag' }
/** Things that can be missing. */
const things: Readonly<Record<string, string>> = {
  file: 'Diese Datei',
  document: 'Dieses Dokument',
  page: 'Diese Seite',
  channel: 'Diesen Kanal',
  user: 'Diesen Nutzer',
}

/** What is asked about a place: the tool's own question, else one of ours. */
function askFor({ question, hint, field }: SaidAbout): SaidParts {
  return { asked: question ?? (field ? `Was soll ich als „${field}“ nehmen?` : 'Was soll ich nehmen?'), hint }
}

/** What is asked of a call that waits. Without its sentence the server's words stand. */
function askToDo(about: SaidAbout, because?: string, before = ''): SaidParts | undefined {
  const { confirm } = about
  const reasons = [sayAnswered(about), because].filter(Boolean).join(' ')
  return confirm === undefined ? undefined : { asked: before + confirm, because: reasons || undefined }
}

/** Of an answer to an email: that answers are to go to somebody else than its sender. */
function sayAnswered({ values: { answered }, show }: SaidAbout): string | undefined {
  const { from, replyTo } = (answered ?? {}) as { from?: unknown; replyTo?: unknown }
  if (from === undefined || replyTo === undefined) return undefined
  return `Die beantwortete E-Mail kommt von ${show.value(from)} und bittet um Antworten an ${show.value(replyTo)}.`
}

/** What of it was done before, perhaps. */
function sayEarlier({ values: { at, isDone, isSecond }, done, confirm, show, tool }: SaidAbout): string {
  const when = show.moment(at)
  const what = done ?? statementOf(confirm) ?? `„${tool}“`
  return isDone === true
    ? `Das hast du schon getan${when ? ` (${when})` : ''}: ${what}.`
    : `Das ist vielleicht schon geschehen${when ? ` (${when})` : ''}: ${what}.${isSecond === true ? secondTry : ''}`
}

/** Of something that was tried a second time, and again without a confirmation. */
const secondTry = ' Das war der zweite Versuch; ein weiterer kann dazu führen, dass es doppelt geschieht.'

/** What was done before, if this may be something else. */
function sayBefore({ values: { at }, done, confirm, show, tool }: SaidAbout): string {
  const when = show.moment(at)
  return `Das ist geschehen${when ? ` (${when})` : ''}: ${done ?? statementOf(confirm) ?? `„${tool}“`}.`
}

/** A question whether to do something, as a statement. */
function statementOf(confirm: string | undefined): string | undefined {
  return confirm?.replace(/\?(?= \(|$)/, '')
}

function sayWhence(from: unknown): string {
  if (from === 'message') return 'etwas, das deine Nachricht zitiert oder verlinkt'
  if (from === 'earlier') return 'einem früheren Teil der Unterhaltung'
  const { file, tool } = (from ?? {}) as { file?: string; tool?: string }
  return file === undefined ? `„${tool}“` : `der Datei „${file}“`
}

/** Where values come from that the user has not said. */
function sayOrigins({ values: { origins }, show }: SaidAbout): string | undefined {
  if (!Array.isArray(origins) || origins.length === 0) return undefined
  const values = origins.map(({ value }) => show.value(value) ?? '–')
  const places = [...new Set(origins.map(({ from }) => sayWhence(from)))]
  return `${show.list(values)} ${values.length === 1 ? 'stammt' : 'stammen'} aus ${show.list(places)}, nicht von dir.`
}

function sayAddresses({ values: { addresses, sites, privateRead, others }, show }: SaidAbout): SaidParts {
  const listed = show.value(addresses) ?? '–'
  const isOne = Array.isArray(addresses) && addresses.length === 1
  const beside = show.value(others)
  const asked = `Soll ich ${listed} lesen?`
  const notNamed = `Du hast ${isOne ? 'diese Adresse' : 'diese Adressen'} nicht genannt`
  if (privateRead === undefined) {
    const more =
      Array.isArray(sites) && sites.length > 0
        ? ` Ein Ja gilt in dieser Unterhaltung auch für andere Seiten von ${show.list(sites.map(String))}.`
        : ''
    return { asked, hint: `${notNamed}, und wer die Website betreibt, sieht die Adresse.${more}` }
  }
  const allowed = `${isOne ? 'diese Adresse' : 'diese Adressen'}${beside ? ` und die anderen Treffer der Suche: ${beside}` : ''}`
  return {
    asked,
    hint: `${notNamed}, und aus ${sayWhence(privateRead)} ist Privates bekannt, das eine Adresse verraten könnte. Ein Ja gilt nur für ${allowed}.`,
  }
}

/** The provider's own words stay as they are. */
function sayReason({ values: { reason }, show }: SaidAbout): string {
  const given = show.value(reason)
  return given ? ` Begründung: ${given}.` : ''
}

function sayUnfit(about: SaidAbout): SaidParts {
  const { values, unfit, field, hint, show } = about
  if (unfit) return { asked: unfit }
  const format = formats[String(values.format)]
  const sent = show.value(values.value)
  if (values.format === 'digits')
    return { asked: `${values.value} hat mehr Stellen, als hier genau erhalten bleiben.`, hint }
  if (format && sent) return { asked: `${sent} ist ${format}.`, hint: `Beispiel: ${values.example}.` }
  return { asked: field ? `„${field}“ passt so nicht.` : 'Dieser Wert passt so nicht.', hint }
}

/** Of failures: who is meant. */
function serviceOf({ tool }: SaidAbout): string {
  return tool ? `Der Dienst hinter „${tool}“` : 'Der Dienst'
}

/** The server's words are told where nothing is known of why. */
const isTold = ({ tool }: SaidAbout) => tool !== ''

function whenAgain({ values: { retryAfterMs } }: SaidAbout): string {
  if (typeof retryAfterMs !== 'number') return ''
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return ` Wieder möglich in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`
}

const failed = (words: (about: SaidAbout) => string) => (about: SaidAbout) =>
  isTold(about) ? words(about) : undefined

/** Without one of these values the server's words stand. */
const knowing =
  (names: readonly string[], say: Say): Say =>
  (about) =>
    names.every((name) => about.values[name] !== undefined) ? say(about) : undefined

/** All sentences of the server, in German. */
export const germanSaid: Said = {
  ...catalogue.de,
  value_missing: askFor,
  value_unfit: sayUnfit,
  value_not_said: (about) => {
    const given = about.show.value(about.values.value)
    const { asked, hint } = askFor(about)
    return { asked, hint: [hint, given && `Von ${given} hast du nichts gesagt.`].filter(Boolean).join(' ') }
  },
  value_not_taken: ({ tool }) => `„${tool}“ hat etwas bekommen, das nicht dazugehört.`,
  document_not_found: () => 'Dieses Dokument finde ich nicht. Füge den Link ein oder nenne mir den Namen.',
  emails_not_found: () =>
    'Welche E-Mails meinst du? Sie sind nicht mehr in deinem Postfach; es wurde nichts geändert.',
  tool_asks: ({ tool, values }) => `${tool} fragt: ${sayWords(values.words)}`,
  tool_says: ({ tool, values }) => `${tool} meldet: ${sayWords(values.words)}`,

  account_unclear: ({ values, show }) =>
    `Von welchem deiner Konten soll diese E-Mail kommen: ${sayAccounts(values, show)}?`,
  account_not_connected: ({ values, show }) =>
    `${show.value(values.from) ?? 'Das'} ist keines deiner verbundenen Konten (${sayAccounts(values, show)}). Von welchem soll die E-Mail kommen?`,
  address_unknown: (about) =>
    `Der Mailserver kennt ${sayAddress(about)} nicht.${sayReason(about)} Es wurde nichts gesendet. Wie lautet die richtige Adresse?`,
  address_unsupported: () =>
    'Der Mailserver kann an Adressen mit solchen Buchstaben vor dem @ nichts zustellen. Gibt es eine andere Adresse?',
  mailbox_full: (about) =>
    `Das Postfach von ${sayAddress(about)} ist voll.${sayReason(about)} Es wurde nichts gesendet. Gibt es eine andere Adresse?`,
  file_not_found: () =>
    'Diese Datei gibt es nicht. Welche deiner Dateien soll ich anhängen? Nenne sie so, wie sie in der Unterhaltung heißt.',
  files_too_large: ({ values, show }) =>
    `Die Anhänge sind zusammen größer als ${show.value(values.mebibytes) ?? '10'} MiB. Welche kleineren oder weniger Dateien sollen mit?`,
  email_too_large: () =>
    'Diese E-Mail ist größer, als der Mailserver erlaubt. Es wurde nichts gesendet. Welche Dateien sollen mit?',
  attachment_too_large: ({ values, show }) =>
    `Die Datei ${show.value(values.file) ?? 'jener E-Mail'} ist zu groß zum Weiterleiten. Welche kleineren Dateien sollen mit?`,
  emails_too_large: () =>
    'Eine dieser E-Mails ist zu groß, um sie hier zu lesen. Bitte um weniger E-Mails, oder ohne ihren Text.',
  email_refused: (about) =>
    `Der Mailserver hat diese E-Mail abgelehnt.${sayReason(about)} Es wurde nichts gesendet. Was soll ich ändern?`,
  mail_server_unavailable: knowing(
    ['host'],
    (about) =>
      `Der Mailserver ${about.values.host} ist gerade nicht erreichbar oder nimmt nichts an.${sayReason(about)}`,
  ),
  sending_limit_reached: (about) =>
    `Dein Mailkonto hat seine Grenze fürs Senden erreicht.${sayReason(about)} Es wurde nichts gesendet. Soll ich es später noch einmal versuchen oder anders senden?`,
  gmail_quota_reached: () =>
    'Die Grenze von Gmail ist für heute erreicht. Soll ich es morgen noch einmal versuchen oder anders senden?',
  service_not_switched_on: knowing(
    ['service'],
    ({ values }) =>
      `${values.service} ist für diese App noch nicht freigeschaltet; das muss der Betreiber tun. Es wurde nichts ausgeführt.`,
  ),
  gmail_not_allowed: () =>
    'Deine Organisation erlaubt dieser App Gmail nicht. Kannst du dort fragen, oder soll ich es anders senden?',
  account_without_gmail: () => 'Dieses Google-Konto hat kein Gmail. Welches Konto soll ich nehmen?',
  label_exists: ({ values, show }) =>
    `Ein Label ${show.value(values.label) ?? 'mit diesem Namen'} gibt es schon. Soll ich es nehmen, oder wie soll das neue heißen?`,
  label_not_found: ({ values, show }) =>
    `Ein Label ${show.value(values.label) ?? 'mit diesem Namen'} gibt es nicht. Welches davon meinst du: ${listOf(values.labels, show)}?`,
  document_full: () =>
    'Dieses Dokument würde zu lang: Mehr als eine Million Zeichen passen nicht hinein. Soll ich ein neues anlegen?',
  document_too_large: () =>
    'Dieses Dokument ist zu groß, um es zu lesen: Mit seinen Formaten hat es mehr als 24 MB.',
  document_being_edited: () => 'Jemand anders ändert dieses Dokument gerade; es wurde nichts geschrieben.',
  document_not_changed: () => 'Google Docs hat diese Änderung nicht angenommen; es wurde nichts geschrieben.',
  text_not_in_document: ({ values, show }) =>
    values.spellings === undefined
      ? `${show.value(values.find) ?? 'Dieser Text'} steht nicht im Dokument, jedenfalls nicht in einem einzigen Absatz. Welcher Text soll ersetzt werden?`
      : `${show.value(values.find) ?? 'Dieser Text'} steht nicht genau so im Dokument, sondern so: ${show.value(values.spellings)}. Welcher Text soll ersetzt werden?`,
  text_in_chip: ({ values, show }) =>
    `${show.value(values.find) ?? 'Dieser Text'} steht im Dokument, ist aber zum Teil ein Smart-Chip (eine Person, eine Datei oder ein Datum), der sich nur in Google Docs ändern lässt. Welcher Text daneben soll ersetzt werden?`,
  tab_not_found: ({ values, show }) =>
    Array.isArray(values.tabs) && values.tabs.length > 0
      ? `Einen Tab ${show.value(values.tab) ?? 'mit diesem Namen'} gibt es in diesem Dokument nicht. Welcher davon ist gemeint: ${listOf(values.tabs, show)}?`
      : 'Dieses Dokument hat keine Tabs. Soll es ohne diese Angabe geschehen?',
  tab_unclear: ({ values, show }) =>
    values.find === undefined
      ? `Mehrere Tabs heißen ${show.value(values.tab) ?? 'so'}. Welcher ist gemeint: ${listOf(values.tabs, show)}?`
      : `${show.value(values.find) ?? 'Dieser Text'} steht in mehreren Tabs. In welchem soll er ersetzt werden: ${listOf(values.tabs, show)}?`,
  document_read_only: () =>
    'Dieses Dokument darfst du nur lesen. Soll ich stattdessen ein eigenes für dich anlegen?',
  nothing_to_restore: () =>
    'Dieses Dokument wurde in den letzten 30 Tagen nicht geändert; es gibt nichts wiederherzustellen.',
  version_not_found: ({ values: { versions }, show }) => {
    if (!Array.isArray(versions)) return undefined
    const kept = versions.map(({ revision, until }) => `${revision} (bis ${show.moment(until)})`)
    return `Welche Version soll ich wiederherstellen? Es gibt noch: ${show.list(kept)}.`
  },
  versions_at_google: () =>
    'Frühere Versionen dieses Dokuments kann nur Google wiederherstellen: in Google Docs unter „Datei“, „Versionsverlauf“.',
  sharing_needs_google: () =>
    'Dieses Dokument liegt hier, wo nur du es siehst, und lässt sich nicht teilen. Lege es dafür in Google Docs an.',

  approve: (about) => askToDo(about),
  approve_spent: (about) => {
    const { pattern, max, per } = about.values
    const limit = `${pattern}, ${max}-mal pro ${spans[String(per)]}`
    return askToDo(about, `Was du ohne Frage erlaubst (${limit}), ist aufgebraucht.`)
  },
  approve_destructive: (about) => askToDo(about),
  approve_outside: (about) =>
    askToDo(
      about,
      'Du hast nichts davon selbst geschrieben, und es wurde etwas gelesen, das nicht von dir ist.',
    ),
  approve_outside_addresses: (about) => {
    const { addresses } = about.values
    const these = Array.isArray(addresses) && addresses.length === 1 ? 'Diese Adresse' : 'Diese Adressen'
    return askToDo(about, `${these} hast du nicht selbst geschrieben: ${about.show.value(addresses)}.`)
  },
  approve_origin: (about) => askToDo(about, sayOrigins(about)),
  approve_addresses: (about) => {
    const { asked, hint } = sayAddresses(about)
    const isReading = about.values.besides === undefined && about.values.origins === undefined
    if (isReading) return { asked, hint }
    return askToDo(about, [sayOrigins(about), asked, hint].filter(Boolean).join(' '))
  },
  approve_yes: (about) => {
    const { asker, words } = about.values
    return askToDo(about, `${about.tool || asker} fragt: ${sayWords(words)}`)
  },
  approve_again: (about) =>
    askToDo(about, [`${sayEarlier(about)} Noch einmal?`, sayOrigins(about)].filter(Boolean).join(' ')),
  approve_as_well: (about) =>
    askToDo(about, [`${sayBefore(about)} Das hier auch?`, sayOrigins(about)].filter(Boolean).join(' ')),
  approve_after_unknown: (about) =>
    askToDo(about, [`${sayEarlier(about)} Noch einmal?`, sayOrigins(about)].filter(Boolean).join(' ')),
  still_waiting: ({ confirm, tool }) => `Noch offen: ${statementOf(confirm) ?? `„${tool}“`}.`,
  changed: ({ values, show }) => {
    const said = changesIn(values).map(({ what, before, now }) => {
      const [was, is] = [show.value(before) ?? '–', show.value(now) ?? '–']
      switch (what) {
        case 'places':
          return `Jetzt ${now === 1 ? `ist es ${is} Stelle` : `sind es ${is} Stellen`}; vorher ${before === 1 ? 'war' : 'waren'} es ${was}.`
        case 'text':
          return `Dort steht jetzt ${is}; vorher stand dort ${was}.`
        case 'title':
          return `Der Titel ist jetzt ${is}; vorher war er ${was}.`
        case 'paragraphs':
          return `Absätze, die noch da sind: ${is} von ${was}.`
        case 'revision':
          return `Jetzt ist es Version ${is}; vorher war es ${was}.`
        case 'newest_email':
          return `Die neueste E-Mail in diesem Verlauf ist jetzt ${is}; vorher war es ${was}.`
        default:
          return `${show.value(what.replaceAll('_', ' '))}: jetzt ${is}; vorher ${was}.`
      }
    })
    return said.length > 0 ? said.join(' ') : undefined
  },
  no_draft: () => ({
    because: 'Das lässt sich hier nicht als Entwurf behalten.',
    asked: 'Soll es ohne Entwurf geschehen?',
  }),
  outcome_unknown: (about) => {
    const { input, words, at, isSecond } = about.values
    if (words !== undefined) return undefined
    const when = about.show.moment(at)
    const because = `Das ist vielleicht schon geschehen${when ? ` (${when})` : ''}; eine Bestätigung kam nicht.${isSecond === true ? secondTry : ''}`
    if (input === undefined) return { because, asked: 'Soll es noch einmal geschehen?' }
    return askToDo(about, because, 'Noch einmal: ')
  },

  connection_missing: ({ provider, purpose, values: { others, isKey }, show }) => {
    const names = [provider, ...(Array.isArray(others) ? others.map(String) : [])]
    return isKey === true
      ? `${purpose ? `Um ${purpose}, ` : 'Dafür '}brauche ich einen Schlüssel von ${show.list(names, 'disjunction')}.`
      : {
          asked: `${provider} ist noch nicht eingerichtet.`,
          hint: `Verbinde es in den Einstellungen${purpose ? `, um ${purpose}` : ''}.`,
        }
  },
  permission_missing: ({ provider, tool }) => ({
    asked: `Deine Verbindung mit ${provider} erlaubt ${tool === '' || tool === 'this' ? 'das' : `„${tool}“`} noch nicht.`,
    hint: `Verbinde ${provider} neu und erlaube, wonach gefragt wird.`,
  }),
  connection_unusable: ({ provider, why }) => ({
    asked: `An deiner Verbindung mit ${provider} stimmt etwas nicht.`,
    hint: [why(), 'Prüfe sie in den Einstellungen.'].filter(Boolean).join(' '),
  }),
  connection_refused: ({ provider }) => ({
    asked: `${provider} nimmt die hinterlegten Zugangsdaten nicht an.`,
    hint: 'Prüfe sie in den Einstellungen. Viele Mailanbieter verlangen ein App-Passwort.',
  }),
  key_refused: ({ provider }) => ({
    asked: `${provider} nimmt deinen API-Schlüssel nicht an.`,
    hint: 'Kopiere ihn dort noch einmal und trage ihn in den Einstellungen ein.',
  }),
  sign_in_again: ({ provider }) => ({
    asked: `Deine Anmeldung bei ${provider} ist abgelaufen oder wurde beendet.`,
    hint: `Verbinde ${provider} in den Einstellungen neu.`,
  }),
  secret_corrupted: ({ provider }) => ({
    asked: `Was für ${provider} hinterlegt ist, lässt sich nicht mehr lesen.`,
    hint: 'Lösche es in den Einstellungen und trage es neu ein.',
  }),
  secrets_locked: () =>
    'Was hinterlegt ist, lässt sich gerade nicht öffnen: Dem Server fehlt der Schlüssel dafür. Das muss der Betreiber beheben; verloren ist nichts.',
  sign_in_not_set_up: ({ provider }) =>
    `Die Anmeldung mit ${provider} ist hier nicht eingerichtet; das muss der Betreiber tun.`,
  sign_in_being_renewed: ({ provider }) =>
    `Die Anmeldung bei ${provider} wird gerade erneuert. Versuche es in einer Minute noch einmal.`,

  field_unfit: ({ values, show }) => `Das Feld ${show.value(values.field) ?? '–'} fehlt oder passt nicht.`,
  key_unfit: () =>
    'Der API-Schlüssel ist leer oder enthält ein Leerzeichen oder ein Zeichen, das in Schlüsseln nicht vorkommt.',
  address_not_known: () => 'Die Adresse des Kontos ist nicht bekannt; verbinde es neu.',
  host_missing: ({ values, show }) =>
    `Der Mailserver für ${show.value(values.user) ?? 'dieses Konto'} ist nicht bekannt. Trage seinen Namen ein, zum Beispiel smtp.example.com.`,
  host_unknown: knowing(['host'], ({ values }) => `Einen Mailserver namens ${values.host} gibt es nicht.`),
  host_private: knowing(
    ['host'],
    ({ values }) =>
      `Der Mailserver ${values.host} steht in einem privaten Netz, das von hier nicht erreichbar ist.`,
  ),
  port_blocked: knowing(
    ['host', 'port'],
    ({ values }) =>
      `Port ${values.port} ist für gehostete Funktionen gesperrt; nimm Port 465 von ${values.host}.`,
  ),
  not_encrypted: knowing(
    ['host', 'port'],
    ({ values }) =>
      `${values.host} bietet auf Port ${values.port} keine verschlüsselte Verbindung; meist ist Port 465 richtig.`,
  ),
  certificate_not_trusted: knowing(
    ['host'],
    ({ values }) =>
      `Dem Zertifikat von ${values.host} ist nicht zu trauen; es wurde nichts dorthin gesendet.`,
  ),
  no_sign_in: knowing(
    ['host', 'port'],
    ({ values }) =>
      `${values.host} bietet auf Port ${values.port} keine Anmeldung, ist also nicht der Server, der deine Mails sendet.`,
  ),
  sender_missing: () =>
    'Der Benutzername ist keine E-Mail-Adresse. Trage einen Absender ein, zum Beispiel ada@example.com.',
  sender_unfit: () => 'Der Absender ist keine E-Mail-Adresse.',
  sender_refused: knowing(['host'], ({ values }) => `${values.host} nimmt den Absender nicht an.`),

  missing_parameter: (about) => (about.question || about.field ? askFor(about) : undefined),
  invalid_type: failed((about) => `${unfitField(about)}${sayReason(about)} Bitte korrigiere es.`),
  invalid_value: failed((about) => `${unfitField(about)}${sayReason(about)} Bitte korrigiere es.`),
  unknown_parameter: failed((about) => `${unfitField(about)}${sayReason(about)} Bitte korrigiere es.`),
  malformed_arguments: () => 'Die Angaben zu diesem Schritt waren nicht lesbar.',
  tool_not_found: () => 'Das kann hier nichts und niemand.',
  not_found: failed(
    (about) =>
      `${things[String(about.values.thing)] ?? 'Das'} gibt es dort nicht.${sayReason(about)} Was meinst du?`,
  ),
  conflict: failed(
    (about) => `Das passt nicht zu etwas, das schon da ist oder sich geändert hat.${sayReason(about)}`,
  ),
  rate_limit_exceeded: failed(
    (about) => `${serviceOf(about)} nimmt gerade nichts mehr an.${sayReason(about)}${whenAgain(about)}`,
  ),
  timeout: failed((about) => `„${about.tool}“ hat nicht rechtzeitig geantwortet.${sayReason(about)}`),
  unavailable: failed(
    (about) => `${serviceOf(about)} ist gerade nicht erreichbar.${sayReason(about)}${whenAgain(about)}`,
  ),
  not_configured: failed((about) => `${serviceOf(about)} ist nicht eingerichtet.${sayReason(about)}`),
  authentication_error: failed(
    (about) =>
      `${serviceOf(about)} nimmt die hinterlegten Zugangsdaten nicht an.${sayReason(about)} Prüfe sie in den Einstellungen.`,
  ),
  permission_denied: failed((about) => `${serviceOf(about)} erlaubt das nicht.${sayReason(about)}`),
  quota_exceeded: failed((about) => `${serviceOf(about)} hat eine Grenze erreicht.${sayReason(about)}`),
  approval_denied: () => 'Das hast du nicht erlaubt.',
  cancelled: failed(({ tool }) => `„${tool}“ wurde gestoppt, bevor es fertig war.`),
  execution_error: failed((about) => `„${about.tool}“ hat nicht geklappt.${sayReason(about)}`),

  not_done: (about) => {
    const what = about.values.input === undefined ? about.tool : (statementOf(about.confirm) ?? about.tool)
    return ['Nicht erledigt:', what && `${what}.`, about.why()].filter(Boolean).join(' ')
  },
  unknown_if_done: (about) =>
    `${sayEarlier(about)} ${about.values.why === 'outcome_unknown' ? 'Eine Bestätigung kam nicht.' : (about.why() ?? '')}`.trim(),
}

/** The tool's own words; only what we have put into them is ours. */
function sayWords(words: unknown): string {
  return String(words ?? '').replaceAll('(link left out)', '(Link weggelassen)')
}

function sayAccounts({ accounts }: Record<string, unknown>, show: Show): string {
  return listOf(accounts, show, 'disjunction')
}

function listOf(values: unknown, show: Show, type?: Intl.ListFormatType): string {
  return Array.isArray(values)
    ? show.list(
        values.map((one) => show.value(one) ?? '–'),
        type,
      )
    : '–'
}

function sayAddress({ values, show }: SaidAbout): string {
  return show.value(values.address) ?? 'diese Adresse'
}

function unfitField({ field }: SaidAbout): string {
  return field ? `„${field}“ passt so nicht.` : 'Ein Wert passt so nicht.'
}
