import type { Context } from 'hono'

/** As Supabase Auth refuses a request. */
export function refuseAuth(c: Context, status: 400 | 401 | 403 | 404, code: string, msg: string): Response {
  return c.json({ code: status, error_code: code, msg }, status)
}

/** As OAuth refuses one (RFC 6749, 5.2). */
export function refuseOAuth(c: Context, error: string, description: string): Response {
  return c.json({ error, error_description: description }, 400)
}
