import { isAuthError } from '@supabase/auth-js/dist/module/lib/errors.js'
import { _request, type Fetch } from '@supabase/auth-js/dist/module/lib/fetch.js'

interface AuthServer {
  url: string
  headers?: Record<string, string>
  fetch: Fetch
}

/** Replaces the admin code of auth-js, 2 KiB of the first page: all that a browser needs of it is to sign out. */
export default class GoTrueAdminApi {
  #server: AuthServer

  constructor(server: AuthServer) {
    this.#server = server
  }

  /** Ends sessions of the token's user: `local` this one, `others` the others, `global` all. */
  async signOut(jwt: string, scope: 'global' | 'local' | 'others') {
    const { url, headers, fetch } = this.#server
    try {
      await _request(fetch, 'POST', `${url}/logout?scope=${scope}`, { headers, jwt, noResolveJson: true })
      return { data: null, error: null }
    } catch (error) {
      if (isAuthError(error)) return { data: null, error }
      throw error
    }
  }
}
