import { z } from 'zod'
import { ToolCallError, type ToolError } from '../../engine/core/tool-error.ts'
import { corruptedSecret } from '../../integrations/definition/connection-error.ts'
import type { IntegrationProvider } from '../../integrations/definition/integration.ts'
import type { Keyring } from '../credentials/keyring.ts'
import { missingCredentialsKey } from '../credentials/missing-key.ts'
import { openSecret, SecretError } from '../credentials/sealed-secret.ts'
import { writeLog } from '../log/log-line.ts'
import { createTokenSource, type TokenSettings } from '../oauth/access-token.ts'

/** A connection as stored in the database. */
export const storedConnectionSchema = z.object({
  id: z.string(),
  provider: z.string(),
  label: z.string(),
  account: z.string().nullable(),
  status: z.enum(['connected', 'failed', 'expired']),
  /** The permissions that the user granted, for a provider with OAuth. */
  scopes: z.array(z.string()).nullable(),
  /** The agent's owner has chosen it for this tool. */
  pinned: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  secrets: z.array(
    z.object({ field: z.string(), ciphertext: z.string(), keyId: z.string(), version: z.number() }),
  ),
})
export type StoredConnection = z.infer<typeof storedConnectionSchema>

/** A connection that an action can choose, whose secrets are only opened on demand. */
export interface ConnectionHandle {
  id: string
  provider: IntegrationProvider
  label: string
  /** The address or account name it acts as. */
  account: string | null
  status: StoredConnection['status']
  scopes: readonly string[]
  pinned: boolean
  /** The values that the owner may read. */
  metadata: Record<string, unknown>
  /** Decrypts it. Rejects with ToolCallError if a secret is corrupted or its key is missing. */
  open(): Promise<OpenConnection>
  /** Records why the user has to repair it, if another one is used instead. */
  reject(error: ToolError): void
}

/** A connection with its secrets, inside the only function that may see them. */
export interface OpenConnection {
  id: string
  provider: IntegrationProvider
  label: string
  account: string | null
  status: StoredConnection['status']
  /** Metadata and decrypted secrets by field. */
  values: Record<string, unknown>
  /**
   * The token for calling a provider with OAuth; refreshed if it has expired, or if it equals `instead`, which the provider
   * has refused. Rejects with ToolCallError if the user has to sign in again. The tokens are not among the
   * values.
   */
  accessToken(options?: { instead?: string }): Promise<string>
}

/** What is needed to open connections. */
export interface OpeningFacts {
  userId: string
  providers: readonly IntegrationProvider[]
  openKeyring: () => Promise<Keyring>
  tokens: TokenSettings
  /** Called with every decrypted secret: nothing that contains one may leave the function. */
  onSecret: (secret: string) => void
  onOpen?: (connectionId: string) => void
  onReject?: (connectionId: string, error: ToolError) => void
}

/** Handles for the connections of a tool; none of them is opened yet. */
export function createConnectionHandles(
  stored: readonly StoredConnection[],
  facts: OpeningFacts,
): ConnectionHandle[] {
  return stored.map((connection) => {
    const provider = facts.providers.find(({ id }) => id === connection.provider)
    if (!provider) throw new Error(`The provider "${connection.provider}" is not one of this function.`)
    const { id, label, account, status, scopes, pinned, metadata } = connection
    let opened: Promise<OpenConnection> | undefined
    return {
      id,
      provider,
      label,
      account,
      status,
      scopes: scopes ?? [],
      pinned,
      metadata,
      reject: (error) => facts.onReject?.(id, error),
      open() {
        facts.onOpen?.(id)
        opened ??= openConnection(connection, provider, facts)
        return opened
      },
    }
  })
}

async function openConnection(
  stored: StoredConnection,
  provider: IntegrationProvider,
  { userId, openKeyring, tokens, onSecret }: OpeningFacts,
): Promise<OpenConnection> {
  const { id, label, account, status, metadata } = stored
  const values: Record<string, unknown> = { ...metadata }
  const accessToken = createTokenSource(
    {
      id,
      userId,
      provider,
      openKeyring,
      onSecret,
      unusableSecret: (cause) => unusableSecret(cause, provider),
    },
    tokens,
  )
  if (!provider.oauth)
    Object.assign(values, await openSecrets(stored, provider, { userId, openKeyring, onSecret }))
  return { id, provider, label, account, status, values, accessToken }
}

/** The secrets of a connection by field. Throws ToolCallError if one is corrupted or its key is missing. */
export async function openSecrets(
  { id, secrets }: Pick<StoredConnection, 'id' | 'secrets'>,
  provider: IntegrationProvider,
  { userId, openKeyring, onSecret }: Pick<OpeningFacts, 'userId' | 'openKeyring' | 'onSecret'>,
): Promise<Record<string, string>> {
  const keyring = await openKeyring()
  const owner = { connectionId: id, userId, provider: provider.id }
  const opened: Record<string, string> = {}
  for (const secret of secrets) {
    const value = await openSecret(keyring, owner, secret).catch((cause) => {
      throw unusableSecret(cause, provider)
    })
    onSecret(value)
    opened[secret.field] = value
  }
  return opened
}

/** What an unreadable secret means for its owner; returns any other cause unchanged. */
export function unusableSecret(cause: unknown, provider: IntegrationProvider): unknown {
  if (!(cause instanceof SecretError)) return cause
  if (cause.kind === 'corrupted') {
    return new ToolCallError(corruptedSecret(provider, provider.oauth ? 'sign-in' : cause.field))
  }
  writeLog('credentials-key-missing', { provider: provider.id, setting: 'ASKBACK_CREDENTIALS_KEYS' }, cause)
  return new ToolCallError(missingCredentialsKey())
}
