import { bodyLimits, readJson } from '../../../shared/engine/core/outside-body.ts'
import { type Finding, fail, note, ok } from '../finding.ts'
import { get, type Services } from './services.ts'

/** How Auth signs its tokens, and whether the functions have a secret that it no longer uses. */
export async function checkSigningKeys({ url, kind, secrets }: Services): Promise<Finding> {
  if (kind === 'dev') return ok('`askback dev` signs tokens with a secret that its functions have')
  const response = await get(`${url}/auth/v1/.well-known/jwks.json`)
  if (!response) return fail(`The sign-in at ${url} does not answer within 5 s.`)
  const answer = await readJson(response, bodyLimits.publicKeys).catch(() => ({}))
  const { keys = [] } = answer as { keys?: unknown[] }
  const hasSecret = secrets?.includes('ASKBACK_JWT_SECRET')
  if (keys.length > 0 && hasSecret) {
    return note(
      'ASKBACK_JWT_SECRET is left over: tokens are signed with asymmetric keys, but whoever has this secret can still sign in as anybody. Once it is no longer the current key under Project Settings, JWT Keys, and its tokens have expired, remove it: supabase secrets unset ASKBACK_JWT_SECRET',
    )
  }
  if (keys.length > 0) return ok('Tokens are signed with asymmetric keys')
  if (hasSecret) return ok('Tokens are signed with a shared secret, ASKBACK_JWT_SECRET')
  return fail(
    'Tokens are signed with a shared secret. Change that in the dashboard: Project Settings, JWT Keys, "Migrate JWT secret". Or give the functions the secret ASKBACK_JWT_SECRET.',
  )
}
