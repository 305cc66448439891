import { AuthClient, type Session } from '@supabase/auth-js'
import { FunctionsClient } from '@supabase/functions-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { Config } from './config.ts'

export type { Session }

/**
 * The parts of supabase-js that this app uses, put together as it does: its realtime and storage clients alone would be
 * a fifth of the JavaScript of the first page.
 */
export function openSupabase({ url, publishableKey }: Config) {
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
    storageKey: `askback-${new URL(url).host}`,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
  })
  const fetchAsUser: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    const { data } = await auth.getSession()
    headers.set('apikey', publishableKey)
    if (data.session) headers.set('authorization', `Bearer ${data.session.access_token}`)
    const response = await fetch(input, { ...init, headers })
    if (response.status === 401 && data.session) await leaveIfOver()
    return response
  }
  /** The session was ended elsewhere, or with its account: the door opens, and the page comes back after it. */
  const leaveIfOver = async () => {
    const { error } = await auth.getUser()
    if (error?.status && error.status >= 400 && error.status < 500) await auth.signOut({ scope: 'local' })
  }
  const rest = new PostgrestClient(`${url}/rest/v1`, { fetch: fetchAsUser })
  return {
    auth,
    functions: new FunctionsClient(`${url}/functions/v1`, { customFetch: fetchAsUser }),
    schema: (name: string) => rest.schema(name),
  }
}

export type Supabase = ReturnType<typeof openSupabase>
