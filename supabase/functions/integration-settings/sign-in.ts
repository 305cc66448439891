import { z } from 'zod'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import {
  openSecret,
  type SealedSecret,
  sealSecret,
} from '../../../shared/server/credentials/sealed-secret.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { expiryOf } from '../../../shared/server/oauth/access-token.ts'
import { accountOf } from '../../../shared/server/oauth/account-of.ts'
import { authorizationUrl } from '../../../shared/server/oauth/authorization-url.ts'
import type { OAuthServer } from '../../../shared/server/oauth/oauth-server.ts'
import { hashCode, makeCode } from '../../../shared/server/oauth/one-time-code.ts'
import { knownScopes, scopesToAsk } from '../../../shared/server/oauth/scopes.ts'
import {
  exchangeCode,
  GrantRefused,
  revokeToken,
  type Tokens,
} from '../../../shared/server/oauth/token-request.ts'
import { type ConnectableProvider, findProvider } from './catalogue.ts'
import type { Connections, Owner } from './connections.ts'
import type { SettingsDependencies } from './dependencies.ts'
import type { SignIn } from './requests.ts'
import { resumeParked } from './resume-parked.ts'
import { readReturnAddress } from './return-address.ts'

const sealedSchema = z.object({
  field: z.string(),
  ciphertext: z.string(),
  keyId: z.string(),
  version: z.number(),
})
const receivedSchema = z.object({ provider: z.string(), returnTo: z.string() }).nullable()
const takenSchema = z.discriminatedUnion('kind', [
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
const foundSchema = z.object({ id: z.string(), version: z.number() }).nullable()
const storeSchema = z.object({
  stored: z.boolean(),
  code: z.string().optional(),
  connectionId: z.string().optional(),
})

const notBegun = 'so the sign-in did not begin. Try again in a minute.'
const notFinished = 'so nothing was connected. Connect again in a minute.'
/** Two sign-ins with one account that end at the same moment: the second one renews what the first one stored. */
const mostStores = 3

/** Connecting by signing in at the provider: what begins it, what the provider answers, what ends it. */
export function createSignIn(dependencies: SettingsDependencies, connections: Connections) {
  const { rpc, openKeyring, oauthServers, redirectUri, appUrls, fetch: send } = dependencies

  return {
    /** The provider's page for the user to open. */
    async start(
      owner: Owner,
      { provider: id, returnTo, tools, connectionId }: SignIn,
    ): Promise<{ url: string }> {
      const provider = await findProvider(rpc, owner.userId, id)
      const server = serverOf(provider)
      const address = readReturnAddress(returnTo, id, appUrls)
      const scopes = scopesToAsk(tableOf(provider), chooseTools(provider, tools))
      const loginHint = provider.connections.find((one) => one.id === connectionId?.toLowerCase())?.account
      const flowId = crypto.randomUUID()
      const state = `${flowId}.${makeCode()}`
      const verifier = makeCode()
      const flow = {
        id: flowId,
        provider: id,
        scopes,
        returnTo: address.href,
        stateHash: await hashCode(state),
        verifier: await seal(flowId, 'verifier', verifier),
      }
      const asked = rpc('begin_oauth', { p_user_id: owner.userId, p_flow: flow })
      await askDatabase(asked, z.unknown(), notBegun)
      const request = { redirectUri, scopes, state, verifier, loginHint: loginHint ?? undefined }
      return { url: await authorizationUrl(server, request) }
    },

    /**
     * Where the browser goes on after the provider's page: with a code of ours that only the user who began can use.
     * Nothing is exchanged and nothing connected yet. Throws ApiError 400 for a state that is unknown, used or too old.
     */
    async receive(query: { state?: string; code?: string; error?: string }): Promise<URL> {
      const { state = '', code, error } = query
      const flowId = /^([0-9a-f-]{36})\.[\w-]{43}$/.exec(state)?.[1]
      if (flowId === undefined) throw unknownState()
      const ownCode = code && error === undefined ? makeCode() : undefined
      const asked = rpc('receive_oauth', {
        p_flow_id: flowId,
        p_state_hash: await hashCode(state),
        p_code_hash: ownCode === undefined ? null : await hashCode(ownCode),
        p_provider_code: ownCode === undefined ? null : await seal(flowId, 'code', code ?? ''),
      })
      const received = await askDatabase(asked, receivedSchema, notFinished)
      if (received === null) throw unknownState()
      const address = new URL(received.returnTo)
      address.searchParams.set('connecting', received.provider)
      if (ownCode === undefined) address.searchParams.set('error', readErrorCode(error))
      else address.searchParams.set('code', ownCode)
      return address
    },

    /** Exchanges the provider's code and connects, for the user who began and for nobody else. */
    async complete(owner: Owner, code: string) {
      const asked = rpc('take_oauth', {
        p_user_id: owner.userId,
        p_code_hash: await hashCode(code),
        p_taker: crypto.randomUUID(),
      })
      const taken = await askDatabase(asked, takenSchema, notFinished)
      if (taken.kind === 'unknown') throw unknownCode()
      if (taken.kind === 'foreign') throw foreignCode()
      if (taken.kind !== 'flow') throw unknownCode()
      const provider = await findProvider(rpc, owner.userId, taken.provider)
      const server = serverOf(provider)
      const tokens = await exchange(server, provider, {
        code: await unseal(taken.id, taken.providerCode),
        verifier: await unseal(taken.id, taken.verifier),
        redirectUri,
      })
      try {
        const connectionId = await store(owner.userId, provider, server, tokens, taken.scopes)
        resumeParked(owner, provider.id, dependencies)
        return await connections.show(owner.userId, connectionId)
      } catch (cause) {
        // What was not stored must not live on unseen. It was not when it was refused; else nobody knows.
        if (cause instanceof ApiError && cause.status === 422) {
          await revokeToken(server, tokens.refresh_token ?? tokens.access_token, send)
        }
        throw cause
      }
    },
  }

  function serverOf({ name, oauth }: ConnectableProvider): OAuthServer {
    if (!oauth) {
      const sentence = `${name} is connected by its fields: send POST /connections.`
      throw new ApiError(400, 'no_sign_in', sentence)
    }
    const server = oauthServers[oauth.server]
    if (server) return server
    const sentence = `Signing in with ${name} is not switched on here. The operator has to register an app at the provider and set its client id and secret (GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET).`
    throw new ApiError(503, 'not_configured', sentence)
  }

  async function exchange(
    server: OAuthServer,
    { name }: ConnectableProvider,
    grant: Parameters<typeof exchangeCode>[1],
  ): Promise<Tokens> {
    try {
      return await exchangeCode(server, grant, send)
    } catch (cause) {
      if (cause instanceof GrantRefused) {
        const sentence = `${name} no longer knows this sign-in, so nothing was connected. Connect again.`
        throw new ApiError(400, 'sign_in_refused', sentence, { cause })
      }
      if (!(cause instanceof ToolCallError)) throw cause
      const { error, resolver } = cause.toolError
      const [status, code] = resolver === 'nobody' ? [503, 'not_configured'] : [503, 'provider_unavailable']
      throw new ApiError(Number(status), String(code), `${error} Nothing was connected.`, { cause })
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
    if (!account) {
      const sentence = `${provider.name} did not say whose account this is, so nothing was connected. Connect again.`
      throw new ApiError(422, 'no_account', sentence)
    }
    const granted = tokens.scope?.split(/\s+/).filter(Boolean) ?? asked
    const scopes = knownScopes(tableOf(provider), granted)
    if (scopes.length === 0 && asked.length > 0) {
      const sentence = `${provider.name} was not allowed anything, so nothing was connected. Connect again and leave the permissions ticked.`
      throw new ApiError(422, 'nothing_granted', sentence)
    }
    for (let tries = 1; ; tries++) {
      const found = await askDatabase(
        rpc('find_oauth_connection', {
          p_user_id: userId,
          p_provider: provider.id,
          p_subject: account.subject,
        }),
        foundSchema,
        notFinished,
      )
      const id = found?.id ?? crypto.randomUUID()
      const connection = {
        id,
        provider: provider.id,
        account: account.email ?? account.subject,
        status: 'connected',
        scopes,
        server: server.name,
        subject: account.subject,
        accessSeconds: tokens.expires_in,
        ...expiryOf(tokens),
        secrets: await sealTokens(userId, provider.id, id, tokens, (found?.version ?? 0) + 1),
      }
      const stored = await askDatabase(
        rpc('store_oauth_connection', { p_user_id: userId, p_connection: connection }),
        storeSchema,
        notFinished,
      )
      if (stored.stored) return id
      if (tries === mostStores) {
        throw new ApiError(
          409,
          stored.code ?? 'stale',
          `${provider.name} is being connected elsewhere at this moment. Look at your connections.`,
        )
      }
    }
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

  /** What belongs to a sign-in belongs to nobody yet: it is bound to the sign-in alone. */
  async function seal(flowId: string, field: string, value: string): Promise<SealedSecret> {
    return await sealSecret(await openKeyring(), flowOwner(flowId), { field, value, version: 1 })
  }

  async function unseal(flowId: string, sealed: SealedSecret): Promise<string> {
    return await openSecret(await openKeyring(), flowOwner(flowId), sealed)
  }
}

function flowOwner(flowId: string) {
  return { connectionId: flowId, userId: '', provider: 'sign-in' }
}

function tableOf({ oauth }: ConnectableProvider) {
  return oauth?.scopes ?? {}
}

/** The tools asked for; without any, the first one of the provider's table, which needs the least. Throws ApiError 400. */
function chooseTools(provider: ConnectableProvider, tools: readonly string[] | undefined): readonly string[] {
  const table = tableOf(provider)
  if (tools === undefined || tools.length === 0) return Object.keys(table).slice(0, 1)
  const known = new Set([...Object.keys(table), ...provider.tools.map(({ name }) => name)])
  const unknown = tools.find((tool) => !known.has(tool))
  if (unknown === undefined) return tools
  throw new ApiError(
    400,
    'unknown_tool',
    `${provider.name} has no tool ${JSON.stringify(unknown)}. Its tools: ${provider.tools.map(({ name }) => name).join(', ')}.`,
  )
}

/** Errors of RFC 6749, 4.1.2.1 are short codes; anything else is not repeated. */
function readErrorCode(error: string | undefined): string {
  return error !== undefined && /^[a-z_]{1,60}$/.test(error) ? error : 'sign_in_failed'
}

function unknownState(): ApiError {
  return new ApiError(
    400,
    'unknown_state',
    'This sign-in has expired or was already used. Go back to the app and connect again.',
  )
}

function unknownCode(): ApiError {
  return new ApiError(
    400,
    'unknown_code',
    'This code has expired or was already used. Look at your connections; where the new one is missing, connect again.',
  )
}

function foreignCode(): ApiError {
  return new ApiError(
    403,
    'foreign_code',
    'Somebody else began this sign-in, so nothing was connected. Begin it yourself in the integration settings.',
  )
}
