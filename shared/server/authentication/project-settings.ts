import { withoutTrailingSlash } from '../../engine/core/without-trailing-slash.ts'
import { createTokenVerifier, type VerifyUserToken } from './user-token.ts'

/** Environment variables by name; functions read them once, in index.ts. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a project is, and the key to it. */
export interface ProjectAccess {
  /** Without a trailing slash. */
  url: string
  /** Secret or service-role key. */
  serviceKey: string
}

/** What every function needs to know about its project. */
export interface ProjectSettings extends ProjectAccess {
  verify: VerifyUserToken
  /** Every key by which a server of the project may call. */
  secretKeys: readonly string[]
  functionSecret: string | undefined
}

/**
 * Reads the variables that Supabase (hosted, self-hosted, CLI) and the local stack pass to functions. Throws a
 * plain Error that names a missing variable.
 */
export function readProjectAccess(env: Environment): ProjectAccess {
  return {
    url: withoutTrailingSlash(required(env, 'SUPABASE_URL')),
    serviceKey: newKey(env.SUPABASE_SECRET_KEYS) ?? required(env, 'SUPABASE_SERVICE_ROLE_KEY'),
  }
}

/**
 * Also reads who may sign in; throws a plain Error that names a missing or invalid variable. Call it once per process: it
 * loads the keys. `otherApps`: whether tokens count that Supabase's OAuth server has issued to them.
 */
export function readProjectSettings(
  env: Environment,
  { otherApps = false }: { otherApps?: boolean } = {},
): ProjectSettings {
  const access = readProjectAccess(env)
  return {
    ...access,
    verify: createTokenVerifier({
      secret: env.ASKBACK_JWT_SECRET,
      keysUrl: `${access.url}/auth/v1/.well-known/jwks.json`,
      issuers: readIssuers(env, access.url),
      ownClients: otherApps ? '*' : readList(env.ASKBACK_OWN_CLIENTS),
    }),
    secretKeys: readSecretKeys(env),
    functionSecret: env.ASKBACK_FUNCTION_SECRET || undefined,
  }
}

/** Supabase Auth under each address of the project, and under those in `ASKBACK_TOKEN_ISSUERS`. */
function readIssuers(env: Environment, url: string): string[] {
  const further = readList(env.ASKBACK_TOKEN_ISSUERS).map((address) => {
    if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address
    throw new Error(
      `ASKBACK_TOKEN_ISSUERS contains "${address}", which is not an address like https://api.example.com.`,
    )
  })
  const issuers = [url, readProjectUrl(env), ...further].map(
    // Some will copy the whole of `iss`.
    (address) => `${withoutTrailingSlash(address).replace(/\/auth\/v1$/, '')}/auth/v1`,
  )
  return [...new Set(issuers)]
}

function readList(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

/** The project's URL for browsers, without a trailing slash: `ASKBACK_PUBLIC_URL`, else the project's own URL. */
export function readProjectUrl(env: Environment): string {
  return withoutTrailingSlash(env.ASKBACK_PUBLIC_URL || required(env, 'SUPABASE_URL'))
}

/** The key for calls as the user. */
export function readPublishableKey(env: Environment): string {
  return newKey(env.SUPABASE_PUBLISHABLE_KEYS) ?? required(env, 'SUPABASE_ANON_KEY')
}

/** Both kinds: the new ones, of which a project has as many as it likes, and the one of before. */
function readSecretKeys(env: Environment): string[] {
  const named: unknown[] = Object.values(JSON.parse(env.SUPABASE_SECRET_KEYS || '{}'))
  return [...named, env.SUPABASE_SERVICE_ROLE_KEY].filter(
    (key): key is string => typeof key === 'string' && key !== '',
  )
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
