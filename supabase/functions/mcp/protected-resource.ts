import { withoutNothing } from '../../../shared/engine/core/without-nothing.ts'

/** Under the function's own path, because a function has no other: clients follow the header that names it. */
export const metadataPath = 'oauth-protected-resource'

/** What clients read to find out where they sign in (RFC 9728). */
export function describeResource({
  projectUrl,
  mcpUrl,
  name,
}: {
  projectUrl: string
  mcpUrl: string
  name?: string
}) {
  return withoutNothing({
    resource: mcpUrl,
    authorization_servers: [`${projectUrl}/auth/v1`],
    bearer_methods_supported: ['header'],
    resource_name: name,
  })
}

/** The challenge of a 401. */
export function challenge(mcpUrl: string): string {
  return `Bearer resource_metadata="${mcpUrl}/${metadataPath}"`
}
