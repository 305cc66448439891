import { withoutTrailingSlash } from '../../../../shared/engine/core/without-trailing-slash.ts'
import type { Environment } from '../../../../shared/server/authentication/project-settings.ts'

/** By provider id: the URL before the documented paths. */
export type BaseURLs = Readonly<Record<string, string>>

/** The providers' base URLs; only the operator can change them. */
export function readBaseURLs(env: Environment): BaseURLs {
  return {
    serper: withoutTrailingSlash(env.SERPER_API_BASE_URL?.trim() ?? '') || 'https://google.serper.dev',
    serpapi: withoutTrailingSlash(env.SERPAPI_API_BASE_URL?.trim() ?? '') || 'https://serpapi.com',
    brave: withoutTrailingSlash(env.BRAVE_API_BASE_URL?.trim() ?? '') || 'https://api.search.brave.com',
  }
}
