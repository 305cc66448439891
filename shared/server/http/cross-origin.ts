import { cors } from 'hono/cors'
import { errorCodeHeader } from './error-response.ts'

/**
 * Lets browser apps of any origin call a function: authority comes from the bearer token, never from a cookie.
 * Without `allowHeaders` the preflight answer repeats the requested headers, so clients can send their own.
 */
export const crossOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposeHeaders: [
    errorCodeHeader,
    'x-vercel-ai-ui-message-stream',
    'retry-after',
    'x-should-retry',
    'x-request-id',
    'x-askback-ignored',
  ],
  maxAge: 86_400,
})
