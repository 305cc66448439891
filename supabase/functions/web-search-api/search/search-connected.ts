import {
  ToolCallError,
  type ToolError,
  type ToolErrorType,
} from '../../../../shared/engine/core/tool-error.ts'
import { unusableConnection } from '../../../../shared/integrations/definition/connection-error.ts'
import type { IntegrationProvider } from '../../../../shared/integrations/definition/integration.ts'
import { askProvider } from './ask-provider.ts'
import { searchProviders } from './providers.ts'
import type { FoundPage, Search, SearchKind, SearchProvider } from './search-provider.ts'

/** How the providers are reached. */
export interface Reach {
  baseURL(provider: SearchProvider): string
  signal: AbortSignal
}

/** A connection to a provider, opened when it is needed. */
export interface SearchConnection {
  provider: IntegrationProvider
  open(): Promise<{ values: Record<string, unknown> }>
  reject(error: ToolError): void
}

/** Failures after which the next provider is tried: any except an invalid call. */
const passedOn = new Set<ToolErrorType>([
  'quota_exceeded',
  'rate_limit_exceeded',
  'unavailable',
  'timeout',
  'authentication_error',
  'permission_denied',
  'not_configured',
  'execution_error',
])

/**
 * Searches with the first connection that answers, in the user's order. If none does, throws a failure that the clock can
 * resolve, else the first one's, as a ToolCallError.
 */
export async function searchConnected(
  kind: SearchKind,
  search: Search,
  connections: readonly SearchConnection[],
  reach: Reach,
): Promise<{ results: FoundPage[]; provider: string }> {
  const failures: ToolError[] = []
  for (const connection of connections) {
    const about = connection.provider
    try {
      const { values } = await connection.open()
      return { results: await searchWith(kind, search, about, values, reach), provider: about.id }
    } catch (cause) {
      if (!(cause instanceof ToolCallError && passedOn.has(cause.toolError.errorType))) throw cause
      failures.push(cause.toolError)
      if (cause.toolError.errorType === 'authentication_error') connection.reject(cause.toolError)
    }
  }
  const failure = failures.find(({ resolver }) => resolver === 'time') ?? failures[0]
  if (!failure) throw new Error('A search needs a connection.')
  throw new ToolCallError(failure)
}

/** Searches with the values of one connection. Throws ToolCallError. */
export async function searchWith(
  kind: SearchKind,
  search: Search,
  about: IntegrationProvider,
  values: Record<string, unknown>,
  { baseURL, signal }: Reach,
): Promise<FoundPage[]> {
  const key = String(values.api_key ?? '').trim()
  // A key must be valid in a header.
  if (!/^[!-~]+$/.test(key)) throw new ToolCallError(unusableConnection(about, { code: 'key_unfit' }))
  const provider = searchProviders.find(({ id }) => id === about.id)
  if (!provider) throw new Error(`There is no search provider "${about.id}".`)
  return await askProvider(kind, search, { provider, about, baseURL: baseURL(provider), key, signal })
}
