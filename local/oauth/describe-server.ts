export const supportedScopes = ['openid', 'email', 'profile', 'phone']

/** As Supabase Auth describes itself (RFC 8414), and that it reads metadata documents, which Supabase's does not yet. */
export function describeServer(issuer: string, registers: boolean) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    ...(registers ? { registration_endpoint: `${issuer}/oauth/clients/register` } : {}),
    client_id_metadata_document_supported: true,
    scopes_supported: supportedScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256', 'plain'],
  }
}
