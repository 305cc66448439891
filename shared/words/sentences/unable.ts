import type { SaidAbout, Say } from '../said.ts'
import type { Subject } from './subject.ts'

/** A tool by its title, at the beginning of a sentence. */
const named = {
  en: ({ tool }: SaidAbout): string => (tool === '' ? 'The tool' : `"${tool}"`),
  de: ({ tool }: SaidAbout): string => (tool === '' ? 'Das Werkzeug' : `„${tool}“`),
}
/** What a write did not change. */
const unchanged = {
  en: ({ values: { isWrite } }: SaidAbout): string => (isWrite === true ? ', so nothing was changed' : ''),
  de: ({ values: { isWrite } }: SaidAbout): string => (isWrite === true ? '; geändert wurde nichts' : ''),
}
const ofTool = {
  en:
    (rest: string): Say =>
    (about) =>
      `${named.en(about)} ${rest}`,
  de:
    (rest: string): Say =>
    (about) =>
      `${named.de(about)} ${rest}`,
}

/** What is wrong with a function of the app that was offered. */
const problems: Readonly<Record<'en' | 'de', Readonly<Record<string, string>>>> = {
  en: {
    gone: 'does not exist any more in this app',
    changed: 'was changed in this app since it was offered',
    refused: 'may not be used in this app any more',
  },
  de: {
    gone: 'gibt es in dieser App nicht mehr',
    changed: 'wurde in dieser App geändert, seit es freigegeben wurde',
    refused: 'darf in dieser App nicht mehr benutzt werden',
  },
}

function problemOf({ values: { problem } }: SaidAbout, language: 'en' | 'de'): string {
  return problems[language][String(problem)] ?? problems[language].changed ?? ''
}

/** A rule of the app's database by its name. */
function ruleOf({ values: { rule }, show }: SaidAbout, say: (rule: string) => string): string {
  const shown = typeof rule === 'string' ? show.value(rule) : undefined
  return shown === undefined ? '' : say(shown)
}

/** In German, what was sent and where: `Projekt 7`. */
function givenOf({ field, values, show }: SaidAbout): string {
  const given = show.value(values.value)
  return field === '' || given === undefined ? 'So etwas' : `${field} ${given}`
}

const placesOf = ({ values: { places } }: SaidAbout): string | undefined =>
  typeof places === 'string' && places !== '' ? places : undefined

/** Why a call was not carried out, or not to its end, if it is not because of its values. */
export const unable = {
  en: {
    run_stopped: () => 'The run was stopped before this call was completed.',
    call_stopped: () => 'This was stopped before it ran, so nothing was done.',
    call_cancelled: () => 'This call was cancelled before it ran, so nothing was done.',
    call_not_done: () => 'This was not carried out.',
    call_running: () => 'This is still running; whether it succeeds is not known yet.',
    call_fault: () => 'Not carried out, because of an error inside the program.',
    call_not_recorded: () => 'This was not carried out, because it could not be recorded first.',
    call_twice: () => 'Not carried out a second time: this answer contains the same call twice.',
    read_failed: ({ tool }) =>
      `Not carried out, because ${tool === '' ? 'another call' : `"${tool}"`} of the same answer failed and this may depend on it.`,
    never_called: () => 'The model began its answer again, so this was not called.',
    tool_gone: () => 'This is no longer available to this assistant.',
    tool_late: (about) =>
      `${named.en(about)} did not answer ${about.values.seconds === undefined ? 'in time' : `within ${about.values.seconds} s`}.`,
    tool_unreached: ofTool.en('was not carried out: the connection was lost.'),
    tool_held_back: ofTool.en("was not called: this project's functions are calling each other too often."),
    tool_not_deployed: ofTool.en('is not set up on this server. Its operator has to do that.'),
    tool_not_started: ofTool.en('could not be started.'),
    tool_unreadable: ofTool.en('sent an answer that cannot be read.'),
    tool_failed_first: ofTool.en('failed before it did anything, so this was not done.'),
    tool_switched_off: (about) => {
      const { reason } = about.values
      const why = typeof reason === 'string' ? ` The reason given: ${reason}` : ''
      return `${named.en(about)} is switched off for everybody at the moment, so nothing was done.${why}`
    },
    session_ended: () => 'The session of the user has ended, so this was not done. Sign in again first.',
    user_away: () =>
      'Nothing can be done while the user is away: this server has no ASKBACK_FUNCTION_SECRET. Whoever runs it has to set it.',
    database_away: () => 'The database cannot be reached right now, so nothing was done.',

    provider_unreadable: ({ provider }) =>
      `${provider === '' ? 'The provider' : provider} sent an answer that cannot be read.`,
    provider_misconfigured: () =>
      'The sign-in with this provider is not set up correctly here. The operator finds the reason in the log of the function.',
    key_not_tested: ({ provider }) =>
      `${provider === '' ? 'The provider' : provider} cannot be reached right now, so this key could not be tested. Try again later.`,
    connection_not_tested: ({ provider, values }) =>
      `Your ${provider === '' ? '' : `${provider} `}connection cannot be tested: ${values.function === undefined ? 'its function' : `the function ${values.function}`} ${values.isDeployed === false ? 'is not deployed' : 'sent an answer that cannot be read'}.`,
    base_url_missing: ({ values: { base } }) =>
      base === undefined
        ? 'This service is not set up here: it has no base URL. Whoever runs it has to set one.'
        : `This service is not set up here: its base URL is "${base}". Whoever runs it has to set one.`,

    app_database_away: ({ tool }) =>
      `The database of this app cannot be reached right now, so ${tool === '' ? 'this' : `"${tool}"`} was not called.`,
    app_function_outdated: ofTool.en(
      'cannot be called in this app as it was offered, so it was not called. Whoever runs the app has to offer it again.',
    ),
    app_function_unusable: (about) =>
      `${named.en(about)} ${problemOf(about, 'en')}, so it was not called. Whoever runs the app has to offer it again.`,
    app_function_failed: (about) =>
      `${named.en(about)} failed inside this app${unchanged.en(about)}. Whoever runs the app can see why in its log.`,
    app_function_writes: (about) =>
      `${named.en(about)} tried to change something, but it was ${about.values.isWrite === true ? 'declared as stable' : 'offered as one that only reads'}, so it was stopped. Whoever runs the app has to ${about.values.isWrite === true ? 'declare' : 'offer'} it as one that writes.`,
    app_function_late: (about) =>
      `${named.en(about)} took longer than the database of this app allows${unchanged.en(about)}.`,
    app_function_busy: (about) =>
      `${named.en(about)} could not be completed right now, because the database of this app was busy${unchanged.en(about)}.`,
    app_look_failed: ofTool.en('was not carried out: what it depends on could not be read.'),
    app_value_refused: (about) =>
      `There seems to be an issue with ${placesOf(about) ?? 'a value'}.${ruleOf(about, (rule) => ` This app has a rule for it, called ${rule}.`)} Please check it and provide another value.`,
    app_nothing_found: (about) =>
      `Which one do you mean? There is none with ${about.values.sent ?? 'what was asked for'}.`,
    app_still_used: (about) =>
      `What should be done instead? It is still used elsewhere in this app${unchanged.en(about)}.`,
    app_already_there: (about) =>
      `What should be used instead? There is already one with ${about.values.sent ?? 'the same values'}${unchanged.en(about)}.${ruleOf(about, (rule) => ` The rule is called ${rule}.`)}`,
    app_not_permitted: (about) =>
      `What should be done instead? This account may not do that in this app${unchanged.en(about)}.`,
  },
  de: {
    run_stopped: () => 'Das wurde gestoppt, bevor es fertig war.',
    call_stopped: () => 'Das wurde gestoppt, bevor es lief; es ist nichts geschehen.',
    call_cancelled: () => 'Das wurde abgebrochen, bevor es lief; es ist nichts geschehen.',
    call_not_done: () => 'Das wurde nicht ausgeführt.',
    call_running: () => 'Das läuft noch; ob es gelingt, ist noch nicht bekannt.',
    call_fault: () => 'Nicht ausgeführt, wegen eines Fehlers im Programm.',
    call_not_recorded: () => 'Das wurde nicht ausgeführt, weil es sich vorher nicht festhalten ließ.',
    call_twice: () => 'Nicht noch einmal ausgeführt: In derselben Antwort stand dasselbe zweimal.',
    read_failed: ({ tool }) =>
      `Nicht ausgeführt, weil ${tool === '' ? 'etwas anderes' : `„${tool}“`} in derselben Antwort nicht gelang und dies davon abhängen kann.`,
    never_called: () =>
      'Das Sprachmodell hat seine Antwort neu begonnen, deshalb wurde das nicht aufgerufen.',
    tool_gone: () => 'Das steht diesem Assistenten nicht mehr zur Verfügung.',
    tool_late: (about) =>
      `${named.de(about)} hat nicht ${about.values.seconds === undefined ? 'rechtzeitig' : `innerhalb von ${about.values.seconds} s`} geantwortet.`,
    tool_unreached: ofTool.de('wurde nicht ausgeführt: Die Verbindung ist abgebrochen.'),
    tool_held_back: ofTool.de(
      'wurde nicht aufgerufen: Die Funktionen dieses Projekts rufen einander zu oft auf.',
    ),
    tool_not_deployed: ofTool.de('ist auf diesem Server nicht eingerichtet; das muss der Betreiber tun.'),
    tool_not_started: ofTool.de('ließ sich nicht starten.'),
    tool_unreadable: ofTool.de('hat etwas geantwortet, das sich nicht lesen lässt.'),
    tool_failed_first: ofTool.de('ist gescheitert, bevor etwas geschah; es wurde also nicht ausgeführt.'),
    tool_switched_off: (about) => {
      const why = about.show.value(about.values.reason)
      return `${named.de(about)} ist gerade für alle abgeschaltet; es wurde nichts ausgeführt.${why === undefined ? '' : ` Begründung: ${why}.`}`
    },
    session_ended: () => 'Die Anmeldung ist abgelaufen, deshalb wurde das nicht ausgeführt.',
    user_away: () =>
      'Ohne angemeldeten Nutzer geht hier nichts: Diesem Server fehlt ASKBACK_FUNCTION_SECRET. Das muss der Betreiber setzen.',
    database_away: () => 'Die Datenbank ist gerade nicht erreichbar; es wurde nichts ausgeführt.',

    provider_unreadable: ({ provider }) =>
      `${provider === '' ? 'Der Anbieter' : provider} hat etwas geantwortet, das sich nicht lesen lässt.`,
    provider_misconfigured: () =>
      'Die Anmeldung bei diesem Anbieter ist hier nicht richtig eingerichtet. Der Betreiber findet den Grund im Log der Funktion.',
    key_not_tested: ({ provider }) =>
      `${provider === '' ? 'Der Anbieter' : provider} ist gerade nicht erreichbar, deshalb ließ sich dieser Schlüssel nicht prüfen. Das geht später noch einmal.`,
    connection_not_tested: ({ provider, values }) =>
      `Die Verbindung${provider === '' ? '' : ` mit ${provider}`} lässt sich nicht prüfen: ${values.function === undefined ? 'Ihre Funktion' : `Die Funktion ${values.function}`} ${values.isDeployed === false ? 'ist nicht eingerichtet' : 'hat etwas geantwortet, das sich nicht lesen lässt'}.`,
    base_url_missing: ({ values: { base }, show }) =>
      `Dieser Dienst ist hier nicht eingerichtet: ${base === undefined ? 'Ihm fehlt seine Basisadresse' : `Seine Basisadresse ist ${show.value(base)}`}. Der Betreiber muss sie setzen.`,

    app_database_away: ({ tool }) =>
      `Die Datenbank dieser App ist gerade nicht erreichbar, deshalb wurde ${tool === '' ? 'das' : `„${tool}“`} nicht aufgerufen.`,
    app_function_outdated: ofTool.de(
      'lässt sich in dieser App nicht so aufrufen, wie es freigegeben wurde. Wer die App betreibt, muss es neu freigeben.',
    ),
    app_function_unusable: (about) =>
      `${named.de(about)} ${problemOf(about, 'de')} und wurde nicht aufgerufen. Wer die App betreibt, muss es neu freigeben.`,
    app_function_failed: (about) =>
      `${named.de(about)} ist in dieser App gescheitert${unchanged.de(about)}. Wer die App betreibt, findet den Grund in ihrem Log.`,
    app_function_writes: (about) =>
      `${named.de(about)} wollte etwas ändern, ist aber ${about.values.isWrite === true ? 'als „stable“ deklariert' : 'nur zum Lesen freigegeben'} und wurde gestoppt. Wer die App betreibt, muss es als schreibend ${about.values.isWrite === true ? 'deklarieren' : 'freigeben'}.`,
    app_function_late: (about) =>
      `${named.de(about)} hat länger gebraucht, als die Datenbank dieser App erlaubt${unchanged.de(about)}.`,
    app_function_busy: (about) =>
      `${named.de(about)} ging gerade nicht, weil die Datenbank dieser App überlastet war${unchanged.de(about)}.`,
    app_look_failed: ofTool.de('wurde nicht ausgeführt: Wovon es abhängt, ließ sich nicht lesen.'),
    app_value_refused: (about) =>
      `${about.field ? `„${about.field}“` : 'Ein Wert'} passt in dieser App nicht.${ruleOf(about, (rule) => ` Die Regel dafür heißt ${rule}.`)} Welcher Wert ist richtig?`,
    app_nothing_found: (about) => `${givenOf(about)} gibt es in dieser App nicht. Was ist gemeint?`,
    app_still_used: (about) =>
      `Das wird in dieser App noch anderswo gebraucht${unchanged.de(about)}. Was soll stattdessen geschehen?`,
    app_already_there: (about) =>
      `${givenOf(about)} gibt es in dieser App schon${unchanged.de(about)}.${ruleOf(about, (rule) => ` Die Regel dafür heißt ${rule}.`)} Was soll stattdessen genommen werden?`,
    app_not_permitted: (about) =>
      `Dieses Konto darf das in dieser App nicht${unchanged.de(about)}. Was soll stattdessen geschehen?`,
  },
} satisfies Subject<
  | 'run_stopped'
  | 'call_stopped'
  | 'call_cancelled'
  | 'call_not_done'
  | 'call_running'
  | 'call_fault'
  | 'call_not_recorded'
  | 'call_twice'
  | 'read_failed'
  | 'never_called'
  | 'tool_gone'
  | 'tool_late'
  | 'tool_unreached'
  | 'tool_held_back'
  | 'tool_not_deployed'
  | 'tool_not_started'
  | 'tool_unreadable'
  | 'tool_failed_first'
  | 'tool_switched_off'
  | 'session_ended'
  | 'user_away'
  | 'database_away'
  | 'provider_unreadable'
  | 'provider_misconfigured'
  | 'key_not_tested'
  | 'connection_not_tested'
  | 'base_url_missing'
  | 'app_database_away'
  | 'app_function_outdated'
  | 'app_function_unusable'
  | 'app_function_failed'
  | 'app_function_writes'
  | 'app_function_late'
  | 'app_function_busy'
  | 'app_look_failed'
  | 'app_value_refused'
  | 'app_nothing_found'
  | 'app_still_used'
  | 'app_already_there'
  | 'app_not_permitted'
>
