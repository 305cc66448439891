import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** A program that may ask users for access. */
export interface Client {
  /** A UUID, or the URL of its metadata document. */
  id: string
  name: string
  uri: string
  redirectUris: readonly string[]
  grantTypes: readonly string[]
  authMethod: AuthMethod
  /** SHA-256 in lower-case hex; absent for a program that can keep no secret. */
  secretHash?: string
  createdAt: string
}
type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

/** What somebody says of their program: at its registration (RFC 7591), or in its metadata document. */
export const clientFacts = z.object({
  redirect_uris: z.array(z.string()).min(1).max(10),
  client_name: z.string().max(1024).default(''),
  client_uri: z.string().max(2048).default(''),
  client_type: z.enum(['public', 'confidential']).optional(),
  token_endpoint_auth_method: z.enum(['none', 'client_secret_basic', 'client_secret_post']).optional(),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token']))
    .min(1)
    .default(['authorization_code', 'refresh_token']),
})
type ClientFacts = z.output<typeof clientFacts>

/** A program that registers itself gets an id, and a secret unless it says that it can keep none. */
export function registerClient(facts: ClientFacts): { client: Client; secret: string | undefined } {
  const isPublic = (facts.client_type ?? typeOf(facts.token_endpoint_auth_method)) === 'public'
  const secret = isPublic ? undefined : randomBytes(32).toString('base64url')
  const authMethod = facts.token_endpoint_auth_method ?? (isPublic ? 'none' : 'client_secret_basic')
  const client = makeClient(randomUUID(), facts, authMethod)
  return { client: secret === undefined ? client : { ...client, secretHash: hash(secret) }, secret }
}

export function makeClient(id: string, facts: ClientFacts, authMethod: AuthMethod): Client {
  return {
    id,
    name: facts.client_name,
    uri: facts.client_uri,
    redirectUris: facts.redirect_uris,
    grantTypes: facts.grant_types,
    authMethod,
    createdAt: new Date().toISOString(),
  }
}

/** The first redirect URI that nobody may register, and why, in the words of Supabase Auth; undefined if there is none. */
export function redirectFault({ redirect_uris }: ClientFacts): string | undefined {
  for (const uri of redirect_uris) {
    const fault = faultOf(uri)
    if (fault !== undefined) return `invalid redirect_uri '${uri}': ${fault}`
  }
  return undefined
}

const dangerous = ['javascript:', 'data:', 'file:', 'vbscript:', 'about:', 'blob:']

function faultOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return 'must have scheme and host'
  const { protocol, host, hostname, hash } = new URL(uri)
  if (dangerous.includes(protocol))
    return `scheme '${protocol.slice(0, -1)}' is not allowed for security reasons`
  if (host === '') return 'must have scheme and host'
  if (protocol === 'http:' && !isLoopback(hostname)) return 'HTTP scheme only allowed for localhost'
  if (hash !== '') return 'fragment not allowed in redirect URI'
  return undefined
}

/**
 * Whether users may be sent there: exactly what was registered. A metadata document cannot name the port that a program
 * gets on its machine (RFC 8252, 7.3), so with one any port of a loopback address will do.
 */
export function mayRedirect({ id, redirectUris }: Client, uri: string): boolean {
  if (redirectUris.includes(uri)) return true
  if (!isDocument(id) || !URL.canParse(uri)) return false
  const given = new URL(uri)
  if (given.protocol !== 'http:' || !isLoopback(given.hostname)) return false
  return redirectUris.some((one) => {
    const known = new URL(one)
    known.port = given.port
    return known.href === given.href
  })
}

export function isDocument(clientId: string): boolean {
  return /^https?:\/\//i.test(clientId)
}

export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

export function isItsSecret({ secretHash }: Client, secret: string): boolean {
  if (secretHash === undefined) return secret === ''
  return timingSafeEqual(Buffer.from(hash(secret)), Buffer.from(secretHash))
}

/** As Supabase Auth answers a registration. */
export function describeClient(client: Client, secret: string | undefined) {
  return {
    client_id: client.id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    client_type: client.authMethod === 'none' ? 'public' : 'confidential',
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.authMethod,
    grant_types: client.grantTypes,
    response_types: ['code'],
    ...(client.name === '' ? {} : { client_name: client.name }),
    ...(client.uri === '' ? {} : { client_uri: client.uri }),
    registration_type: 'dynamic',
    created_at: client.createdAt,
    updated_at: client.createdAt,
  }
}

/** As people who consent are shown it. */
export function showClient({ id, name, uri }: Client) {
  return { id, name, uri, logo_uri: '' }
}

function typeOf(method: AuthMethod | undefined): 'public' | 'confidential' {
  return method === 'none' ? 'public' : 'confidential'
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
