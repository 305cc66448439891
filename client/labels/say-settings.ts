import { sayForm } from '../../shared/words/form-words.ts'
import { providerOf, sayOwn } from '../../shared/words/say.ts'
import type { Provider } from '../api/connection.ts'
import type { Labels } from './en.ts'

/** A provider, translated if it is one of ours. */
export function sayProvider(labels: Labels, provider: Provider): Provider {
  const { scopes } = labels
  const own = providerOf(labels, provider.id, provider.service, provider)
  return {
    ...provider,
    ...(own ? { description: own.description, connection: sayForm(own, provider.connection) } : {}),
    connections: provider.connections.map((connection) => {
      const { scopes: granted = [], allowed, lastError, lastSaid } = connection
      const said = granted.flatMap((scope) => (Object.hasOwn(scopes, scope) ? [scopes[scope] ?? ''] : []))
      return {
        ...connection,
        ...(allowed && said.length === allowed.length ? { allowed: said } : {}),
        ...(lastError ? { lastError: sayOwn(labels, { ...lastSaid, text: lastError }) } : {}),
      }
    }),
  }
}

/** The label of an allowed value of a parameter. */
export function sayChoice({ tools }: Labels, toolName: string, parameter: string, choice: string): string {
  const fields = Object.hasOwn(tools, toolName) ? tools[toolName]?.fields : undefined
  return fields?.[parameter]?.choices?.[choice] ?? choice.replaceAll('_', ' ')
}
