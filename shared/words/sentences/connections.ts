import { lowerFirst } from '../first-letter.ts'
import { inWords } from '../in-words.ts'
import type { SaidAbout, SaidParts } from '../said.ts'
import type { Subject } from './subject.ts'

/** What a provider needs before it can be used. */
export interface MissingConnection {
  /** Its name. */
  provider: string
  /** The kind of service. */
  service?: unknown
  /** What it is needed for: `perform web searches`. */
  purpose?: unknown
  /** A single secret is all that is missing. */
  isKey?: unknown
  /** The titles of the fields to fill in; none if people sign in. */
  fields?: readonly string[]
  /** The names of providers that would do as well. */
  others?: readonly string[]
}

/** In English, what to set up, as models are told. */
export function setUpInEnglish({
  provider,
  service,
  purpose,
  isKey,
  fields = [],
  others = [],
}: MissingConnection): SaidParts {
  const missing = isKey === true ? `${provider} ${fields[0]}` : inWords(fields)
  const request = fields.length === 0 ? `connect your ${provider} account` : `add your ${missing}`
  const choice = others.length === 0 ? '' : ` ${inWords(others, 'or')} will do as well.`
  return {
    because: others.length === 0 || !service ? undefined : `The ${service} service needs to be configured.`,
    asked:
      isKey === true
        ? `No ${fields[0]} found for ${provider}.`
        : `Your ${provider} service needs to be set up.`,
    hint: `Please ${request} in the integration settings${purpose ? ` before I can ${purpose}` : ''}.${choice}`,
  }
}

/** In English, what a mail server said against the credentials. */
export function problemInEnglish({ host, reason, refused }: SaidAbout['values']): string {
  const what = refused === 'sending' ? 'let you send' : 'accept your user name and password'
  return `${host === undefined ? 'The provider' : `The mail server ${host}`} did not ${what}${saidInEnglish(reason)}.`
}

/** Somebody else's words, marked as a quotation: they come from outside. */
export function saidInEnglish(reason: unknown): string {
  return typeof reason === 'string' && reason !== ''
    ? `; it said: "${reason.replaceAll('"', "'").replace(/[.!]$/, '')}"`
    : ''
}

/** In English, what to connect: `a mail account`, `a search service: SearXNG or Serper`. */
function accountInEnglish({ provider, values }: SaidAbout): string {
  const { service } = values
  const others = namesIn(values.others)
  // What takes a single field, such as an address, has no accounts.
  const kind = namesIn(values.fields).length === 1 ? 'service' : 'account'
  const named =
    typeof service !== 'string' ? provider : `${/^[aeiou]/i.test(service) ? 'an' : 'a'} ${service} ${kind}`
  return others.length === 0 ? named : `${named}: ${inWords([provider, ...others], 'or')}`
}

/** The same in German: `ein Mailkonto`. */
export function accountsInGerman({ provider, account, values, show }: SaidAbout): string {
  const others = namesIn(values.others)
  const names = show.list([provider, ...others], 'disjunction')
  if (account === undefined) return names
  return others.length === 0 ? account : `${account}: ${names}`
}

const namesIn = (others: unknown): string[] => (Array.isArray(others) ? others.map(String) : [])

/** A tool, and the only action of it that is meant: `"Read emails" (delete)`. */
export function toolInShort(
  { tool, choice, values: { value } }: SaidAbout,
  [open, close]: readonly [string, string],
): string {
  const named = `${open}${tool}${close}`
  return typeof value === 'string' && value !== ''
    ? `${named} (${choice ?? value.replaceAll('_', ' ')})`
    : named
}

/** What is said of connections that are missing or do not work. */
export const connections = {
  en: {
    connection_missing: (about) => {
      const { provider, tool, values } = about
      const others = namesIn(values.others)
      return values.isKey === true
        ? `${tool === '' && !values.purpose ? 'For this' : `To ${tool === '' ? values.purpose : lowerFirst(tool)}`} I need a key from ${inWords([provider, ...others], 'or')}.`
        : `Connect ${accountInEnglish(about)} first.`
    },
    permission_missing: ({ provider, tool }) => ({
      asked: `Your ${provider} connection does not allow ${tool === '' ? 'this' : tool} yet.`,
      hint: `Please reconnect ${provider} in the integration settings and grant the permission it asks for.`,
    }),
    tool_not_permitted: (about) =>
      `${toolInShort(about, ['"', '"'])} needs a permission that this ${about.provider} connection was not given. Reconnect ${about.provider} and allow it.`,
    connection_unusable: ({ provider, values: { service }, why }) => ({
      asked: `${service === undefined ? provider : `The ${service} service`} needs to be configured.`,
      hint: `Please correct your ${provider} connection in the integration settings: ${lowerFirst(why() ?? 'it does not work.')}`,
    }),
    connection_refused: ({ values }) => ({
      asked: problemInEnglish(values),
      hint:
        values.refused === 'sending'
          ? 'Please check the connection in the integration settings.'
          : 'Please check them in the integration settings; many providers need an app password for this.',
    }),
    key_refused: ({ provider, values: { isNew } }) =>
      isNew === true
        ? {
            asked: `${provider} does not accept this API key.`,
            hint: 'Please copy it again from your account there.',
          }
        : {
            asked: `${provider} does not accept your API key.`,
            hint: 'Please check it, and enter it again in the integration settings.',
          },
    sign_in_again: ({ provider }) => ({
      asked: `Your sign-in with ${provider} has expired or was withdrawn.`,
      hint: `Please reconnect ${provider} in the integration settings.`,
    }),
    secret_corrupted: ({ provider, field }) => ({
      asked: `Your ${provider} ${field || 'secret'} appears to be corrupted.`,
      hint: `Please delete and re-add your ${provider} ${field || 'secret'} in the integration settings.`,
    }),
    secrets_locked: () =>
      'Stored credentials cannot be opened because this server lacks the key they were encrypted with. Its operator has to restore it; the credentials themselves are intact.',
    sign_in_not_set_up: ({ provider }) =>
      `Signing in with ${provider} is not set up here. The operator has to register an app at the provider and set its client id and secret.`,
    sign_in_being_renewed: ({ provider }) =>
      `The sign-in with ${provider} is being renewed, which is taking longer than usual. Try again in a minute.`,
  },
  de: {
    connection_missing: (about) => {
      const { provider, purpose, values, show } = about
      const names = [provider, ...namesIn(values.others)]
      return values.isKey === true
        ? `${purpose ? `Um ${purpose}, ` : 'Dafür '}brauche ich einen Schlüssel von ${show.list(names, 'disjunction')}.`
        : `Verbinde zuerst ${accountsInGerman(about)}.`
    },
    permission_missing: ({ provider, tool }) => ({
      asked: `Deine Verbindung mit ${provider} erlaubt ${tool === '' || tool === 'this' ? 'das' : `„${tool}“`} noch nicht.`,
      hint: `Verbinde ${provider} neu und erlaube, wonach gefragt wird.`,
    }),
    tool_not_permitted: (about) =>
      `Für ${toolInShort(about, ['„', '“'])} fehlt dieser Verbindung mit ${about.provider} eine Berechtigung. Verbinde ${about.provider} neu und erlaube es.`,
    connection_unusable: ({ provider, why }) => ({
      asked: `An deiner Verbindung mit ${provider} stimmt etwas nicht.`,
      hint: [why(), 'Prüfe sie in den Einstellungen.'].filter(Boolean).join(' '),
    }),
    connection_refused: ({ provider }) => ({
      asked: `${provider || 'Der Anbieter'} nimmt die hinterlegten Zugangsdaten nicht an.`,
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
      `Die Anmeldung bei ${provider} wird gerade erneuert. Versuch es in einer Minute noch einmal.`,
  },
} satisfies Subject<
  | 'connection_missing'
  | 'permission_missing'
  | 'tool_not_permitted'
  | 'connection_unusable'
  | 'connection_refused'
  | 'key_refused'
  | 'sign_in_again'
  | 'secret_corrupted'
  | 'secrets_locked'
  | 'sign_in_not_set_up'
  | 'sign_in_being_renewed'
>
