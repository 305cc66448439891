import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Sql } from 'postgres'
import { signAccessToken } from './access-token.ts'
import { type Authorization, backTo, createAuthorizations, requestFault } from './authorizations.ts'
import {
  type Client,
  clientFacts,
  describeClient,
  isDocument,
  isLoopback,
  mayRedirect,
  redirectFault,
  registerClient,
  showClient,
} from './client.ts'
import { describeServer } from './describe-server.ts'
import { readMetadataDocument } from './metadata-document.ts'
import { refuseAuth } from './refusal.ts'
import { openStore } from './store.ts'
import { createTokenEndpoint } from './token-endpoint.ts'

export interface OAuthServerOptions {
  /** Address of the stack. */
  url: string
  /** The page on which people consent. */
  consentUrl: string
  /** Whether programs may register themselves. */
  registers: boolean
  jwtSecret: string
  /** The folder that it is kept in. */
  directory: string
  withSql<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  /** Whoever sends a request with a session of Supabase Auth; undefined if nobody is signed in. */
  userOf(request: Request): Promise<{ id: string; email: string } | undefined>
}

/**
 * The OAuth server of Supabase Auth on this machine: its paths, parameters, answers and errors
 * (https://github.com/supabase/auth, internal/api/oauthserver), without OpenID Connect. As there, nothing binds a token to
 * a resource. Metadata documents of clients are read, which Supabase's does not do yet.
 */
export function createOAuthServer(options: OAuthServerOptions): Hono {
  const { url, consentUrl, registers, jwtSecret, withSql } = options
  const issuer = `${url}/auth/v1`
  const store = openStore(options.directory)
  const { stored } = store
  const authorizations = createAuthorizations()
  const app = new Hono({ strict: false })

  const metadata = (c: Context) => c.json(describeServer(issuer, registers))
  app.use('/.well-known/*', cors({ origin: '*' }))
  app.get('/.well-known/oauth-authorization-server/auth/v1', metadata)
  app.get('/auth/v1/.well-known/oauth-authorization-server', metadata)
  app.get('/auth/v1/.well-known/openid-configuration', metadata)

  app.post('/auth/v1/oauth/clients/register', async (c) => {
    if (!registers) {
      return refuseAuth(
        c,
        403,
        'oauth_dynamic_client_registration_disabled',
        'Dynamic client registration is not enabled',
      )
    }
    const facts = clientFacts.safeParse(await c.req.json().catch(() => undefined))
    const fault = facts.success ? redirectFault(facts.data) : facts.error.issues[0]?.message
    if (!facts.success || fault !== undefined) return refuseAuth(c, 400, 'validation_failed', fault ?? '')
    const { client, secret } = registerClient(facts.data)
    keepClient(client)
    return c.json(describeClient(client, secret), 201)
  })

  app.get('/auth/v1/oauth/authorize', async (c) => {
    const query = c.req.query()
    const { client_id: id = '', redirect_uri: redirectUri = '', state = '' } = query
    if (id === '') return refuseAuth(c, 400, 'validation_failed', 'client_id is required')
    if (redirectUri === '') return refuseAuth(c, 400, 'validation_failed', 'redirect_uri is required')
    const client = await findClient(id).catch((error: Error) => error)
    if (client === undefined) return refuseAuth(c, 400, 'oauth_client_not_found', 'invalid client_id')
    if (client instanceof Error) {
      return refuseAuth(c, 400, 'oauth_client_not_found', `invalid client_id: ${client.message}`)
    }
    if (!mayRedirect(client, redirectUri)) {
      return refuseAuth(c, 400, 'validation_failed', 'invalid redirect_uri')
    }
    const fault = requestFault(query)
    if (fault !== undefined) {
      return c.redirect(
        backTo({ redirectUri, state }, { error: 'invalid_request', error_description: fault }),
        302,
      )
    }
    return c.redirect(`${consentUrl}?authorization_id=${authorizations.begin(query).id}`, 302)
  })

  app.get('/auth/v1/oauth/authorizations/:id', async (c) => {
    const found = await pendingOf(c)
    if (found instanceof Response) return found
    const { authorization, user } = found
    const isNew = authorization.userId === undefined
    authorization.userId = user.id
    if (isNew && covers(authorization)) return c.json({ redirect_url: authorizations.approve(authorization) })
    const client = stored.clients.find(({ id }) => id === authorization.clientId)
    return c.json({
      authorization_id: authorization.id,
      redirect_uri: authorization.redirectUri,
      client: client && showClient(client),
      user,
      scope: authorization.scope,
    })
  })

  app.post('/auth/v1/oauth/authorizations/:id/consent', async (c) => {
    const { action } = await c.req.json().catch(() => ({}))
    if (action !== 'approve' && action !== 'deny') {
      return refuseAuth(c, 400, 'validation_failed', "action must be 'approve' or 'deny'")
    }
    const found = await pendingOf(c)
    if (found instanceof Response) return found
    const { authorization, user } = found
    if (authorization.userId !== user.id) return noAuthorization(c)
    if (action === 'deny') return c.json({ redirect_url: authorizations.deny(authorization) })
    const { clientId } = authorization
    removeConsent(user.id, clientId)
    const scopes = authorization.scope.split(' ')
    stored.consents.push({ userId: user.id, clientId, scopes, grantedAt: new Date().toISOString() })
    store.save()
    return c.json({ redirect_url: authorizations.approve(authorization) })
  })

  const sign = (session: Parameters<typeof signAccessToken>[1]) =>
    withSql((sql) => signAccessToken(sql, session, { issuer, jwtSecret }))
  app.post('/auth/v1/oauth/token', createTokenEndpoint({ store, authorizations, sign }))

  app.get('/auth/v1/user/oauth/grants', async (c) => {
    const user = await options.userOf(c.req.raw)
    if (!user) return notSignedIn(c)
    const grants = stored.consents.filter(({ userId }) => userId === user.id)
    return c.json(
      grants.flatMap(({ clientId, scopes, grantedAt }) => {
        const client = stored.clients.find(({ id }) => id === clientId)
        return client ? [{ client: showClient(client), scopes, granted_at: grantedAt }] : []
      }),
    )
  })

  app.delete('/auth/v1/user/oauth/grants', async (c) => {
    const user = await options.userOf(c.req.raw)
    if (!user) return notSignedIn(c)
    const clientId = c.req.query('client_id') ?? ''
    if (!removeConsent(user.id, clientId)) {
      return refuseAuth(c, 404, 'oauth_consent_not_found', 'No active grant found for this client')
    }
    stored.sessions = stored.sessions.filter((one) => one.userId !== user.id || one.clientId !== clientId)
    store.save()
    return c.body(null, 204)
  })

  async function findClient(id: string): Promise<Client | undefined> {
    if (!isDocument(id)) return stored.clients.find((one) => one.id === id)
    const client = await readMetadataDocument(id)
    keepClient(client)
    return client
  }

  function keepClient(client: Client): void {
    stored.clients = [...stored.clients.filter(({ id }) => id !== client.id), client]
    store.save()
  }

  function removeConsent(userId: string, clientId: string): boolean {
    const before = stored.consents.length
    stored.consents = stored.consents.filter((one) => one.userId !== userId || one.clientId !== clientId)
    return stored.consents.length < before
  }

  function covers({ userId, clientId, scope }: Authorization): boolean {
    const consent = stored.consents.find((one) => one.userId === userId && one.clientId === clientId)
    return scope.split(' ').every((one) => consent?.scopes.includes(one))
  }

  /** The request that a page of this machine asks about, which waits for this user or for anybody. */
  async function pendingOf(c: Context) {
    const origin = c.req.header('origin')
    if (origin !== undefined && !isLoopback(URL.canParse(origin) ? new URL(origin).hostname : '')) {
      return refuseAuth(c, 400, 'validation_failed', 'unauthorized request origin')
    }
    const user = await options.userOf(c.req.raw)
    if (!user) return notSignedIn(c)
    const authorization = authorizations.find(c.req.param('id') ?? '')
    if (!authorization) return noAuthorization(c)
    if (authorization.status !== 'pending') {
      return refuseAuth(c, 400, 'validation_failed', 'authorization request is no longer pending')
    }
    if ((authorization.userId ?? user.id) !== user.id) return noAuthorization(c)
    return { authorization, user }
  }

  return app
}

function noAuthorization(c: Context): Response {
  return refuseAuth(c, 404, 'oauth_authorization_not_found', 'authorization not found')
}

function notSignedIn(c: Context): Response {
  return refuseAuth(c, 403, 'bad_jwt', 'authentication required')
}
