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
export function reasonGiven(reason: string): string {
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
