import { withoutTrailingSlash } from '../../engine/core/without-trailing-slash.ts'
import { createTokenVerifier, type VerifyUserToken } from './user-token.ts'

/** Environment variables by name; functions read them once, in index.ts. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What every function needs to know about its project. */
export interface ProjectSettings {
  /** Without a trailing slash. */
  url: string
  /** Secret or service-role key. */
  serviceKey: string
  verify: VerifyUserToken
  functionSecret: string | undefined
}

/**
 * Reads the variables that Supabase (hosted, self-hosted, CLI) and the local stack pass to functions. Throws a
 * plain Error that names a missing variable.
 */
export function readProjectSettings(env: Environment): ProjectSettings {
  const url = withoutTrailingSlash(required(env, 'SUPABASE_URL'))
  return {
    url,
    serviceKey: newKey(env.SUPABASE_SECRET_KEYS) ?? required(env, 'SUPABASE_SERVICE_ROLE_KEY'),
    verify: createTokenVerifier({
      secret: env.ASKBACK_JWT_SECRET,
      jwks: env.SUPABASE_JWKS,
      // With a shared secret and no key set of its own, a project publishes no keys.
      jwksUrl:
        env.ASKBACK_JWT_SECRET && !env.SUPABASE_JWKS ? undefined : `${url}/auth/v1/.well-known/jwks.json`,
    }),
    functionSecret: env.ASKBACK_FUNCTION_SECRET || undefined,
  }
}

/** The project's URL for browsers, without a trailing slash: `ASKBACK_PUBLIC_URL`, else the project's own URL. */
export function readProjectUrl(env: Environment): string {
  return withoutTrailingSlash(env.ASKBACK_PUBLIC_URL || required(env, 'SUPABASE_URL'))
}

/** The key for calls as the user. */
export function readPublishableKey(env: Environment): string {
  return newKey(env.SUPABASE_PUBLISHABLE_KEYS) ?? required(env, 'SUPABASE_ANON_KEY')
}

/** Hosted projects have their new keys in a JSON object, `{"default":"sb_secret_…"}`. */
function newKey(keys: string | undefined): string | undefined {
  const named = JSON.parse(keys || '{}')
  return named.default ?? Object.values(named)[0]
}

function required(env: Environment, name: string): string {
  const value = env[name]
  if (!value)
    throw new Error(`${name} is not set. Supabase sets it for every function; the local stack does too.`)
  return value
}
