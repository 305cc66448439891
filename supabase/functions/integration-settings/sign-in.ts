import { z } from 'zod'
import type { SignIn } from '../../../shared/api/sign-in.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { authorizationUrl } from '../../../shared/server/oauth/authorization-url.ts'
import type { OAuthServer, OAuthServers } from '../../../shared/server/oauth/oauth-server.ts'
import { hashCode, makeCode } from '../../../shared/server/oauth/one-time-code.ts'
import { scopesToAsk } from '../../../shared/server/oauth/scopes.ts'
import { type ConnectableProvider, findInstalled } from './catalogue.ts'
import type { Owner } from './connections.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { readReturnAddress } from './return-address.ts'
import { sealForSignIn } from './sign-in-secret.ts'

const receivedSchema = z.object({ provider: z.string(), returnTo: z.string() }).nullable()

/** Connecting by signing in with the provider: starting it, and handling the provider's answer. */
export function createSignIn(dependencies: SettingsDependencies) {
  const { rpc, openKeyring, oauthServers, redirectUri, appUrls } = dependencies

  return {
    /** The provider's page for the user to open. */
    async start(
      owner: Owner,
      { provider: id, returnTo, tools, connectionId }: SignIn & { provider: string },
    ): Promise<{ url: string }> {
      const provider = await findInstalled(dependencies, owner.userId, id)
      const server = serverOf(provider, oauthServers)
      const address = readReturnAddress(returnTo, { provider: id }, appUrls)
      const scopes = scopesToAsk(provider.oauth?.scopes ?? {}, chooseTools(provider, tools))
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
        verifier: await sealForSignIn(await openKeyring(), flowId, 'verifier', verifier),
      }
      const asked = rpc('begin_oauth', { p_user_id: owner.userId, p_flow: flow })
      await askDatabase(asked, z.unknown(), 'sign_in_not_started')
      const request = { redirectUri, scopes, state, verifier, loginHint: loginHint ?? undefined }
      return { url: await authorizationUrl(server, request) }
    },

    /**
     * Where the browser goes after the provider's page: with a code of ours that only the user who started it can use.
     * Nothing is exchanged or connected yet. Throws ApiError 400 for a state that is unknown, used or too old.
     */
    async receive(query: {
      state?: string | undefined
      code?: string | undefined
      error?: string | undefined
    }): Promise<URL> {
      const { state = '', code, error } = query
      const flowId = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/.exec(state)?.[1]
      if (flowId === undefined) throw unknownState()
      const ownCode = code && error === undefined ? makeCode() : undefined
      const asked = rpc('receive_oauth', {
        p_flow_id: flowId,
        p_state_hash: await hashCode(state),
        p_code_hash: ownCode === undefined ? null : await hashCode(ownCode),
        p_provider_code:
          ownCode === undefined ? null : await sealForSignIn(await openKeyring(), flowId, 'code', code ?? ''),
      })
      const received = await askDatabase(asked, receivedSchema, 'not_connected')
      if (received === null) throw unknownState()
      const address = new URL(received.returnTo)
      address.searchParams.set('connecting', received.provider)
      if (ownCode === undefined) address.searchParams.set('error', readErrorCode(error))
      else address.searchParams.set('code', ownCode)
      return address
    },
  }
}

/** The authorization server of a provider. Throws ApiError 400 for one without sign-in, 503 for one that is not set up. */
export function serverOf({ name, oauth }: ConnectableProvider, oauthServers: OAuthServers): OAuthServer {
  if (!oauth) throw new ApiError('no_sign_in', { provider: name })
  const server = oauthServers[oauth.server]
  if (server) return server
  throw new ApiError('not_configured', { why: 'sign_in', provider: name })
}

/** The requested tools; by default the first one of the provider's table, which needs the least. Throws ApiError 400. */
function chooseTools(provider: ConnectableProvider, tools: readonly string[] | undefined): readonly string[] {
  const table = provider.oauth?.scopes ?? {}
  if (tools === undefined || tools.length === 0) return Object.keys(table).slice(0, 1)
  const known = new Set([...Object.keys(table), ...provider.tools.map(({ name }) => name)])
  const unknown = tools.find((tool) => !known.has(tool))
  if (unknown === undefined) return tools
  throw new ApiError('unknown_tool', {
    why: 'of_provider',
    provider: provider.name,
    tool: unknown,
    tools: provider.tools.map(({ name }) => name),
  })
}

/** Errors of RFC 6749, 4.1.2.1 are short codes; anything else is not repeated. */
function readErrorCode(error: string | undefined): string {
  return error !== undefined && /^[a-z_]{1,60}$/.test(error) ? error : 'sign_in_failed'
}

function unknownState(): ApiError {
  return new ApiError('unknown_state')
}
