import type { Keys } from '../data-directory/keys.ts'
import type { Environment } from '../settings/settings.ts'

/** Where pages are served: links lead to the first. An app that is served beside the stack comes before its own pages. */
function appUrls(url: string, { ASKBACK_APP_URLS, ASKBACK_WEB_PATH, ASKBACK_WEB_PORT }: Environment): string {
  const stack = [url, `http://localhost:${new URL(url).port}`]
  const place = `${ASKBACK_WEB_PORT || '5173'}${ASKBACK_WEB_PATH ?? ''}`
  const vite = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${place}`)
  const here = ASKBACK_WEB_PORT ? [...vite, ...stack] : [...stack, ...vite]
  // Those of a hosted app may stand in the project's settings, too.
  return [...(ASKBACK_APP_URLS ? [ASKBACK_APP_URLS] : []), ...here].join()
}

/** The secret that signs tokens, in the form in which projects publish their keys. */
function jwkOf(secret: string) {
  return { kty: 'oct', alg: 'HS256', k: Buffer.from(secret).toString('base64url') }
}

/** The environment of every function: what hosted Supabase sets, our keys, and the user's settings. */
export function makeFunctionEnvironment(options: {
  environment: Environment
  /** Settings for the chosen model. */
  model: Readonly<Record<string, string>>
  url: string
  databaseUrl: string
  keys: Keys
  /** Path of the certificate authority of the inbox. */
  authorityFile: string
  /** Deno's cache, unless the user's settings name another; Deno's own default if absent. */
  denoDirectory: string | undefined
}): Environment {
  const { environment, model, url, databaseUrl, keys, authorityFile, denoDirectory } = options
  const ofUser = Object.entries(environment).filter(([name]) => !/^(npm_|NODE_)/.test(name))
  return {
    ...Object.fromEntries(ofUser),
    ...model,
    SUPABASE_URL: url,
    SUPABASE_ANON_KEY: keys.publishableKey,
    SUPABASE_SERVICE_ROLE_KEY: keys.secretKey,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secretKey }),
    SUPABASE_JWKS: JSON.stringify({ keys: [jwkOf(keys.jwtSecret)] }),
    SUPABASE_DB_URL: databaseUrl,
    ASKBACK_JWT_SECRET: keys.jwtSecret,
    ASKBACK_CREDENTIALS_KEYS: keys.credentialsKeys,
    ASKBACK_FUNCTION_SECRET: keys.functionSecret,
    ASKBACK_APP_URLS: appUrls(url, environment),
    ASKBACK_CORS_ORIGINS: environment.ASKBACK_CORS_ORIGINS || '*',
    // Connections may point to this machine, where the inbox is.
    ASKBACK_ALLOW_PRIVATE_HOSTS: 'true',
    DENO_CERT: authorityFile,
    ...(environment.DENO_DIR || denoDirectory ? { DENO_DIR: environment.DENO_DIR || denoDirectory } : {}),
    // What a web app beside the functions installs is not theirs.
    DENO_NO_PACKAGE_JSON: '1',
    DENO_NO_UPDATE_CHECK: '1',
    NO_COLOR: '1',
  }
}
