import { AuthClient, type Session } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { Config } from './config.ts'
import { openFunctions } from './functions.ts'
import { fetchAuth, findStranger, forgetLink } from './link-session.ts'

export type { Session }

/**
 * The parts of supabase-js that this app uses, assembled as supabase-js does: its realtime and storage clients alone
 * would be a fifth of the first page's JavaScript.
 */
export function openSupabase({ url, publishableKey }: Config) {
  const storageKey = `askback-${new URL(url).host}`
  const kept = readSession(storageKey)
  const current = kept?.user.email
  // Read before the client removes it from the URL.
  const { hash } = location
  const stranger = findStranger(new URLSearchParams(hash.slice(1)).get('access_token') ?? undefined, current)
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
    storageKey,
    fetch: fetchAuth,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: (_, { access_token, error, error_code }) => {
      if (!access_token) return Boolean(error || error_code)
      if (stranger === undefined) forgetLink()
      return stranger === undefined
    },
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
  /** Signs out if the session was ended elsewhere, or the account was deleted; signing in again returns to this page. */
  const leaveIfOver = async () => {
    const { error } = await auth.getUser()
    if (error?.status && error.status >= 400 && error.status < 500) await auth.signOut({ scope: 'local' })
  }
  const rest = new PostgrestClient(`${url}/rest/v1`, { fetch: fetchAsUser })
  return {
    /** Set if a link signs in to an account that nobody requested here: that account, and the one that is signed in. */
    unasked: stranger === undefined ? undefined : { email: stranger, current },
    /** The last session, unless a link changes it: the page is shown while the session is checked. */
    kept: /access_token|error/.test(hash) ? undefined : kept,
    auth,
    functions: openFunctions(`${url}/functions/v1`, fetchAsUser),
    schema: (name: string) => rest.schema(name),
  }
}

export type Supabase = ReturnType<typeof openSupabase>

/** The stored session. */
function readSession(storageKey: string): Session | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '')
    return typeof kept.user.id === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}
