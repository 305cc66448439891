import { changesIn, type Said, type SaidAbout, type SaidParts } from './said.ts'
import { catalogue } from './sentences/catalogue.ts'

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
  tool_asks: ({ tool, values }) => `${tool} fragt: ${sayWords(values.words)}`,
  tool_says: ({ tool, values }) => `${tool} meldet: ${sayWords(values.words)}`,

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

function unfitField({ field }: SaidAbout): string {
  return field ? `„${field}“ passt so nicht.` : 'Ein Wert passt so nicht.'
}
