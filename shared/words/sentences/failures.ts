import type { SaidAbout, Say } from '../said.ts'
import { askForValue, ownWords } from './questions.ts'
import type { Subject } from './subject.ts'

/** What is known about a failure, as English words it. */
export interface FailureFacts {
  /** Somebody can answer it: it is worded as a question. */
  isAsked: boolean
  /** The tool's title. */
  title?: string | undefined
  parameter?: string | undefined
  /** What a missing parameter is asked for with. */
  question?: string | undefined
  retryAfterMs?: number | undefined
  /** The provider's message, cleaned; quoted as somebody else's words. */
  reason: string
  /** The kind of thing it is about: file, channel, item … */
  thing: string
}

type Wording = (facts: FailureFacts & { subject: string; service: string; said: string }) => string

/** The question of each type, for the model or the user. */
const questions: Readonly<Record<string, Wording>> = {
  missing_parameter: ({ question, said }) =>
    question ??
    (said === ''
      ? 'Which value is missing? Please provide every required value.'
      : `Something is missing.${said} What should be added?`),
  invalid_type: ({ parameter, said }) =>
    `There seems to be an issue with the type of ${place(parameter)}.${said} Please provide it in the expected type.`,
  invalid_value: ({ parameter, said }) =>
    `There seems to be an issue with ${place(parameter)}.${said} Please check it and correct it.`,
  unknown_parameter: ({ parameter, said }) =>
    `There seems to be an issue with ${parameter ? `the parameter "${parameter}", which is unknown` : 'a parameter that is unknown'}.${said} Please use a parameter that exists or leave it out.`,
  malformed_arguments: ({ said }) =>
    `There seems to be an issue with the arguments, which could not be read.${said} Please send the whole call again as one JSON object.`,
  tool_not_found: ({ said }) => `There is no such tool.${said} Which of the available tools should I use?`,
  not_found: ({ thing, said }) =>
    absences[thing]?.(said) ??
    `Which ${thing} did you mean? There is no such ${thing}.${said} Please use a tool that lists or searches to find available ${plural(thing)}, then try again.`,
  conflict: ({ said }) =>
    `What should be used instead? This conflicts with something that already exists or has changed.${said} Please choose another value or look at its current state first.`,
  rate_limit_exceeded: ({ service, said }) =>
    `${service} allows no more calls.${said} What should be changed?`,
  timeout: ({ subject, said }) => `${subject} did not answer in time.${said} What should be changed?`,
  unavailable: ({ service, said }) => `${service} cannot be reached.${said} What should be changed?`,
  authentication_error: ({ reason, service, said }) =>
    /corrupt|decrypt/i.test(reason)
      ? `The key for ${service.replace('The', 'the')} appears to be corrupted. Please delete and re-add it in the integration settings.`
      : `${service} did not accept the stored credentials.${said} Please reconnect it or renew its key in the integration settings.`,
  not_configured: ({ service, said }) =>
    `${service} needs to be configured.${said} Please set it up in the integration settings.`,
  permission_denied: ({ service, said }) =>
    `${service} does not allow this with the connected account.${said} Please grant the permission, or say what should be done instead.`,
  quota_exceeded: ({ service, said }) =>
    `${service} has reached the limit of its plan or account.${said} Please raise the limit or wait until it resets.`,
}

/** The question if no tool lists the possible things. */
const absences: Readonly<Record<string, (said: string) => string>> = {
  host: (said) =>
    `There seems to be an issue with the host name, which does not exist.${said} Please check the address and correct it.`,
}

/** The statement of each type that nobody needs to answer. */
const statements: Readonly<Record<string, Wording>> = {
  rate_limit_exceeded: ({ service, said, retryAfterMs }) =>
    `${service} allows no more calls right now.${said} ${waiting(retryAfterMs)}`,
  timeout: ({ subject, said }) => `${subject} did not answer in time.${said}`,
  unavailable: ({ service, said, retryAfterMs }) =>
    `${service} is not available right now.${said}${retryAfterMs ? ` ${waiting(retryAfterMs)}` : ''}`,
  quota_exceeded: ({ service, said }) => `${service} has no room left right now.${said}`,
  not_configured: ({ service, said }) =>
    `${service} is not configured on this server.${said} Its operator has to set it up.`,
  cancelled: ({ subject }) => `${subject} was stopped before it finished.`,
  approval_denied: ({ subject }) => `The user did not allow ${subject}.`,
}

/**
 * What is said in English of a failure of this type, to models as to people: a question to whoever can answer it, a plain
 * statement otherwise.
 */
export function failureInEnglish(type: string, facts: FailureFacts): string {
  const service = facts.title ? `The service behind "${facts.title}"` : 'The service'
  const said = reasonGiven(facts.reason)
  const subject = facts.title ? `"${facts.title}"` : 'The tool'
  const words = { ...facts, subject, service, said }
  const wording = (facts.isAsked ? questions : statements)[type]
  if (facts.isAsked) return wording?.(words) ?? `${subject} failed.${said} What should be changed?`
  return wording?.(words) ?? `${subject} failed.${said || ' No reason was given.'}`
}

/** Full stops of any script that our own sentence ends with itself. */
const ends = /[.!。！।]+$/

/** Somebody else's words, quoted in a sentence of ours; empty if there are none. */
function reasonGiven(reason: string): string {
  return reason === '' ? '' : ` Reason given: "${reason.replace(ends, '')}".`
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:ch|s|x)$/.test(noun) ? `${noun}es` : `${noun}s`
}

function place(parameter: string | undefined): string {
  return parameter ? `"${parameter}"` : 'one of the values'
}

function waiting(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return 'It can be tried again later.'
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return `It can be tried again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`
}

const english =
  (type: string): Say =>
  ({ values, tool }) => {
    const { words, parameter, reason, retryAfterMs, thing, isAsked } = values
    if (typeof words === 'string') return words
    return failureInEnglish(type, {
      isAsked: isAsked === true,
      title: tool,
      parameter: typeof parameter === 'string' ? parameter : undefined,
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
      reason: typeof reason === 'string' ? reason : '',
      thing: typeof thing === 'string' ? thing : 'item',
    })
  }

/** About a value: by its field, not by its path, and in its author's words if there are any. */
const unfitInEnglish =
  (type: string): Say =>
  (about) => {
    const { field, unfit, values } = about
    if (field === '' || values.words !== undefined) return english(type)(about)
    if (unfit !== undefined) return unfit
    const asked = `There seems to be an issue with the ${field}.${reasonGiven(String(values.reason ?? ''))}`
    return { asked, hint: 'Please check it and correct it.' }
  }

/** Sentences that are whole keep their own ends. */
const failedInEnglish: Say = (about) => {
  const { tool, values } = about
  const { reason, isWhole } = values
  if (isWhole !== true || typeof reason !== 'string') return english('execution_error')(about)
  const end = /[.!?。！？؟।]$/.test(reason) ? '' : '.'
  return `${tool === '' ? 'The tool' : `"${tool}"`} failed. Reason given: "${reason}"${end}`
}

const notFoundInEnglish: Say = (about) => {
  const { thing, reason, words } = about.values
  return words !== undefined || thing === 'host'
    ? english('not_found')(about)
    : `Which ${thing ?? 'item'} did you mean? There is no such ${thing ?? 'item'}.${reasonGiven(String(reason ?? ''))}`
}

/** Things that can be missing, in German. */
export const things: Readonly<Record<string, string>> = {
  file: 'Diese Datei',
  document: 'Dieses Dokument',
  page: 'Diese Seite',
  channel: 'Diesen Kanal',
  user: 'Diesen Nutzer',
}

/** A sentence of which only somebody else's words are known stays as it is. */
const german =
  (say: (about: SaidAbout) => string): Say =>
  (about) =>
    typeof about.values.words === 'string' ? ownWords(about.values.words) : say(about)

const serviceOf = ({ tool }: SaidAbout) => (tool ? `Der Dienst hinter „${tool}“` : 'Der Dienst')
const toolOf = ({ tool }: SaidAbout) => (tool ? `„${tool}“` : 'Das')

/** The provider's own words stay as they are, with their own end. */
export function reasonOf({ values: { reason }, show }: SaidAbout): string {
  const given = show.value(reason)
  return given ? ` Begründung: ${given}${/[.!?…]“$/.test(given) ? '' : '.'}` : ''
}

function againOf({ values: { retryAfterMs } }: SaidAbout): string {
  if (typeof retryAfterMs !== 'number') return ''
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return ` Wieder möglich in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`
}

const unfitInGerman = german(
  (about) =>
    `${about.field ? `„${about.field}“` : 'Ein Wert'} passt so nicht.${reasonOf(about)} Bitte korrigiere es.`,
)

/** Why a call failed: the types of tool errors, but for a write that may have happened. */
export const failures = {
  en: {
    missing_parameter: (about) =>
      about.values.parameter === undefined ? english('missing_parameter')(about) : askForValue.en(about),
    invalid_type: unfitInEnglish('invalid_type'),
    invalid_value: unfitInEnglish('invalid_value'),
    unknown_parameter: unfitInEnglish('unknown_parameter'),
    malformed_arguments: () => 'The details of this step could not be read.',
    tool_not_found: () => 'No tool here can do this.',
    not_found: notFoundInEnglish,
    conflict: english('conflict'),
    rate_limit_exceeded: english('rate_limit_exceeded'),
    timeout: english('timeout'),
    unavailable: english('unavailable'),
    not_configured: english('not_configured'),
    authentication_error: english('authentication_error'),
    permission_denied: english('permission_denied'),
    quota_exceeded: english('quota_exceeded'),
    approval_denied: english('approval_denied'),
    cancelled: english('cancelled'),
    execution_error: failedInEnglish,
  },
  de: {
    missing_parameter: (about) =>
      about.values.parameter === undefined
        ? german((one) => `Es fehlt noch eine Angabe.${reasonOf(one)} Was soll ich ergänzen?`)(about)
        : askForValue.de(about),
    invalid_type: unfitInGerman,
    invalid_value: unfitInGerman,
    unknown_parameter: unfitInGerman,
    malformed_arguments: () => 'Die Angaben zu diesem Schritt waren nicht lesbar.',
    tool_not_found: () => 'Dafür gibt es hier kein Werkzeug.',
    not_found: german(
      (about) =>
        `${things[String(about.values.thing)] ?? 'Das'} gibt es dort nicht.${reasonOf(about)} Was meinst du?`,
    ),
    conflict: german(
      (about) => `Das widerspricht etwas, das schon da ist oder sich geändert hat.${reasonOf(about)}`,
    ),
    rate_limit_exceeded: german(
      (about) => `${serviceOf(about)} nimmt gerade nichts mehr an.${reasonOf(about)}${againOf(about)}`,
    ),
    timeout: german((about) => `${toolOf(about)} hat nicht rechtzeitig geantwortet.${reasonOf(about)}`),
    unavailable: german(
      (about) => `${serviceOf(about)} ist gerade nicht erreichbar.${reasonOf(about)}${againOf(about)}`,
    ),
    not_configured: german((about) => `${serviceOf(about)} ist nicht eingerichtet.${reasonOf(about)}`),
    authentication_error: german(
      (about) =>
        `${serviceOf(about)} nimmt die hinterlegten Zugangsdaten nicht an.${reasonOf(about)} Prüfe sie in den Einstellungen.`,
    ),
    permission_denied: german((about) => `${serviceOf(about)} erlaubt das nicht.${reasonOf(about)}`),
    quota_exceeded: german((about) => `${serviceOf(about)} hat eine Grenze erreicht.${reasonOf(about)}`),
    approval_denied: () => 'Das hast du nicht erlaubt.',
    cancelled: german((about) => `${toolOf(about)} wurde gestoppt, bevor es fertig war.`),
    execution_error: german((about) => `${toolOf(about)} hat nicht geklappt.${reasonOf(about)}`),
  },
} satisfies Subject<
  | 'missing_parameter'
  | 'invalid_type'
  | 'invalid_value'
  | 'unknown_parameter'
  | 'malformed_arguments'
  | 'tool_not_found'
  | 'not_found'
  | 'conflict'
  | 'rate_limit_exceeded'
  | 'timeout'
  | 'unavailable'
  | 'not_configured'
  | 'authentication_error'
  | 'permission_denied'
  | 'quota_exceeded'
  | 'approval_denied'
  | 'cancelled'
  | 'execution_error'
>
