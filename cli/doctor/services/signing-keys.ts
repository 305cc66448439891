import { bodyLimits, readJson } from '../../../shared/engine/core/outside-body.ts'
import { type Finding, fail, ok } from '../finding.ts'
import { get, type Services } from './services.ts'

/** How Auth signs its tokens. */
export async function checkSigningKeys({ url, kind }: Services): Promise<Finding> {
  if (kind === 'dev') return ok('`askback dev` signs tokens with a secret that its functions have')
  const response = await get(`${url}/auth/v1/.well-known/jwks.json`)
  if (!response) return fail(`The sign-in at ${url} does not answer within 5 s.`)
  const answer = await readJson(response, bodyLimits.publicKeys).catch(() => ({}))
  const { keys = [] } = answer as { keys?: unknown[] }
  if (keys.length > 0) return ok('Tokens are signed with asymmetric keys')
  return fail(
    'Tokens are signed with a shared secret. Change that in the dashboard: Project Settings, JWT Keys, "Migrate JWT secret". Or give the functions the secret ASKBACK_JWT_SECRET.',
  )
}
