import type { Hono } from 'hono'
import type { Sql } from 'postgres'
import type { DataApi } from '../data-api/data-api.ts'
import type { Keys } from '../data-directory/keys.ts'
import { readProjectConfig } from '../settings/project-config.ts'
import { createOAuthServer } from './oauth-server.ts'

/** The OAuth server, as `config.toml` sets it up; undefined if it is switched off there. */
export function openOAuthServer(parts: {
  supabaseDirectory: string
  directory: string
  /** Address of the stack, and of the app with the page on which people consent. */
  url: string
  appUrl: string
  keys: Keys
  dataApi: DataApi
  withSql<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
}): Hono | undefined {
  const { url, appUrl, keys, dataApi } = parts
  const {
    enabled,
    authorization_url_path: path,
    allow_dynamic_registration: registers,
  } = readProjectConfig(parts.supabaseDirectory).auth.oauth_server
  if (!enabled) return undefined
  return createOAuthServer({
    url,
    consentUrl: `${appUrl}/${path.replace(/^\/+/, '')}`,
    registers,
    jwtSecret: keys.jwtSecret,
    directory: parts.directory,
    withSql: parts.withSql,
    async userOf({ headers }) {
      const authorization = headers.get('authorization')
      if (authorization === null) return undefined
      const asked = new Request(`${url}/auth/v1/user`, {
        headers: { authorization, apikey: keys.publishableKey },
      })
      const response = await dataApi.fetch(asked)
      if (!response.ok) return undefined
      const { id, email } = (await response.json()) as { id: string; email?: string }
      return { id, email: email ?? '' }
    },
  })
}
