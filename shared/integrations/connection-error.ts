import { type ToolError, toolError } from '../errors/tool-error.ts'
import type { IntegrationProvider } from './integration.ts'

/** Where a user sets up, mends and removes connections. */
function settingsOf(provider: IntegrationProvider, label: string) {
  return { action: { label, href: `/settings/integrations?provider=${provider.id}` } }
}

/** The user has no connection yet. */
export function notConnected(provider: IntegrationProvider): ToolError {
  return toolError('not_configured', `Question: ${provider.setUpQuestion}`, {
    details: settingsOf(provider, `Connect ${provider.name}`),
  })
}

/** There is a connection, but not one that can be used; `fault` ends the sentence: "its sender is not an address". */
export function unusableConnection(provider: IntegrationProvider, fault: string): ToolError {
  return toolError(
    'not_configured',
    `Question: Your ${provider.name} connection cannot be used: ${fault}. Please correct it in the integration settings.`,
    { details: settingsOf(provider, `Edit the ${provider.name} connection`) },
  )
}

/** The provider does not accept the stored credentials; `advice` is a sentence on what to enter instead. */
export function rejectedCredentials(
  provider: IntegrationProvider,
  problem: string,
  advice: string,
): ToolError {
  return toolError('authentication_error', `Question: ${problem} ${advice}`, {
    details: settingsOf(provider, `Reconnect ${provider.name}`),
  })
}

/** A stored secret was changed, moved or never encrypted: only the user has the right one. */
export function corruptedSecret(provider: IntegrationProvider, field: string): ToolError {
  const schema = provider.connection.properties?.[field]
  const title = (typeof schema === 'object' && schema.title) || field
  const what = `${provider.name} ${title}`
  return toolError(
    'authentication_error',
    `Question: Your ${what} appears to be corrupted. Please delete and re-add your ${what} in the integration settings.`,
    { details: { parameter: field, ...settingsOf(provider, `Reconnect ${provider.name}`) } },
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
