import { z } from 'zod'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { isObject } from '../../../shared/engine/core/json-value.ts'
import type { IntegrationProvider, OAuthAccess } from '../../../shared/integrations/definition/integration.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import type { SettingsDependencies } from './dependencies.ts'

/** The part of a connection that its owner may read. */
export const connectionSchema = z.object({
  id: z.string(),
  provider: z.string(),
  label: z.string(),
  account: z.string().nullable(),
  status: z.enum(['connected', 'failed', 'expired', 'disabled']),
  metadata: z.record(z.string(), z.unknown()),
  scopes: z.array(z.string()).nullable(),
  position: z.number(),
  lastError: z.string().nullable(),
  lastSaid: z.object({ code: z.string(), values: z.record(z.string(), z.unknown()).optional() }).nullable(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})
export type Connection = z.infer<typeof connectionSchema>

const providerSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  service: z.string(),
  purpose: z.string(),
  source: z.string(),
  /** The edge function that can test a connection. */
  function: z.string(),
  connection: z.custom<JsonSchema>(isObject),
  oauth: z.custom<OAuthAccess>(isObject).nullable(),
  builtIn: z.boolean(),
  tools: z.array(z.object({ name: z.string(), title: z.string().nullable() })),
  connections: z.array(connectionSchema),
})
/** A provider of the catalogue with the user's connections. */
export type ConnectableProvider = z.infer<typeof providerSchema>

/** Every provider, in catalogue order. */
export function listProviders(rpc: CallRpc, userId: string): Promise<ConnectableProvider[]> {
  const asked = rpc('integration_settings', { p_user_id: userId })
  return askDatabase(asked, z.array(providerSchema), 'settings_not_read')
}

/** One provider. Throws ApiError 404. */
export async function findProvider(rpc: CallRpc, userId: string, id: string): Promise<ConnectableProvider> {
  const asked = rpc('integration_settings', { p_user_id: userId, p_provider: id })
  const [provider] = await askDatabase(asked, z.array(providerSchema), 'settings_not_read')
  if (provider) return provider
  throw unknownProvider(id)
}

/** A provider whose integration is in this project, so that it can be connected. Throws ApiError 404. */
export async function findInstalled(
  { rpc, isInstalled }: Pick<SettingsDependencies, 'rpc' | 'isInstalled'>,
  userId: string,
  id: string,
): Promise<ConnectableProvider> {
  const provider = await findProvider(rpc, userId, id)
  if (isInstalled(provider)) return provider
  throw unknownProvider(id)
}

function unknownProvider(id: string): ApiError {
  return new ApiError('unknown_provider', { provider: id })
}

/** The provider as the integrations define it. */
export function definitionOf(provider: ConnectableProvider): IntegrationProvider {
  const { id, name, description, service, purpose, connection, oauth, builtIn } = provider
  return {
    id,
    name,
    description,
    service,
    purpose,
    connection,
    oauth: oauth || undefined,
    builtIn: builtIn || undefined,
  }
}
