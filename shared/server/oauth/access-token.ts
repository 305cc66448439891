import { z } from 'zod'
import type { Said } from '../../engine/core/asked.ts'
import { waitBeforeTry } from '../../engine/core/backoff.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { saidError, ToolCallError, type ToolError } from '../../engine/core/tool-error.ts'
import { saidOf } from '../../engine/wording/question-for-people.ts'
import { notConnected, signInAgain } from '../../integrations/definition/connection-error.ts'
import type { IntegrationProvider } from '../../integrations/definition/integration.ts'
import type { Keyring } from '../credentials/keyring.ts'
import { openSecret, type SealedSecret, type SecretOwner, sealSecret } from '../credentials/sealed-secret.ts'
import type { CallRpc } from '../database/call-rpc.ts'
import type { OAuthServers } from './oauth-server.ts'
import { knownScopes } from './scopes.ts'
import { GrantRefused, refreshTokens, revokeToken, type Tokens } from './token-endpoint.ts'

/** What is needed to get access tokens. */
export interface TokenSettings {
  rpc: CallRpc
  servers: OAuthServers
  fetch?: typeof fetch
}

/** The connection whose token is wanted. */
export interface TokenConnection {
  id: string
  userId: string
  provider: IntegrationProvider
  openKeyring: () => Promise<Keyring>
  /** Explains a secret that cannot be opened. */
  unusableSecret: (cause: unknown) => unknown
  /** Called with every decrypted secret. */
  onSecret: (secret: string) => void
}

/** A token must stay valid for at least this many seconds: a call takes at most 30, and clocks differ. */
const marginSeconds = 60
/** Longer than the provider's timeout: after that, the holder is gone. */
const leaseSeconds = 20
/** How often to ask about a refresh that is running elsewhere; about 20 s with the waits in between. */
const mostQuestions = 25

const sealedSchema = z.object({
  field: z.string(),
  ciphertext: z.string(),
  keyId: z.string(),
  version: z.number(),
})
const startSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), secret: sealedSchema }),
  z.object({ kind: z.literal('busy') }),
  z.object({ kind: z.literal('gone') }),
  z.object({ kind: z.literal('refresh'), secret: sealedSchema.nullable(), accessVersion: z.number() }),
])

/**
 * Creates the source of a connection's access token: the stored one while it is valid, else one new one for all isolates
 * that ask. `instead`: a token that the provider has refused before it expired. Rejects with ToolCallError: `user` if
 * they have to sign in again, `time` while the provider is unavailable, `nobody` if the operator has to act.
 */
export function createTokenSource(connection: TokenConnection, settings: TokenSettings) {
  const { id, userId, provider } = connection
  const { rpc, servers } = settings
  const owner: SecretOwner = { connectionId: id, userId, provider: provider.id }
  const handedOut = new Map<string, number>()

  async function open(secret: SealedSecret): Promise<string> {
    const keyring = await connection.openKeyring()
    const value = await openSecret(keyring, owner, secret).catch((cause) => {
      throw connection.unusableSecret(cause)
    })
    connection.onSecret(value)
    return value
  }

  function handOut(token: string, version: number): string {
    handedOut.set(token, version)
    return token
  }

  async function refresh(holder: string, start: { secret: SealedSecret | null; accessVersion: number }) {
    const release = (version?: number, error?: ToolError) =>
      rpc('fail_oauth_refresh', {
        p_user_id: userId,
        p_connection_id: id,
        p_holder: holder,
        p_version: version ?? null,
        p_error: error?.error ?? null,
        p_said: error ? saidOf(error) : null,
      })
    const { secret, accessVersion } = start
    try {
      const server = provider.oauth && servers[provider.oauth.server]
      if (!server) throw new ToolCallError(notSwitchedOn(provider))
      if (!secret) throw new GrantRefused('There is no refresh token.')
      const tokens = await refreshTokens(server, await open(secret), settings.fetch)
      connection.onSecret(tokens.access_token)
      if (tokens.refresh_token) connection.onSecret(tokens.refresh_token)
      const version = accessVersion + 1
      const stored = await rpc('finish_oauth_refresh', {
        p_user_id: userId,
        p_connection_id: id,
        p_holder: holder,
        p_tokens: await sealTokens(tokens, version, secret.version + 1),
      })
      if (stored === true) return handOut(tokens.access_token, version)
      // Disconnected in the meantime: a token that was unknown then must not outlive the connection.
      if (tokens.refresh_token) await revokeToken(server, tokens.refresh_token, settings.fetch)
      throw new ToolCallError(notConnected(provider))
    } catch (cause) {
      if (!(cause instanceof GrantRefused)) {
        await release().catch(() => {})
        throw cause
      }
      const error = signInAgain(provider)
      const expired = await release(secret?.version, error)
      // Refused because somebody else has used the token first: theirs is stored, or soon will be.
      if (expired !== true && secret) return undefined
      throw new ToolCallError(error)
    }
  }

  async function sealTokens(tokens: Tokens, accessVersion: number, refreshVersion: number) {
    const keyring = await connection.openKeyring()
    const secrets = [
      await sealSecret(keyring, owner, {
        field: 'access_token',
        value: tokens.access_token,
        version: accessVersion,
      }),
    ]
    if (tokens.refresh_token) {
      const refreshed = { field: 'refresh_token', value: tokens.refresh_token, version: refreshVersion }
      secrets.push(await sealSecret(keyring, owner, refreshed))
    }
    const granted = tokens.scope?.split(/\s+/).filter(Boolean)
    return {
      secrets,
      accessSeconds: tokens.expires_in,
      scopes: granted && provider.oauth ? knownScopes(provider.oauth.scopes, granted) : undefined,
      ...expiryOf(tokens),
    }
  }

  return async (options: { instead?: string } = {}): Promise<string> => {
    const refused = options.instead === undefined ? undefined : handedOut.get(options.instead)
    const holder = crypto.randomUUID()
    for (let asked = 1; asked <= mostQuestions; asked++) {
      const answer = await rpc('begin_oauth_refresh', {
        p_user_id: userId,
        p_connection_id: id,
        p_holder: holder,
        p_lease_seconds: leaseSeconds,
        p_margin_seconds: marginSeconds,
        p_refused_version: refused ?? null,
      })
      const start = startSchema.parse(answer)
      if (start.kind === 'token') return handOut(await open(start.secret), start.secret.version)
      if (start.kind === 'gone') throw new ToolCallError(notConnected(provider))
      if (start.kind === 'refresh') {
        const token = await refresh(holder, start)
        if (token !== undefined) return token
      }
      await systemClock.sleep(waitBeforeTry(asked, { baseMs: 50, longestMs: 1000 }))
    }
    const values = { provider: provider.name }
    throw new ToolCallError(saidError('unavailable', { code: 'sign_in_being_renewed', values }))
  }
}

/** When the user will have to sign in again, if the provider says so. */
export function expiryOf({ refresh_token_expires_in: seconds }: Tokens): { expiresAt?: string } {
  return seconds === undefined ? {} : { expiresAt: new Date(Date.now() + seconds * 1000).toISOString() }
}

function notSwitchedOn(provider: IntegrationProvider) {
  const said: Said = { code: 'sign_in_not_set_up', values: { provider: provider.name } }
  return saidError('not_configured', said, { resolver: 'nobody' })
}
