import type { Said, SaidAbout } from '../said.ts'
import { catalogue } from '../sentences/catalogue.ts'
import { askForValue } from '../sentences/questions.ts'

/** Things that can be missing. */
const things: Readonly<Record<string, string>> = {
  file: 'Diese Datei',
  document: 'Dieses Dokument',
  page: 'Diese Seite',
  channel: 'Diesen Kanal',
  user: 'Diesen Nutzer',
}

/** The provider's own words stay as they are. */
function sayReason({ values: { reason }, show }: SaidAbout): string {
  const given = show.value(reason)
  return given ? ` Begründung: ${given}.` : ''
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

/** All sentences of the server, in German. */
export const germanSaid: Said = {
  ...catalogue.de,
  missing_parameter: (about) => (about.question || about.field ? askForValue.de(about) : undefined),
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
}

function unfitField({ field }: SaidAbout): string {
  return field ? `„${field}“ passt so nicht.` : 'Ein Wert passt so nicht.'
}
