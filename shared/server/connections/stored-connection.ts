import { z } from 'zod'
import { ToolCallError } from '../../engine/core/tool-error.ts'
import { corruptedSecret, missingCredentialsKey } from '../../integrations/definition/connection-error.ts'
import type { IntegrationProvider } from '../../integrations/definition/integration.ts'
import type { Keyring } from '../credentials/keyring.ts'
import { openSecret, SecretError } from '../credentials/sealed-secret.ts'

/** A connection as the database holds it. */
export const storedConnectionSchema = z.object({
  id: z.string(),
  provider: z.string(),
  label: z.string(),
  status: z.enum(['active', 'broken']),
  metadata: z.record(z.string(), z.unknown()),
  secrets: z.array(
    z.object({ field: z.string(), ciphertext: z.string(), keyId: z.string(), version: z.number() }),
  ),
})
export type StoredConnection = z.infer<typeof storedConnectionSchema>

/** A connection inside the one function that may see it. */
export interface OpenConnection {
  id: string
  provider: IntegrationProvider
  label: string
  status: 'active' | 'broken'
  /** Metadata and decrypted secrets by field. */
  values: Record<string, unknown>
  /** The decrypted secrets alone: nothing that holds one may leave the function. */
  secrets: string[]
}

/** Decrypts a connection. Throws ToolCallError when a secret is corrupted or its key is not here. */
export async function openConnection(
  stored: StoredConnection,
  facts: { userId: string; provider: IntegrationProvider; keyring: Keyring },
): Promise<OpenConnection> {
  const { userId, provider, keyring } = facts
  const owner = { connectionId: stored.id, userId, provider: stored.provider }
  const opened: Record<string, string> = {}
  for (const secret of stored.secrets) {
    opened[secret.field] = await openSecret(keyring, owner, secret).catch((cause) => {
      throw unusableSecret(cause, provider)
    })
  }
  return {
    id: stored.id,
    provider,
    label: stored.label,
    status: stored.status,
    values: { ...stored.metadata, ...opened },
    secrets: Object.values(opened),
  }
}

function unusableSecret(cause: unknown, provider: IntegrationProvider): unknown {
  if (!(cause instanceof SecretError)) return cause
  return new ToolCallError(
    cause.kind === 'corrupted' ? corruptedSecret(provider, cause.field) : missingCredentialsKey(),
  )
}
