import { createHash, randomBytes } from 'node:crypto'
import { supportedScopes } from './describe-server.ts'

/** A client's request for access, until its code is exchanged. */
export interface Authorization {
  id: string
  clientId: string
  redirectUri: string
  scope: string
  state: string
  challenge: string
  challengeMethod: string
  /** Milliseconds since 1970. */
  expiresAt: number
  status: 'pending' | 'approved' | 'denied'
  /** Whoever opened it first. */
  userId?: string
  code?: string
}

const validMs = 10 * 60_000

/** What is wrong with the rest of a request whose client and address are right, in the words of Supabase Auth. */
export function requestFault(query: Record<string, string>): string | undefined {
  const { response_type: type = 'code', scope = 'email', resource = '' } = query
  const { code_challenge: challenge = '', code_challenge_method: method = '' } = query
  if (type !== 'code') return 'only response_type=code is supported'
  const unsupported = scope.split(' ').find((one) => one !== '' && !supportedScopes.includes(one))
  if (unsupported !== undefined) return `unsupported scope: ${unsupported}`
  // It is looked at, and binds nothing (RFC 8707): the token is good for every resource.
  if (resource !== '' && !URL.canParse(resource)) return 'resource must be an absolute URI'
  if (challenge === '' || method === '')
    return 'PKCE flow requires both code_challenge and code_challenge_method'
  if (!['s256', 'plain'].includes(method.toLowerCase()))
    return "code_challenge_method must be 'S256' or 'plain'"
  if (challenge.length < 43 || challenge.length > 128)
    return 'code_challenge must be between 43 and 128 characters'
  return undefined
}

/** Requests for access, in memory: a start of the stack forgets those that wait. */
export function createAuthorizations() {
  const all = new Map<string, Authorization>()
  const isLive = ({ expiresAt }: Authorization) => expiresAt > Date.now()
  return {
    begin(query: Record<string, string>): Authorization {
      for (const one of all.values()) if (!isLive(one)) all.delete(one.id)
      const authorization: Authorization = {
        id: randomBytes(20).toString('hex'),
        clientId: query.client_id ?? '',
        redirectUri: query.redirect_uri ?? '',
        scope: query.scope || 'email',
        state: query.state ?? '',
        challenge: query.code_challenge ?? '',
        challengeMethod: query.code_challenge_method ?? '',
        expiresAt: Date.now() + validMs,
        status: 'pending',
      }
      all.set(authorization.id, authorization)
      return authorization
    },

    find(id: string): Authorization | undefined {
      const found = all.get(id)
      return found && isLive(found) ? found : undefined
    },

    /** Where the client learns of the consent. */
    approve(authorization: Authorization): string {
      authorization.status = 'approved'
      authorization.code = randomBytes(24).toString('base64url')
      return backTo(authorization, { code: authorization.code })
    },

    deny(authorization: Authorization): string {
      authorization.status = 'denied'
      return backTo(authorization, { error: 'access_denied', error_description: 'User denied the request' })
    },

    ofCode(code: string): Authorization | undefined {
      return [...all.values()].find((one) => one.code === code && isLive(one))
    },

    /** A code is exchanged once. */
    end({ id }: Authorization): void {
      all.delete(id)
    },
  }
}

/** The client's own address with an answer. */
export function backTo(
  { redirectUri, state }: Pick<Authorization, 'redirectUri' | 'state'>,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== '') url.searchParams.set('state', state)
  return url.href
}

/** Whether whoever exchanges a code has begun its request (RFC 7636). */
export function isItsVerifier({ challenge, challengeMethod }: Authorization, verifier: string): boolean {
  const isHashed = challengeMethod.toLowerCase() === 's256'
  return challenge === (isHashed ? createHash('sha256').update(verifier).digest('base64url') : verifier)
}
