import type { Environment } from '../../../../shared/server/authentication/project-settings.ts'

/** By provider id: what stands before the documented paths. */
export type BaseURLs = Readonly<Record<string, string>>

/** Where the providers are; only the operator can say otherwise. */
export function readBaseURLs(env: Environment): BaseURLs {
  return {
    serper: withoutSlash(env.SERPER_API_BASE_URL) || 'https://google.serper.dev',
    serpapi: withoutSlash(env.SERPAPI_API_BASE_URL) || 'https://serpapi.com',
    brave: withoutSlash(env.BRAVE_API_BASE_URL) || 'https://api.search.brave.com',
  }
}

function withoutSlash(url = ''): string {
  return url.trim().replace(/(?<!\/)\/+$/, '')
}
