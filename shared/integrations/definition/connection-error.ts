import { type Asked, type Said, sentenceOf } from '../../engine/core/asked.ts'
import { type ToolError, toolError } from '../../engine/core/tool-error.ts'
import { settingsLink } from '../../engine/wording/settings-link.ts'
import { inWords } from '../../words/in-words.ts'
import { type IntegrationProvider, secretFields } from './integration.ts'

/** A link to the settings page where users set up, repair and remove connections. `wanted`: the tool a sign-in must allow. */
function linkToSettings(provider: IntegrationProvider, label: string, wanted?: string) {
  const tools = provider.oauth && wanted !== undefined ? `&tools=${encodeURIComponent(wanted)}` : ''
  return { action: { label, href: `${settingsLink(provider.id)}${tools}` } }
}

/** A question about a connection, as a sentence and in its parts; people are told `forPeople` instead. */
function connectionError(
  errorType: 'not_configured' | 'authentication_error',
  { name }: IntegrationProvider,
  { code, values, ...words }: Asked,
  details: ToolError['details'],
  forPeople?: string,
): ToolError {
  const said = forPeople === undefined ? words : { asked: forPeople }
  const asked = { code, values: { provider: name, ...values }, ...said }
  return toolError(errorType, `Question: ${sentenceOf(words)}`, { details: { ...details, asked } })
}

/** What is known about a call that needs a connection. */
interface Need {
  /** A tool or `tool:action` that a sign-in must allow. */
  wanted?: string
  /** The tool's title. */
  title?: string | undefined
  /** Providers that would also do. */
  others?: readonly IntegrationProvider[]
}

/** The user has no connection yet. */
export function notConnected(
  provider: IntegrationProvider,
  { wanted, title, others = [] }: Need = {},
): ToolError {
  const { asked, hint, isKey } = setUpSentences(provider)
  const names = others.map(({ name }) => name)
  const choice = names.length === 0 ? '' : ` ${inWords(names, 'or')} will do as well.`
  const because = names.length === 0 ? undefined : `The ${provider.service} service needs to be configured.`
  const purpose = title?.replace(/^\p{Lu}(?=\p{Ll}* )/u, (letter) => letter.toLowerCase()) ?? provider.purpose
  const keyOf = inWords([provider.name, ...names], 'or')
  return connectionError(
    'not_configured',
    provider,
    {
      code: 'connection_missing',
      values: {
        providerId: provider.id,
        service: provider.service,
        purpose: provider.purpose,
        isKey,
        ...(names.length > 0 ? { others: names } : {}),
        ...(wanted === undefined ? {} : { toolName: wanted.split(':')[0] }),
      },
      ...(because === undefined ? {} : { because }),
      asked,
      hint: `${hint}${choice}`,
    },
    linkToSettings(provider, `Connect ${provider.name}`, wanted),
    isKey ? `To ${purpose} I need a key from ${keyOf}.` : undefined,
  )
}

/** What to set up: an account to connect, one secret to add (`isKey`), or the required fields of the connection. */
function setUpSentences(provider: IntegrationProvider): { asked: string; hint: string; isKey: boolean } {
  const { name, purpose, oauth, connection } = provider
  const fields = oauth ? [] : (connection.required ?? [])
  const titles = fields.map((field) => readTitle(provider, field))
  const isKey = fields.length === 1 && fields.every((field) => secretFields(provider).includes(field))
  const missing = isKey ? `${name} ${titles[0]}` : inWords(titles)
  const request = fields.length === 0 ? `connect your ${name} account` : `add your ${missing}`
  return {
    asked: isKey ? `No ${titles[0]} found for ${name}.` : `Your ${name} service needs to be set up.`,
    hint: `Please ${request} in the integration settings before I can ${purpose}.`,
    isKey,
  }
}

/** The user is connected, but has not granted what this needs; `what` is the tool's title. */
export function missingScope(
  provider: IntegrationProvider,
  { what = 'this', wanted }: { what?: string | undefined; wanted?: string } = {},
): ToolError {
  return connectionError(
    'authentication_error',
    provider,
    {
      code: 'permission_missing',
      values: { tool: what, ...(wanted === undefined ? {} : { toolName: wanted.split(':')[0] }) },
      asked: `Your ${provider.name} connection does not allow ${what} yet.`,
      hint: `Please reconnect ${provider.name} in the integration settings and grant the permission it asks for.`,
    },
    linkToSettings(provider, `Reconnect ${provider.name}`, wanted),
  )
}

/** The provider wants the user to sign in again. */
export function signInAgain(provider: IntegrationProvider): ToolError {
  return rejectedCredentials(
    provider,
    `Your sign-in at ${provider.name} has expired or was withdrawn.`,
    `Please reconnect ${provider.name} in the integration settings.`,
    'sign_in_again',
  )
}

/**
 * There is a connection, but it cannot be used; `fault` is a sentence without its end, "the sender is not an address",
 * which is `said`, and `parameter` the field that it is about.
 */
export function unusableConnection(
  provider: IntegrationProvider,
  fault: string,
  said: Said,
  parameter?: string,
): ToolError {
  return connectionError(
    'not_configured',
    provider,
    {
      code: 'connection_unusable',
      values: { why: said.code, whyText: `${fault}.`, ...(said.values ? { whyValues: said.values } : {}) },
      asked: `The ${provider.service} service needs to be configured.`,
      hint: `Please correct your ${provider.name} connection in the integration settings: ${fault}.`,
    },
    {
      ...(parameter === undefined ? {} : { parameter }),
      ...linkToSettings(provider, `Edit the ${provider.name} connection`),
    },
  )
}

/** The provider rejects the stored credentials; `advice` is a sentence on what to enter instead. */
export function rejectedCredentials(
  provider: IntegrationProvider,
  problem: string,
  advice: string,
  code: 'connection_refused' | 'key_refused' | 'sign_in_again' = 'connection_refused',
): ToolError {
  return connectionError(
    'authentication_error',
    provider,
    { code, values: { problem }, asked: problem, hint: advice },
    linkToSettings(provider, `Reconnect ${provider.name}`),
  )
}

/** A stored secret was changed, moved or never encrypted: only the user has the right one. */
export function corruptedSecret(provider: IntegrationProvider, field: string): ToolError {
  const what = `${provider.name} ${readTitle(provider, field)}`
  return connectionError(
    'authentication_error',
    provider,
    {
      code: 'secret_corrupted',
      values: { field: readTitle(provider, field) },
      asked: `Your ${what} appears to be corrupted.`,
      hint: `Please delete and re-add your ${what} in the integration settings.`,
    },
    { parameter: field, ...linkToSettings(provider, `Reconnect ${provider.name}`) },
  )
}

/** What sentences call a field of a connection. */
function readTitle(provider: IntegrationProvider, field: string): string {
  const schema = provider.connection.properties?.[field]
  return (typeof schema === 'object' && schema.title) || field
}
