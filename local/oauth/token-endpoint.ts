import { randomBytes, randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { secondsOfToken } from './access-token.ts'
import { type createAuthorizations, isItsVerifier } from './authorizations.ts'
import { type Client, isItsSecret } from './client.ts'
import { refuseAuth, refuseOAuth } from './refusal.ts'
import type { ClientSession, Store } from './store.ts'

/** Milliseconds for which a refresh token may be used once more, by a client whose answer was lost. */
const reuseMs = 10_000

/** `POST /oauth/token`, in the words of Supabase Auth. */
export function createTokenEndpoint(parts: {
  store: Store
  authorizations: ReturnType<typeof createAuthorizations>
  /** The access token of a session; undefined if its account may not act. */
  sign(session: ClientSession): Promise<string | undefined>
}) {
  const { store, authorizations, sign } = parts
  const { stored } = store

  async function answer(c: Context, session: ClientSession): Promise<Response> {
    const token = await sign(session)
    if (token === undefined) return refuseOAuth(c, 'access_denied', 'User is banned')
    return c.json({
      access_token: token,
      token_type: 'bearer',
      expires_in: secondsOfToken,
      refresh_token: session.refreshToken,
    })
  }

  async function exchange(c: Context, form: URLSearchParams, client: Client): Promise<Response> {
    const invalid = (why: string) => refuseOAuth(c, 'invalid_grant', why)
    const code = form.get('code')
    if (!code) return refuseOAuth(c, 'invalid_request', 'code is required for authorization_code grant')
    const authorization = authorizations.ofCode(code)
    if (!authorization?.userId) return invalid('Invalid authorization code')
    if (authorization.clientId !== client.id)
      return invalid('Authorization code was not issued for this client')
    const redirectUri = form.get('redirect_uri')
    if (redirectUri && redirectUri !== authorization.redirectUri) return invalid('Invalid redirect_uri')
    if (!isItsVerifier(authorization, form.get('code_verifier') ?? '')) {
      return invalid('PKCE verification failed: code challenge does not match previously saved code verifier')
    }
    authorizations.end(authorization)
    const session = {
      id: randomUUID(),
      userId: authorization.userId,
      clientId: client.id,
      refreshToken: makeToken(),
    }
    stored.sessions.push(session)
    store.save()
    return await answer(c, session)
  }

  async function refresh(c: Context, form: URLSearchParams, client: Client): Promise<Response> {
    const given = form.get('refresh_token')
    if (!given) {
      return refuseOAuth(c, 'invalid_request', 'refresh_token is required for refresh_token grant')
    }
    const session = stored.sessions.find(
      (one) =>
        one.clientId === client.id && (one.refreshToken === given || one.before?.refreshToken === given),
    )
    if (!session) {
      return refuseAuth(c, 400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
    }
    if (session.refreshToken === given) {
      session.before = { refreshToken: given, until: Date.now() + reuseMs }
      session.refreshToken = makeToken()
    } else if ((session.before?.until ?? 0) < Date.now()) {
      stored.sessions.splice(stored.sessions.indexOf(session), 1)
      store.save()
      return refuseAuth(c, 400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')
    }
    store.save()
    return await answer(c, session)
  }

  return async (c: Context): Promise<Response> => {
    const form = new URLSearchParams(await c.req.text())
    const [id, secret] = readBasic(c.req.header('authorization')) ?? [
      form.get('client_id') ?? '',
      form.get('client_secret') ?? '',
    ]
    const client = stored.clients.find((one) => one.id === id)
    if (!client || !isItsSecret(client, secret)) {
      return refuseAuth(c, 400, 'invalid_credentials', 'Invalid client credentials')
    }
    const type = form.get('grant_type') ?? ''
    if (!client.grantTypes.includes(type)) {
      return refuseOAuth(c, 'unsupported_grant_type', `Client is not allowed to use grant type: ${type}`)
    }
    return type === 'refresh_token' ? await refresh(c, form, client) : await exchange(c, form, client)
  }
}

function makeToken(): string {
  return randomBytes(24).toString('base64url')
}

function readBasic(header: string | undefined): [string, string] | undefined {
  const text = /^Basic (.*)$/i.exec(header ?? '')?.[1]
  if (text === undefined) return undefined
  const [id = '', secret = ''] = Buffer.from(text, 'base64').toString().split(':')
  return [id, secret]
}
