import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import { chatUser } from './chat-user.ts'
import type { TestStack } from './stack.ts'

/** What an OAuth server says of itself. */
interface ServerMetadata {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint: string
}

/** A program on this machine that lets its user sign in, as MCP clients do it: it knows nothing but the server's address. */
export class OAuthClient {
  readonly verifier = randomBytes(32).toString('base64url')
  readonly state = randomUUID()
  server!: ServerMetadata
  clientId = ''
  readonly mcpUrl: string
  readonly redirectUri: string

  constructor(mcpUrl: string, redirectUri = 'http://127.0.0.1:33418/callback') {
    this.mcpUrl = mcpUrl
    this.redirectUri = redirectUri
  }

  /** From a refused request to the OAuth server (RFC 9728, RFC 8414). */
  async discover(): Promise<void> {
    const refused = await fetch(this.mcpUrl, { method: 'POST' })
    const [, resource] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    if (refused.status !== 401 || !resource) throw new Error(`Refused otherwise: ${refused.status}`)
    const { authorization_servers: servers } = await readJson(
      // A function in a process of its own is behind no gateway.
      await fetch(resource.replace(/^.*\/functions\/v1\/mcp/, this.mcpUrl)),
    )
    const issuer = new URL(servers[0])
    const place = `${issuer.origin}/.well-known/oauth-authorization-server${issuer.pathname}`
    this.server = await readJson(await fetch(place))
  }

  /** Registers itself (RFC 7591), as a program that keeps no secret. */
  async register(name: string): Promise<void> {
    const facts = {
      client_name: name,
      redirect_uris: [this.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    const registered = await fetch(this.server.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(facts),
    })
    this.clientId = (await readJson(registered)).client_id
  }

  /** The page that it opens in a browser. */
  authorizeUrl(more: Record<string, string> = {}): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      state: this.state,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: this.mcpUrl,
      ...more,
    })
    return `${this.server.authorization_endpoint}?${query}`
  }

  /** The id of the request that its user is asked about. */
  async begin(more: Record<string, string> = {}): Promise<string> {
    return await beginAt(this.authorizeUrl(more))
  }

  /** Its callback after a user, signed in at the app, has agreed. */
  async consent(auth: Auth): Promise<string> {
    return await agreeAt(this.authorizeUrl(), auth)
  }

  /** Exchanges the code of its callback; `more`: what it sends instead. */
  async exchange(callback: string, more: Record<string, string> = {}): Promise<Response> {
    const { searchParams } = new URL(callback)
    if (searchParams.get('state') !== this.state) throw new Error(`Another state: ${callback}`)
    return await this.token({
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...more,
    })
  }

  token(form: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ client_id: this.clientId, ...form })
    return fetch(this.server.token_endpoint, { method: 'POST', body })
  }
}

/** The callback of a program after a user, signed in at the app, has agreed on the page that it has opened. */
export async function agreeAt(page: string, { oauth }: Auth): Promise<string> {
  const id = await beginAt(page)
  const { data: asked } = await oauth.getAuthorizationDetails(id)
  // They have agreed before.
  if (asked && 'redirect_url' in asked) return asked.redirect_url
  const { data } = await oauth.approveAuthorization(id, { skipBrowserRedirect: true })
  return data?.redirect_url ?? ''
}

async function beginAt(page: string): Promise<string> {
  const response = await fetch(page, { redirect: 'manual' })
  return new URL(response.headers.get('location') ?? '').searchParams.get('authorization_id') ?? ''
}

type Auth = Awaited<ReturnType<typeof signUpAtApp>>['auth']

/** A new user, signed in at the app by auth-js itself, which also asks and tells the OAuth server. */
export async function signUpAtApp(stack: TestStack) {
  const { auth } = createClient(stack.url, stack.keys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  })
  const email = `user-${randomUUID()}@example.com`
  const { data } = await auth.signUp({ email, password: 'correct horse battery' })
  if (!data.session || !data.user) throw new Error('Supabase Auth gave no session.')
  return { auth, user: chatUser(stack, { id: data.user.id, email, token: data.session.access_token }) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at members of any answer
export async function readJson(response: Response): Promise<any> {
  return await response.json()
}
