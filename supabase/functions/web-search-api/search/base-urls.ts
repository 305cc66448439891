import { withoutTrailingSlash } from '../../../../shared/engine/core/without-trailing-slash.ts'
import type { Environment } from '../../../../shared/server/authentication/project-settings.ts'

/** By provider id: what stands before the documented paths. */
export type BaseURLs = Readonly<Record<string, string>>

/** Where the providers are; only the operator can say otherwise. */
export function readBaseURLs(env: Environment): BaseURLs {
  return {
    serper: withoutTrailingSlash(env.SERPER_API_BASE_URL?.trim() ?? '') || 'https://google.serper.dev',
    serpapi: withoutTrailingSlash(env.SERPAPI_API_BASE_URL?.trim() ?? '') || 'https://serpapi.com',
    brave: withoutTrailingSlash(env.BRAVE_API_BASE_URL?.trim() ?? '') || 'https://api.search.brave.com',
  }
}
