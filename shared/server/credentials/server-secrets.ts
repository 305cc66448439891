import type { SecretOwner } from './sealed-secret.ts'

// Whose the secrets of servers of MCP are, and what they are for: moved anywhere else, they do not open.

export const nobody = '00000000-0000-0000-0000-000000000000'

/** Our registration at an authorization server: the project's. */
export function registrationOwner(issuer: string): SecretOwner {
  return { connectionId: issuer, userId: nobody, provider: 'server registration' }
}

/** The tokens of a user for a server, which only their issuer refreshes. */
export function grantOwner(userId: string, server: string, issuer: string): SecretOwner {
  return { connectionId: server, userId, provider: `server of ${issuer}` }
}

/** The headers of a server that somebody has added. */
export function headersOwner(serverId: string, url: string): SecretOwner {
  return { connectionId: serverId, userId: nobody, provider: `headers for ${url}` }
}

/** A sign-in in progress. */
export function flowOwner(id: string): SecretOwner {
  return { connectionId: id, userId: '', provider: 'server sign-in' }
}
