import type { ClientIdentity } from './provider.ts'

/** Below the function. */
export const callbackPath = 'callback'
export const documentPath = 'client.json'

/** How this project presents itself to authorization servers: they read a document only over https. */
export function identityOf(publicUrl: string): ClientIdentity {
  return {
    name: 'Askback',
    redirectUrl: `${publicUrl}/${callbackPath}`,
    ...(publicUrl.startsWith('https://') ? { metadataUrl: `${publicUrl}/${documentPath}` } : {}),
  }
}

/** That document (OAuth Client ID Metadata Document): its address is the id. */
export function describeClient({ name, redirectUrl, metadataUrl }: ClientIdentity) {
  return {
    client_id: metadataUrl,
    client_name: name,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
