import { type ToolError, toolError } from '../../engine/core/tool-error.ts'
import { settingsLink } from '../../engine/wording/settings-link.ts'
import { type IntegrationProvider, secretFields } from './integration.ts'

/** Where a user sets up, mends and removes connections. `wanted`: the tool that the sign-in has to allow. */
function linkToSettings(provider: IntegrationProvider, label: string, wanted?: string) {
  const tools = provider.oauth && wanted !== undefined ? `&tools=${encodeURIComponent(wanted)}` : ''
  return { action: { label, href: `${settingsLink(provider.id)}${tools}` } }
}

/**
 * The user has no connection yet; `wanted`, a tool or `tool:action`, says what a sign-in has to allow. `others` are
 * providers that would do as well.
 */
export function notConnected(
  provider: IntegrationProvider,
  wanted?: string,
  others: readonly IntegrationProvider[] = [],
): ToolError {
  const service = `The ${provider.service} service needs to be configured. `
  const choice =
    others.length === 0
      ? ''
      : ` ${inWords(
          others.map(({ name }) => name),
          'or',
        )} will do as well.`
  const question = `${others.length === 0 ? '' : service}${setUpSentences(provider)}${choice}`
  return toolError('not_configured', `Question: ${question}`, {
    details: linkToSettings(provider, `Connect ${provider.name}`, wanted),
  })
}

/** What to set up: an account to connect, one secret to add, or the required fields of the connection. */
function setUpSentences(provider: IntegrationProvider): string {
  const { name, purpose, oauth, connection } = provider
  const fields = oauth ? [] : (connection.required ?? [])
  const titles = fields.map((field) => readTitle(provider, field))
  const key = fields.length === 1 && fields.every((field) => secretFields(provider).includes(field))
  const problem = key ? `No ${titles[0]} found for ${name}.` : `Your ${name} service needs to be set up.`
  const missing = key ? `${name} ${titles[0]}` : inWords(titles)
  const request = fields.length === 0 ? `connect your ${name} account` : `add your ${missing}`
  return `${problem} Please ${request} in the integration settings before I can ${purpose}.`
}

/** The user is connected, but has not granted what this needs; `what`: the title of the tool. */
export function missingScope(
  provider: IntegrationProvider,
  { what = 'this', wanted }: { what?: string | undefined; wanted?: string } = {},
): ToolError {
  return toolError(
    'authentication_error',
    `Question: Your ${provider.name} connection does not allow ${what} yet. Please reconnect ${provider.name} in the integration settings and grant the permission it asks for.`,
    { details: linkToSettings(provider, `Reconnect ${provider.name}`, wanted) },
  )
}

/** The provider wants the user to sign in anew. */
export function signInAgain(provider: IntegrationProvider): ToolError {
  return rejectedCredentials(
    provider,
    `Your sign-in at ${provider.name} has expired or was withdrawn.`,
    `Please reconnect ${provider.name} in the integration settings.`,
  )
}

/** There is a connection, but not one that can be used; `fault` ends the sentence: "its sender is not an address". */
export function unusableConnection(provider: IntegrationProvider, fault: string): ToolError {
  return toolError(
    'not_configured',
    `Question: The ${provider.service} service needs to be configured. Please correct your ${provider.name} connection in the integration settings: ${fault}.`,
    { details: linkToSettings(provider, `Edit the ${provider.name} connection`) },
  )
}

/** The provider does not accept the stored credentials; `advice` is a sentence on what to enter instead. */
export function rejectedCredentials(
  provider: IntegrationProvider,
  problem: string,
  advice: string,
): ToolError {
  return toolError('authentication_error', `Question: ${problem} ${advice}`, {
    details: linkToSettings(provider, `Reconnect ${provider.name}`),
  })
}

/** A stored secret was changed, moved or never encrypted: only the user has the right one. */
export function corruptedSecret(provider: IntegrationProvider, field: string): ToolError {
  const what = `${provider.name} ${readTitle(provider, field)}`
  return toolError(
    'authentication_error',
    `Question: Your ${what} appears to be corrupted. Please delete and re-add your ${what} in the integration settings.`,
    { details: { parameter: field, ...linkToSettings(provider, `Reconnect ${provider.name}`) } },
  )
}

/** The operator removed a key that stored secrets need, or set none: deleting the credentials would not help. */
export function missingCredentialsKey(): ToolError {
  return toolError(
    'not_configured',
    'Stored credentials cannot be opened because this server lacks the key they were encrypted with. The operator has to restore it in ASKBACK_CREDENTIALS_KEYS; the credentials themselves are intact.',
    { resolver: 'nobody' },
  )
}

/** How sentences name a field of a connection. */
function readTitle(provider: IntegrationProvider, field: string): string {
  const schema = provider.connection.properties?.[field]
  return (typeof schema === 'object' && schema.title) || field
}

/** "a", "a and b", "a, b and c". */
function inWords(names: readonly string[], last: 'and' | 'or' = 'and'): string {
  return names.join(', ').replace(/, ([^,]*)$/, ` ${last} $1`)
}
