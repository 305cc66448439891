import { type Said, sentenceOf } from '../../engine/core/asked.ts'
import { type ToolError, toolError } from '../../engine/core/tool-error.ts'
import { settingsLink } from '../../engine/wording/settings-link.ts'
import { inEnglish } from '../../words/languages/in-english.ts'
import { setUpInEnglish } from '../../words/sentences/connections.ts'
import { type IntegrationProvider, secretFields } from './integration.ts'

/** A link to the settings page where users set up, repair and remove connections. `wanted`: the tool a sign-in must allow. */
function linkToSettings(provider: IntegrationProvider, label: string, wanted?: string) {
  const tools = provider.oauth && wanted !== undefined ? `&tools=${encodeURIComponent(wanted)}` : ''
  return { action: { label, href: `${settingsLink(provider.id)}${tools}` } }
}

/** A question about a connection. `forModel`: what models are told of it, if it is not what people are told. */
function connectionError(
  errorType: 'not_configured' | 'authentication_error',
  { name }: IntegrationProvider,
  { code, values }: Said,
  details: ToolError['details'],
  forModel?: string,
): ToolError {
  const said: Said = { code, values: { provider: name, ...values } }
  return toolError(errorType, `Question: ${forModel ?? inEnglish(said)}`, {
    details: { ...details, asked: said },
  })
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
  const { id, name, service, purpose, oauth, connection } = provider
  const required = oauth ? [] : (connection.required ?? [])
  const fields = required.map((field) => readTitle(provider, field))
  const isKey = required.length === 1 && required.every((field) => secretFields(provider).includes(field))
  const names = others.map((other) => other.name)
  const missing = {
    service,
    purpose,
    isKey,
    fields: fields.length > 0 ? fields : undefined,
    others: names.length > 0 ? names : undefined,
  }
  const tool = { tool: title, toolName: wanted?.split(':')[0] }
  return connectionError(
    'not_configured',
    provider,
    { code: 'connection_missing', values: { providerId: id, ...missing, ...tool } },
    linkToSettings(provider, `Connect ${name}`, wanted),
    sentenceOf(setUpInEnglish({ provider: name, ...missing })),
  )
}

/** The user is connected, but has not granted what this needs; `what` is the tool's title. */
export function missingScope(
  provider: IntegrationProvider,
  { what, wanted }: { what?: string | undefined; wanted?: string } = {},
): ToolError {
  const tool = { tool: what, toolName: wanted?.split(':')[0] }
  return connectionError(
    'authentication_error',
    provider,
    { code: 'permission_missing', values: tool },
    linkToSettings(provider, `Reconnect ${provider.name}`, wanted),
  )
}

/** The provider wants the user to sign in again. */
export function signInAgain(provider: IntegrationProvider): ToolError {
  return rejectedCredentials(provider, { code: 'sign_in_again' })
}

/** There is a connection, but it cannot be used; `why` says why not, and `parameter` is the field that it is about. */
export function unusableConnection(provider: IntegrationProvider, why: Said, parameter?: string): ToolError {
  return connectionError(
    'not_configured',
    provider,
    {
      code: 'connection_unusable',
      values: {
        service: provider.service,
        why: why.code,
        whyValues: why.values,
      },
    },
    {
      parameter,
      ...linkToSettings(provider, `Edit the ${provider.name} connection`),
    },
  )
}

/** The provider rejects the stored credentials. */
export function rejectedCredentials(
  provider: IntegrationProvider,
  said: Said & { code: 'connection_refused' | 'key_refused' | 'sign_in_again' },
): ToolError {
  return connectionError(
    'authentication_error',
    provider,
    said,
    linkToSettings(provider, `Reconnect ${provider.name}`),
  )
}

/** A stored secret was changed, moved or never encrypted: only the user has the right one. */
export function corruptedSecret(provider: IntegrationProvider, field: string): ToolError {
  return connectionError(
    'authentication_error',
    provider,
    { code: 'secret_corrupted', values: { field: readTitle(provider, field) } },
    { parameter: field, ...linkToSettings(provider, `Reconnect ${provider.name}`) },
  )
}

/** What sentences call a field of a connection. */
function readTitle(provider: IntegrationProvider, field: string): string {
  const schema = provider.connection.properties?.[field]
  return (typeof schema === 'object' && schema.title) || field
}
