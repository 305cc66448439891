import { withoutTrailingSlash } from '../../../../shared/engine/core/without-trailing-slash.ts'
import type { Environment } from '../../../../shared/server/authentication/project-settings.ts'
import type { SearchProvider } from './search-provider.ts'

/** The setting with which an operator puts another host in a provider's place: `SERPER_API_BASE_URL`. */
export function baseURLSetting({ id }: SearchProvider): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_API_BASE_URL`
}

/** What stands before the documented path of a provider. Where search is simulated, no provider is reached for real. */
export function readBaseURL(provider: SearchProvider, env: Environment): string {
  const simulator = env.ASKBACK_SEARCH_SIMULATOR_URL
  if (simulator) return `${withoutTrailingSlash(simulator)}/${provider.id}`
  return withoutTrailingSlash(env[baseURLSetting(provider)]?.trim() ?? '') || provider.host
}
