import { SignJWT } from 'jose'

const jwtSecret = 'a secret of the tests that is long enough'

/** The settings of a function of a project where nothing answers: its database and other functions are the test's. */
export const projectSettings = {
  SUPABASE_URL: 'http://127.0.0.1:9',
  SUPABASE_SERVICE_ROLE_KEY: 'unused',
  ASKBACK_JWT_SECRET: jwtSecret,
  ASKBACK_CREDENTIALS_KEYS: `test:${btoa('k'.repeat(32))}`,
}

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by assertions only
  json: any
  text: string
  headers: Headers
}

/** A request of a user, or of nobody, for a path of a function; a body that is a text is sent as it is. */
export type Ask = (
  user: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

/** The function `name` in this process, as its callers reach it. */
export function askFunction(
  name: string,
  { fetch }: { fetch(request: Request): Response | Promise<Response> },
): Ask {
  return async (user, method, path, body, headers = {}) => {
    // Functions see their own name in front of every path, and nothing before it.
    const request = new Request(`${projectSettings.SUPABASE_URL}/${name}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(user === undefined ? {} : { authorization: `Bearer ${await signToken(user)}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await fetch(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      json: isJson ? JSON.parse(text) : undefined,
      text,
      headers: response.headers,
    }
  }
}

const tokens = new Map<string, Promise<string>>()

/** The access token of a user, the same at every call. */
export function signToken(userId: string): Promise<string> {
  const token = tokens.get(userId) ?? signNew(userId)
  tokens.set(userId, token)
  return token
}

function signNew(userId: string): Promise<string> {
  return new SignJWT({ role: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setAudience('authenticated')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(jwtSecret))
}
