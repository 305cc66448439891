import type { OwnWords } from '../own-words.ts'
import type { SaidAbout, Say } from '../said.ts'
import { approvalsInGerman } from '../sentences/approvals.ts'
import { accountsInGerman, connections, toolInShort } from '../sentences/connections.ts'
import { onMoment } from '../sentences/earlier.ts'
import { reasonOf, things } from '../sentences/failures.ts'
import { formal } from '../sentences/german-address.ts'
import { askForValue, ownWords } from '../sentences/questions.ts'
import { budgetOwners, budgetWindows } from '../sentences/waits.ts'

/** Texts, each in quotation marks. */
function listed({ show }: SaidAbout, texts: unknown, type?: Intl.ListFormatType): string {
  if (!Array.isArray(texts)) return '–'
  return show.list(
    texts.map((one) => show.value(one) ?? '–'),
    type,
  )
}

type Texts = Readonly<Record<string, (provider: string) => string>>

/** The text of a reason, or the first one. */
const byReason =
  (texts: Texts): Say =>
  ({ values: { why }, provider }) =>
    (Object.hasOwn(texts, String(why)) ? texts[String(why)] : Object.values(texts)[0])?.(provider)

const tooLong: Texts = {
  message: () =>
    'Diese Nachricht ist zu lang für das Sprachmodell. Schicken Sie weniger auf einmal, oder schicken Sie es als Datei.',
  setup: () =>
    'Dieser Agent hat mehr mitbekommen, als sein Sprachmodell lesen kann. Wer ihn eingerichtet hat, kann ihm ein anderes Modell, weniger Werkzeuge oder kürzere Anweisungen geben.',
  turn: () =>
    'Das Sprachmodell hat diese Unterhaltung nicht angenommen: Diese ist länger, als es auf einmal lesen kann. Verlangen Sie weniger auf einmal, oder beginnen Sie eine neue Unterhaltung.',
}

const modelUnavailable: Texts = {
  busy: () =>
    'Das Sprachmodell antwortet gerade nicht. Versuchen Sie es in ein paar Minuten noch einmal, und sagen Sie es dem Betreiber, wenn das nicht hilft.',
  not_reached: () =>
    'Das Sprachmodell dieses Assistenten ist gerade nicht zu erreichen. Bitte sagen Sie es dem Betreiber.',
  key_refused: () =>
    'Das Sprachmodell dieses Assistenten ist gerade nicht zu benutzen: Sein Schlüssel wurde abgelehnt. Bitte sagen Sie es dem Betreiber.',
  web_page: () =>
    'Das Sprachmodell dieses Assistenten ist nicht zu benutzen: Unter seiner Adresse antwortet eine Webseite. Bitte sagen Sie es dem Betreiber.',
  not_taken: () =>
    'Das Sprachmodell hat diese Unterhaltung nicht angenommen. Sagen Sie es anders, oder beginnen Sie eine neue, kürzere Unterhaltung.',
  own_key_silent: (provider) =>
    `Hier wird Ihr eigener API-Schlüssel für ${provider} benutzt, und ${provider} ist nicht erreichbar. Versuchen Sie es in ein paar Minuten noch einmal, oder ändern oder entfernen Sie den Schlüssel in den Einstellungen.`,
  own_key_unused: (provider) =>
    `Hier wird Ihr eigener API-Schlüssel für ${provider} benutzt, und ${provider} hat ihn nicht angenommen: Das Modell ist dort nicht bekannt, oder das Guthaben ist aufgebraucht. Wählen Sie ein anderes Modell, oder ändern oder entfernen Sie den Schlüssel in den Einstellungen.`,
}

const spans: Readonly<Record<string, string>> = { minute: 'Minute', hour: 'Stunde', day: 'Tag' }

const budgetUsed: Say = ({ values: { scope, measure, per, limit, tool, resumeAt, canWait }, show }) => {
  if (per === undefined) return undefined
  const when = onMoment.de(show, resumeAt)
  const because =
    measure === 'writes'
      ? `Ihre Grenze für Änderungen${tool ? ' mit diesem Werkzeug' : ''} ist erreicht (${show.value(limit)} pro ${spans[String(per)]}).`
      : `${budgetOwners.de[String(scope)] ?? 'Ihr Budget'} für ${budgetWindows.de[String(per)]} ist aufgebraucht.`
  const asked =
    canWait === false
      ? `Versuchen Sie es ${when ?? 'später'} noch einmal, oder fragen Sie Ihre Administratoren.`
      : `Es geht ${when ?? 'von selbst'} weiter. Soll es früher sein, fragen Sie Ihre Administratoren.`
  return { because, asked }
}

/** A sentence of which only somebody else's words are known stays as it is. */
const asGiven =
  (say: (about: SaidAbout) => string): Say =>
  (about) =>
    typeof about.values.words === 'string' ? ownWords(about.values.words) : say(about)

const correctIt = asGiven(
  (about) =>
    `${about.field ? `„${about.field}“` : 'Ein Wert'} passt so nicht.${reasonOf(about)} Bitte korrigieren Sie es.`,
)

/** Sentences to people who are called "Sie"; those that call nobody anything stay as they are. */
export const formalSaid: OwnWords['said'] = {
  ...approvalsInGerman(formal),
  value_not_said: (about) => {
    const { asked, hint } = askForValue.de(about)
    const given = about.show.value(about.values.value)
    return {
      asked,
      hint: [hint, given && `${given} haben Sie nicht genannt. Wenn es stimmt, geben Sie es hier ein.`]
        .filter(Boolean)
        .join(' '),
    }
  },

  yielded: () =>
    'Unten geht es um dasselbe für andere. Wollen Sie das hier auch, geben Sie es frei: Dann werden Sie noch einmal gefragt.',
  expired: () =>
    'Das war zu lange offen und ist abgelaufen. Geben Sie es frei, dann werden Sie noch einmal gefragt.',
  new_message: () => 'Das wurde nicht ausgeführt, weil Sie eine neue Nachricht geschrieben haben.',
  skipped: () => 'Das wurde nicht ausgeführt, weil Sie es übersprungen haben.',
  denied: () => 'Das haben Sie abgelehnt.',

  connection_missing: (about) =>
    about.values.isKey === true
      ? connections.de.connection_missing(about)
      : `Verbinden Sie zuerst ${accountsInGerman(about)}.`,
  permission_missing: ({ provider, tool }) => ({
    asked: `Ihre Verbindung mit ${provider} erlaubt ${tool === '' || tool === 'this' ? 'das' : `„${tool}“`} noch nicht.`,
    hint: `Verbinden Sie ${provider} neu und erlauben Sie, wonach gefragt wird.`,
  }),
  tool_not_permitted: (about) =>
    `Für ${toolInShort(about, ['„', '“'])} fehlt dieser Verbindung mit ${about.provider} eine Berechtigung. Verbinden Sie ${about.provider} neu und erlauben Sie es.`,
  connection_unusable: ({ provider, why }) => ({
    asked: `An Ihrer Verbindung mit ${provider} stimmt etwas nicht.`,
    hint: [why(), 'Prüfen Sie sie in den Einstellungen.'].filter(Boolean).join(' '),
  }),
  connection_refused: ({ provider }) => ({
    asked: `${provider || 'Der Anbieter'} nimmt die hinterlegten Zugangsdaten nicht an.`,
    hint: 'Prüfen Sie sie in den Einstellungen. Viele Mailanbieter verlangen ein App-Passwort.',
  }),
  key_refused: ({ provider }) => ({
    asked: `${provider} nimmt Ihren API-Schlüssel nicht an.`,
    hint: 'Kopieren Sie ihn dort noch einmal und tragen Sie ihn in den Einstellungen ein.',
  }),
  sign_in_again: ({ provider }) => ({
    asked: `Ihre Anmeldung bei ${provider} ist abgelaufen oder wurde beendet.`,
    hint: `Verbinden Sie ${provider} in den Einstellungen neu.`,
  }),
  secret_corrupted: ({ provider }) => ({
    asked: `Was für ${provider} hinterlegt ist, lässt sich nicht mehr lesen.`,
    hint: 'Löschen Sie es in den Einstellungen und tragen Sie es neu ein.',
  }),
  sign_in_being_renewed: ({ provider }) =>
    `Die Anmeldung bei ${provider} wird gerade erneuert. Versuchen Sie es in einer Minute noch einmal.`,
  address_not_known: () => 'Die Adresse des Kontos ist nicht bekannt; verbinden Sie es neu.',
  host_missing: ({ values, show }) =>
    `Der Mailserver für ${show.value(values.user) ?? 'dieses Konto'} ist nicht bekannt. Tragen Sie seinen Namen ein, zum Beispiel smtp.example.com.`,
  port_blocked: ({ values: { host, port } }) =>
    host === undefined
      ? undefined
      : `Port ${port} ist für gehostete Funktionen gesperrt; nehmen Sie Port 465 von ${host}.`,
  no_sign_in: ({ values: { host, port } }) =>
    host === undefined
      ? undefined
      : `${host} bietet auf Port ${port} keine Anmeldung, ist also nicht der Server, der Ihre Mails sendet.`,
  sender_missing: () =>
    'Der Benutzername ist keine E-Mail-Adresse. Tragen Sie einen Absender ein, zum Beispiel ada@example.com.',

  document_not_found: () =>
    'Dieses Dokument finde ich nicht. Fügen Sie den Link ein oder nennen Sie mir den Namen.',
  document_read_only: () =>
    'Dieses Dokument dürfen Sie nur lesen. Soll ich stattdessen ein eigenes für Sie anlegen?',
  sharing_needs_google: () =>
    'Dieses Dokument liegt hier, wo nur Sie es sehen, und lässt sich nicht teilen. Legen Sie es dafür in Google Docs an.',

  account_unclear: (about) =>
    `Von welchem Ihrer Konten soll diese E-Mail kommen: ${listed(about, about.values.accounts, 'disjunction')}?`,
  account_not_connected: (about) =>
    `${about.show.value(about.values.from) ?? 'Das'} ist keines Ihrer verbundenen Konten (${listed(about, about.values.accounts, 'disjunction')}). Von welchem soll die E-Mail kommen?`,
  file_not_found: () =>
    'Diese Datei gibt es nicht. Welche Ihrer Dateien soll ich anhängen? Nennen Sie sie so, wie sie in der Unterhaltung heißt.',
  emails_not_found: () =>
    'Welche E-Mails meinen Sie? Diese sind nicht mehr in Ihrem Postfach; es wurde nichts geändert.',
  emails_too_large: () =>
    'Eine dieser E-Mails ist zu groß, um sie hier zu lesen. Fragen Sie nach weniger E-Mails, oder ohne ihren Text.',
  sending_limit_reached: (about) =>
    `Ihr Mailkonto hat seine Grenze fürs Senden erreicht.${reasonOf(about)} Es wurde nichts gesendet. Soll ich es später noch einmal versuchen oder anders senden?`,
  gmail_not_allowed: () =>
    'Ihre Organisation erlaubt dieser App Gmail nicht. Können Sie dort fragen, oder soll ich es anders senden?',
  label_not_found: (about) =>
    `Ein Label ${about.show.value(about.values.label) ?? 'mit diesem Namen'} gibt es nicht. Welches davon meinen Sie: ${listed(about, about.values.labels)}?`,

  not_stored: () =>
    'Diese Antwort ließ sich nicht speichern. Ihre Nachricht ist gespeichert: Laden Sie die Unterhaltung in einer Minute neu, dann sehen Sie, was geschehen ist.',
  server_fault: () =>
    'Auf dem Server ist etwas schiefgegangen, deshalb wurde das nicht fertig. Ihre Nachricht ist gespeichert.',
  model_unavailable: byReason(modelUnavailable),
  context_too_long: byReason(tooLong),
  model_silent: () =>
    'Das Sprachmodell hat keine Antwort gegeben. Versuchen Sie es noch einmal, sagen Sie es anders oder verlangen Sie weniger auf einmal.',

  budget_near: ({ values: { scope, per, share }, show }) =>
    per === undefined || share === undefined
      ? undefined
      : `${budgetOwners.de[String(scope)] ?? 'Ihr Budget'} für ${budgetWindows.de[String(per)]} ist zu ${show.value(share)} % verbraucht.`,
  wait_budget: budgetUsed,
  wait_budget_reserved: ({ values: { canWait } }) => ({
    because: 'Der Rest des Budgets ist für Antworten vorgemerkt, die gerade entstehen.',
    asked:
      canWait === false
        ? 'Versuchen Sie es in ein paar Sekunden noch einmal.'
        : 'Es geht in ein paar Sekunden weiter.',
  }),

  invalid_type: correctIt,
  invalid_value: correctIt,
  unknown_parameter: correctIt,
  not_found: asGiven(
    (about) =>
      `${things[String(about.values.thing)] ?? 'Das'} gibt es dort nicht.${reasonOf(about)} Was meinen Sie?`,
  ),
  authentication_error: asGiven(
    (about) =>
      `Der Dienst${about.tool ? ` hinter „${about.tool}“` : ''} nimmt die hinterlegten Zugangsdaten nicht an.${reasonOf(about)} Prüfen Sie sie in den Einstellungen.`,
  ),
  approval_denied: () => 'Das haben Sie nicht erlaubt.',
}
