import { ApiError } from '../../../shared/server/http/api-error.ts'
import type { AppUrls } from '../../../shared/server/links/app-urls.ts'

/**
 * Where the browser is sent after the provider's page: a URL of the app; without one, the app's integrations
 * page. Throws ApiError 400 for a URL of any other origin, so that nobody's code is sent elsewhere.
 */
export function readReturnAddress(
  returnTo: string | undefined,
  about: { provider: string } | { server: string },
  { origins, base }: AppUrls,
): URL {
  if (base === undefined) throw new ApiError('return_to_not_allowed', { why: 'no_app' })
  const asked = returnTo ?? `${base}/settings/integrations?${new URLSearchParams(about)}`
  const address = URL.canParse(asked) ? new URL(asked) : undefined
  const allowed = address && origins.has(address.origin) && address.username === '' && address.password === ''
  if (!address || !allowed) throw new ApiError('return_to_not_allowed', { why: 'foreign' })
  for (const name of ['connecting', 'code', 'error', 'server']) address.searchParams.delete(name)
  // A provider is added with the answer.
  if ('server' in about) address.searchParams.set('server', about.server)
  return address
}
