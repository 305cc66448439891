import { waitBeforeTry } from '../../../../shared/engine/core/backoff.ts'
import { type Clock, systemClock } from '../../../../shared/engine/core/clock.ts'
import { timeouts } from '../../../../shared/engine/core/timeouts.ts'
import { saidError, ToolCallError } from '../../../../shared/engine/core/tool-error.ts'
import { makeCode } from '../../../../shared/server/oauth/one-time-code.ts'
import { hostOf, type Reach } from '../protocol/named-server.ts'
import { auth, OAuthError, refreshAuthorization } from '../protocol/sdk.ts'
import { type Challenge, ServerFailure } from '../protocol/server-failure.ts'
import { createOAuthFetch, type OAuthFetch } from './oauth-fetch.ts'
import { type ClientIdentity, createProvider, type Progress } from './provider.ts'
import { SignInFailed } from './sign-in-failed.ts'
import { describeSignIn } from './sign-in-failure.ts'
import type { Answer, Flow, Grant, HeldGrant, SignInStore } from './store.ts'

export interface SignInSettings {
  store: SignInStore
  identity: ClientIdentity
  reach: Omit<Reach, 'signal'>
  clock?: Pick<Clock, 'sleep'>
}

/** Where a user is sent to sign in. */
export interface BegunSignIn {
  url: string
  /** Who asks them there: people see it before they go. */
  host: string
}

/** Milliseconds: less than the 10 s that nobody else refreshes it. */
const refreshMs = 8_000
/** How often to ask about a refresh that is running elsewhere: about 12 s with the waits in between. */
const mostQuestions = 16

/** Signing in with servers, by OAuth as MCP has it: with PKCE, for one resource, at the issuer that the server names. */
export function createSignIns({ store, identity, reach, clock = systemClock }: SignInSettings) {
  /** Rejects with SignInFailed or ServerFailure. */
  async function under<Result>(server: string, work: (web: OAuthFetch) => Promise<Result>): Promise<Result> {
    const web = createOAuthFetch({ ...reach, signal: AbortSignal.timeout(timeouts.providerMs) })
    try {
      return await work(web)
    } catch (cause) {
      throw describeSignIn(server, cause, web.failure())
    } finally {
      web.close()
    }
  }

  async function grantedScope(userId: string, server: string): Promise<string | undefined> {
    const holder = crypto.randomUUID()
    const held = await store.holdGrant(userId, server, holder)
    if (held.kind === 'token') return held.scope
    if (held.kind !== 'refresh') return undefined
    await store.releaseGrant(userId, server, holder, false)
    return held.grant.scope
  }

  /** Nobody who stops waiting stops it: a reply that nobody reads may hold the only token that is left. */
  async function refresh(
    held: Extract<HeldGrant, { kind: 'refresh' }>,
    userId: string,
    holder: string,
  ): Promise<string | undefined> {
    const { grant, version } = held
    const { server, discovery, registration, refreshToken, resource } = grant
    const release = (isOver: boolean) => store.releaseGrant(userId, server, holder, isOver)
    if (refreshToken === undefined) {
      await release(true)
      return undefined
    }
    const web = createOAuthFetch({ ...reach, answerMs: refreshMs, signal: new AbortController().signal })
    try {
      const tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
        ...(discovery.authorizationServerMetadata && { metadata: discovery.authorizationServerMetadata }),
        clientInformation: registration,
        refreshToken,
        resource,
        fetchFn: web.fetch,
      })
      await store.renewGrant(userId, { ...grant, ...readTokens(tokens) }, version)
      return tokens.access_token
    } catch (cause) {
      const failure = describeSignIn(server, cause, web.failure())
      // A token whose reply was lost may be used up: only the user can get another one.
      const isLater =
        (failure instanceof ServerFailure && failure.isHarmless) ||
        (cause instanceof OAuthError && temporary.includes(cause.code))
      await release(!isLater)
      if (!isLater) return undefined
      throw new ToolCallError(saidError('unavailable', failure.said), { cause })
    } finally {
      web.close()
    }
  }

  return {
    /** Finds out where the user signs in with a server, and keeps what the end of it needs, under a state of its own. */
    async begin(
      userId: string,
      { server, challenge, returnTo }: { server: string; challenge: Challenge; returnTo: string },
    ): Promise<BegunSignIn> {
      const state = `${crypto.randomUUID()}.${makeCode()}`
      const { allowLoopback } = reach
      const scope = joinScopes(await grantedScope(userId, server), challenge.scope)
      return await under(server, async ({ fetch }) => {
        const { provider, progress } = createProvider(identity, store, { server, state, allowLoopback })
        const { metadataUrl } = challenge
        await auth(provider, {
          serverUrl: server,
          fetchFn: fetch,
          ...(metadataUrl === undefined ? {} : { resourceMetadataUrl: new URL(metadataUrl) }),
          ...(scope === undefined ? {} : { scope }),
        })
        const { authorizationUrl, verifier, discovery, registration } = progress
        if (!authorizationUrl || verifier === undefined || !discovery || !registration) {
          throw new SignInFailed('not_offered', hostOf(server))
        }
        const asked = authorizationUrl.searchParams.get('scope')
        const flow = { userId, server, verifier, discovery, registration, returnTo }
        await store.saveFlow(state, { ...flow, ...(asked === null ? {} : { scope: asked }) })
        return { url: authorizationUrl.href, host: authorizationUrl.host }
      })
    },

    /**
     * Where the browser goes after the page of the authorization server: with a code of ours that only the user who has begun
     * it can use. Nothing is exchanged yet. Undefined for a state that is unknown, used or too old.
     */
    async receive({ state, answer }: { state: string; answer?: Answer }): Promise<URL | undefined> {
      const code = makeCode()
      const returnTo = await store.receiveAnswer(state, answer && { code, answer })
      if (returnTo === undefined) return undefined
      const address = new URL(returnTo)
      if (answer) address.searchParams.set('code', code)
      else address.searchParams.set('error', 'sign_in_failed')
      return address
    },

    /** Exchanges what the authorization server has answered, for the user who has begun it. Resolves to the server's URL. */
    async complete(userId: string, ourCode: string): Promise<string> {
      const taken = await store.takeFlow(userId, ourCode)
      if (!taken) throw new SignInFailed('unknown')
      const { flow, answer } = taken
      const { code, iss } = answer
      const { server } = flow
      const { allowLoopback } = reach
      return await under(server, async ({ fetch }) => {
        const { provider, progress } = createProvider(identity, store, { server, flow, allowLoopback })
        await auth(provider, {
          serverUrl: server,
          authorizationCode: code,
          fetchFn: fetch,
          ...(iss === undefined ? {} : { iss }),
        })
        await store.saveGrant(userId, toGrant(flow, progress))
        return server
      })
    },

    /**
     * The user's token for a server; undefined if they have to sign in, again or for the first time. `refused`: one that the
     * server has just refused. Rejects with ToolCallError while it can't be renewed.
     */
    async token(userId: string, server: string, refused?: string): Promise<string | undefined> {
      const holder = crypto.randomUUID()
      for (let asked = 1; asked <= mostQuestions; asked++) {
        const held = await store.holdGrant(userId, server, holder, refused)
        if (held.kind === 'token') return held.accessToken
        if (held.kind === 'none') return undefined
        if (held.kind === 'refresh') return await refresh(held, userId, holder)
        await clock.sleep(waitBeforeTry(asked, { baseMs: 50, longestMs: 1000 }))
      }
      const values = { provider: hostOf(server) }
      throw new ToolCallError(saidError('unavailable', { code: 'sign_in_being_renewed', values }))
    },

    /** Forgets the user's tokens for a server, and ends them where they were issued, as far as that can be done. */
    async signOut(userId: string, server: string): Promise<void> {
      const grant = await store.removeGrant(userId, server)
      const metadata = grant?.discovery.authorizationServerMetadata
      const endpoint = metadata && 'revocation_endpoint' in metadata && metadata.revocation_endpoint
      if (!grant || typeof endpoint !== 'string') return
      const { registration, refreshToken, accessToken } = grant
      const { client_id, client_secret } = registration
      const form = { token: refreshToken ?? accessToken, client_id, ...(client_secret && { client_secret }) }
      await under(server, ({ fetch }) =>
        fetch(endpoint, { method: 'POST', body: new URLSearchParams(form) }),
      ).catch(() => {})
    },
  }
}

export type SignIns = ReturnType<typeof createSignIns>

/** RFC 6749, 4.1.2.1 and 5.2: it may work later. */
const temporary: readonly string[] = ['server_error', 'temporarily_unavailable', 'too_many_requests']

function toGrant({ server, scope }: Flow, progress: Progress): Grant {
  const { tokens, discovery, registration, resource } = progress
  if (!tokens || !discovery || !registration) throw new SignInFailed('refused', hostOf(server))
  return {
    server,
    discovery,
    registration,
    resource: resource ?? server,
    ...(scope && { scope }),
    ...readTokens(tokens),
  }
}

/** What is asked for more does not take away what was granted. */
function joinScopes(granted: string | undefined, asked: string | undefined): string | undefined {
  if (asked === undefined || granted === undefined) return asked
  return [...new Set(`${granted} ${asked}`.split(/\s+/).filter(Boolean))].join(' ')
}

function readTokens(tokens: {
  access_token: string
  refresh_token?: string | undefined
  scope?: string | undefined
  expires_in?: number | undefined
}) {
  const { access_token: accessToken, refresh_token, scope, expires_in } = tokens
  return {
    accessToken,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(scope === undefined ? {} : { scope }),
    ...(expires_in === undefined ? {} : { expiresInSeconds: expires_in }),
  }
}
