import type { ServerResponse } from 'node:http'
import { type Context, Hono } from 'hono'
import { isOptional, knownScopes, renderConsent, renderRefusal } from './google-consent.ts'
import {
  type Account,
  createGrants,
  type GrantSettings,
  grantSettings,
  type IssuedTokens,
} from './google-grants.ts'
import { createTokenEndpoint, fullNames, refuse } from './google-token.ts'

export interface GoogleOAuthOptions {
  clientId: string
  clientSecret: string
  /** Addresses that can be chosen on the consent page. */
  accounts: readonly string[]
  /** Registered redirect URIs; by default any URI on loopback. */
  redirectUris?: readonly string[]
}

/** What an outage looks like: this status, or no response at all. */
export interface Outage {
  endpoint: 'token' | 'revoke'
  /** 0: the connection breaks off after the request was carried out. */
  status: number
  /** How many requests it affects. */
  times: number
  retryAfterSeconds?: number
}

/** What `@hono/node-server` passes along with a request. */
type Bindings = { outgoing?: ServerResponse | object }

/** A Google authorization server on this machine: same paths, same parameters, same errors. */
export interface GoogleOAuth {
  fetch(request: Request, env?: Bindings): Response | Promise<Response>
  /** For the simulated APIs: whose access token this is; undefined if it is not (or no longer) valid. */
  accountOf(accessToken: string): Account | undefined
  /** Issues tokens without the consent page. */
  issue(account: Account): IssuedTokens
  /** The user removes the app in their Google account. */
  revoke(email: string): void
  expireAccessTokens(): void
  /** Read at each request, because tests change it. */
  settings: GrantSettings
  /** Makes the next requests to an endpoint fail. */
  breakDown(outage: Outage): void
  /** Requests to `/token` and `/revoke`, for counting: grant types, and `revoke`. */
  readonly requests: string[]
}

/**
 * `/o/oauth2/v2/auth`, `/token`, `/revoke`, `/tokeninfo` and `/oauth2/v3/certs` as documented at
 * developers.google.com/identity/protocols/oauth2/web-server. Standard errors of RFC 6749, 5.2, in Google's words.
 */
export function createGoogleOAuth(options: GoogleOAuthOptions): GoogleOAuth {
  const { clientId, clientSecret, accounts } = options
  const settings = { ...grantSettings }
  const grants = createGrants(settings)
  const token = createTokenEndpoint({ clientId, clientSecret, grants, settings })
  const requests: string[] = []
  const outages: Outage[] = []
  const app = new Hono<{ Bindings: Bindings }>()

  app.on(['GET', 'POST'], '/o/oauth2/v2/auth', async (c) => {
    const query = c.req.query()
    const problem = findProblem(query, options)
    if (problem) return c.html(renderRefusal(...problem), problem[0])
    const scopes = (query.scope ?? '').split(/\s+/).filter(Boolean)
    const back = new URL(query.redirect_uri ?? '')
    const redirect = (answer: Record<string, string>) => {
      for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value)
      if (query.state !== undefined) back.searchParams.set('state', query.state)
      return c.redirect(back.href, 302)
    }
    if (query.prompt === 'none') return redirect({ error: 'interaction_required' })
    if (c.req.method === 'GET') {
      return c.html(renderConsent({ clientId, accounts, loginHint: query.login_hint, scopes }))
    }
    const form = await c.req.formData()
    const email = String(form.get('account') ?? '')
    if (form.get('decision') !== 'allow') return redirect({ error: 'access_denied' })
    if (!accounts.includes(email))
      return c.html(renderRefusal(400, 'invalid_request', 'No such account.'), 400)
    const ticked = form.getAll('scope')
    const granted = scopes.filter((scope) => !isOptional(scope) || ticked.includes(scope))
    const names = granted.map((scope) => fullNames[scope] ?? scope)
    const code = grants.makeCode({
      clientId,
      email,
      scopes: names,
      addTo: query.include_granted_scopes === 'true',
      redirectUri: query.redirect_uri ?? '',
      challenge: query.code_challenge,
      offline: query.access_type === 'offline',
    })
    return redirect({ code, scope: names.join(' '), authuser: '0', prompt: query.prompt ?? 'consent' })
  })

  app.post('/token', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    requests.push(form.get('grant_type') ?? '')
    const outage = nextOutage(outages, 'token')
    if (outage && outage.status !== 0) return failed(c, outage)
    const answer = await token.answer(c, form)
    if (outage) breakOff(c)
    return answer
  })

  app.post('/revoke', async (c) => {
    const given = c.req.query('token') ?? new URLSearchParams(await c.req.text()).get('token') ?? ''
    requests.push('revoke')
    const outage = nextOutage(outages, 'revoke')
    if (outage && outage.status !== 0) return failed(c, outage)
    const revoked = grants.revokeToken(given)
    if (outage) breakOff(c)
    return revoked ? c.json({}) : refuse(c, 400, 'invalid_token', 'Token expired or revoked')
  })

  app.on(['GET', 'POST'], '/tokeninfo', async (c) => {
    const bearer = /^Bearer (.*)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const account = grants.accountOf(c.req.query('access_token') ?? bearer ?? '')
    if (!account) return refuse(c, 400, 'invalid_token', 'Invalid Value')
    const { email, scopes } = account
    return c.json({ aud: clientId, scope: scopes.join(' '), email, email_verified: 'true' })
  })

  app.get('/oauth2/v3/certs', async (c) => c.json(await token.keySet()))

  return {
    fetch: (request, env) => app.fetch(request, env),
    accountOf: grants.accountOf,
    issue: (account) => grants.issue(clientId, account, { offline: true, addTo: false }),
    revoke: grants.revokeAccount,
    expireAccessTokens: grants.expireAccessTokens,
    settings,
    breakDown: (outage) => void outages.push({ ...outage }),
    requests,
  }
}

/** What Google shows on its own page instead of redirecting: status, code, detail. */
function findProblem(
  query: Record<string, string | undefined>,
  { clientId, redirectUris }: GoogleOAuthOptions,
): [400 | 401, string, string] | undefined {
  const { client_id: id, redirect_uri: uri = '', response_type: type, scope = '' } = query
  if (id !== clientId) return [401, 'invalid_client', 'The OAuth client was not found.']
  if (!URL.canParse(uri) || !(redirectUris?.includes(uri) ?? isLoopback(new URL(uri).hostname))) {
    return [400, 'redirect_uri_mismatch', `redirect_uri=${uri}`]
  }
  if (type !== 'code') return [400, 'invalid_request', `response_type=${type}`]
  const unknown = scope.split(/\s+/).filter((name) => !(name in knownScopes))
  if (unknown.length > 0)
    return [400, 'invalid_scope', `Some requested scopes were invalid: ${unknown.join(' ')}`]
  if (query.code_challenge !== undefined && query.code_challenge_method !== 'S256') {
    return [400, 'invalid_request', 'This simulator takes code_challenge_method=S256 only.']
  }
  return undefined
}

/** The client sees a broken connection. */
function breakOff({ env }: Context<{ Bindings: Bindings }>): void {
  const { outgoing } = env ?? {}
  if (outgoing && 'destroy' in outgoing) outgoing.destroy()
}

function nextOutage(outages: Outage[], endpoint: Outage['endpoint']): Outage | undefined {
  const outage = outages.find((one) => one.endpoint === endpoint && one.times > 0)
  if (outage) outage.times--
  return outage
}

function failed(c: Context, { status, retryAfterSeconds }: Outage): Response {
  if (retryAfterSeconds !== undefined) c.header('retry-after', String(retryAfterSeconds))
  const code = status === 429 ? 'rate_limit_exceeded' : 'internal_failure'
  return c.json({ error: code, error_description: 'Try again later.' }, status as 500)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
