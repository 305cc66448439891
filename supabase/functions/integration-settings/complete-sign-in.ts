import { z } from 'zod'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { SecretError, sealSecret } from '../../../shared/server/credentials/sealed-secret.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { expiryOf } from '../../../shared/server/oauth/access-token.ts'
import { accountOf } from '../../../shared/server/oauth/account-of.ts'
import type { OAuthServer } from '../../../shared/server/oauth/oauth-server.ts'
import { hashCode } from '../../../shared/server/oauth/one-time-code.ts'
import { knownScopes } from '../../../shared/server/oauth/scopes.ts'
import {
  exchangeCode,
  GrantRefused,
  revokeToken,
  type Tokens,
} from '../../../shared/server/oauth/token-endpoint.ts'
import { type ConnectableProvider, findProvider } from './catalogue.ts'
import type { Connections, Owner } from './connections.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { resumeWaiting } from './resume-waiting.ts'
import { serverOf } from './sign-in.ts'
import { openForSignIn, sealedSchema } from './sign-in-secret.ts'
import { refusalOf, storeSchema } from './stored-connections.ts'

const signInSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['unknown', 'foreign']) }),
  z.object({
    kind: z.literal('flow'),
    id: z.string(),
    provider: z.string(),
    scopes: z.array(z.string()),
    verifier: sealedSchema,
    providerCode: sealedSchema,
  }),
])
type SignIn = z.infer<typeof signInSchema>
const foundSchema = z.object({ id: z.string().nullable(), version: z.number(), shared: z.boolean() })

/** If two sign-ins with one account end at the same moment, the second one updates what the first one stored. */
const mostStores = 3

/** The end of connecting by sign-in: what `POST /oauth/complete` does with our code. */
export function createSignInCompletion(dependencies: SettingsDependencies, connections: Connections) {
  const { rpc, openKeyring, oauthServers, redirectUri, fetch: send } = dependencies

  return {
    /**
     * Exchanges the provider's code and connects, only for the user who started it. Undefined if the code is that of no sign-in
     * with a provider.
     */
    async complete(owner: Owner, code: string) {
      const asked = rpc('take_oauth', {
        p_user_id: owner.userId,
        p_code_hash: await hashCode(code),
        p_taker: crypto.randomUUID(),
      })
      const found = await askDatabase(asked, signInSchema, 'not_connected')
      if (found.kind === 'unknown') return undefined
      if (found.kind === 'foreign') throw foreignCode()
      if (found.kind !== 'flow') throw unknownCode()
      const provider = await findProvider(rpc, owner.userId, found.provider)
      const server = serverOf(provider, oauthServers)
      const tokens = await exchange(server, provider, await openGrant(found))
      const connectionId = await store(owner.userId, provider, server, tokens, found.scopes)
      resumeWaiting(owner, provider.id, dependencies)
      return await connections.show(owner.userId, connectionId)
    },
  }

  async function openGrant({ id, providerCode, verifier }: Extract<SignIn, { kind: 'flow' }>) {
    const keyring = await openKeyring()
    try {
      return {
        code: await openForSignIn(keyring, id, providerCode),
        verifier: await openForSignIn(keyring, id, verifier),
        redirectUri,
      }
    } catch (cause) {
      // The operator has removed a key while somebody was signing in.
      if (cause instanceof SecretError) throw unknownCode()
      throw cause
    }
  }

  async function exchange(
    server: OAuthServer,
    { name: provider }: ConnectableProvider,
    grant: Parameters<typeof exchangeCode>[1],
  ): Promise<Tokens> {
    try {
      return await exchangeCode(server, grant, send)
    } catch (cause) {
      if (cause instanceof GrantRefused) throw new ApiError('sign_in_refused', { provider }, { cause })
      if (!(cause instanceof ToolCallError)) throw cause
      const { error: text, resolver, details } = cause.toolError
      const said = { ...details.asked, text }
      throw resolver === 'nobody'
        ? new ApiError('not_configured', { why: 'provider', said }, { cause })
        : new ApiError('provider_unavailable', { said }, { cause })
    }
  }

  async function store(
    userId: string,
    provider: ConnectableProvider,
    server: OAuthServer,
    tokens: Tokens,
    asked: readonly string[],
  ): Promise<string> {
    const account = accountOf(tokens.id_token, server)
    if (!account) throw new ApiError('no_account', { provider: provider.name })
    const granted = tokens.scope?.split(/\s+/).filter(Boolean) ?? asked
    const scopes = knownScopes(provider.oauth?.scopes ?? {}, granted)
    const name = account.email ?? account.subject
    for (let tries = 1; ; tries++) {
      const found = await find(userId, provider, server, account.subject)
      if (scopes.length === 0 && asked.length > 0) throw await nothingGranted(provider, server, tokens, found)
      const id = found.id ?? crypto.randomUUID()
      const connection = {
        id,
        provider: provider.id,
        account: name,
        // Another connection already has this one's usual label.
        label: found.id === null && tries > 1 ? `${name} (${tries})` : undefined,
        status: 'connected',
        scopes,
        server: server.name,
        subject: account.subject,
        accessSeconds: tokens.expires_in,
        ...expiryOf(tokens),
        secrets: await sealTokens(userId, provider.id, id, tokens, found.version + 1),
      }
      const asking = rpc('store_oauth_connection', { p_user_id: userId, p_connection: connection })
      const stored = await askDatabase(asking, storeSchema, 'not_connected')
      if (stored.stored) return id
      if (stored.code === 'limit_reached') {
        await revokeUnlessShared(server, tokens, found)
        throw refusalOf(stored.code, stored.limit)
      }
      if (tries === mostStores) throw refusalOf(stored.code)
    }
  }

  function find(userId: string, provider: ConnectableProvider, server: OAuthServer, subject: string) {
    const asked = rpc('find_oauth_connection', {
      p_user_id: userId,
      p_provider: provider.id,
      p_server: server.name,
      p_subject: subject,
    })
    return askDatabase(asked, foundSchema, 'not_connected')
  }

  /** Revokes access that nothing will use, unless other connections of the user depend on it: they would end, too. */
  async function revokeUnlessShared(
    server: OAuthServer,
    { access_token, refresh_token }: Tokens,
    { shared }: z.infer<typeof foundSchema>,
  ): Promise<void> {
    if (!shared) await revokeToken(server, refresh_token ?? access_token, send)
  }

  async function nothingGranted(
    { name }: ConnectableProvider,
    server: OAuthServer,
    tokens: Tokens,
    found: z.infer<typeof foundSchema>,
  ): Promise<ApiError> {
    await revokeUnlessShared(server, tokens, found)
    return new ApiError('nothing_granted', { provider: name })
  }

  async function sealTokens(userId: string, provider: string, id: string, tokens: Tokens, version: number) {
    const keyring = await openKeyring()
    const { access_token, refresh_token } = tokens
    const values = { access_token, ...(refresh_token ? { refresh_token } : {}) }
    const owner = { connectionId: id, userId, provider }
    return await Promise.all(
      Object.entries(values).map(([field, value]) => sealSecret(keyring, owner, { field, value, version })),
    )
  }
}

function unknownCode(): ApiError {
  return new ApiError('unknown_code')
}

function foreignCode(): ApiError {
  return new ApiError('foreign_code')
}
