import { cors } from 'hono/cors'
import { errorCodeHeader } from './error-response.ts'

/**
 * Lets browser apps of these origins call a function. Authority comes from the bearer token, never from a cookie, so this
 * is a second line of defence. Without `allowHeaders` the preflight answer repeats the requested headers, so clients can
 * send their own.
 */
export function crossOrigin(callers: '*' | readonly string[]) {
  return cors({
    origin: callers === '*' ? '*' : [...callers],
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposeHeaders: [
      errorCodeHeader,
      'x-vercel-ai-ui-message-stream',
      'retry-after',
      'x-should-retry',
      'x-request-id',
      'x-askback-ignored',
      'mcp-session-id',
      'www-authenticate',
    ],
    maxAge: 86_400,
  })
}
