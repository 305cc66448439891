import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import {
  createGoogleOAuth,
  type GoogleOAuth,
  type GoogleOAuthOptions,
} from '../local/simulator/google-oauth.ts'

export interface GoogleOAuthServer extends GoogleOAuth {
  /** For GOOGLE_OAUTH_BASE_URL. */
  url: string
  close(): Promise<void>
}

export const googleClient = {
  clientId: 'askback-test.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-planted-client-secret',
}

/** How functions are told of it. */
export const googleEnvironment = (url: string) => ({
  GOOGLE_CLIENT_ID: googleClient.clientId,
  GOOGLE_CLIENT_SECRET: googleClient.clientSecret,
  GOOGLE_OAUTH_BASE_URL: url,
})

/** The simulated authorization server on a free port of its own. */
export async function startGoogleOAuth(
  options: Partial<GoogleOAuthOptions> = {},
): Promise<GoogleOAuthServer> {
  const google = createGoogleOAuth({
    ...googleClient,
    accounts: ['ada@gmail.test', 'grace@gmail.test'],
    ...options,
  })
  const server = serve({ fetch: google.fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise<void>((resolve) => server.once('listening', () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    ...google,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

/** What a person does on the consent page; resolves to where the browser is sent, with `code` or `error`. */
export async function consent(
  page: string,
  choice: { account?: string; deny?: boolean; untick?: string[] } = {},
): Promise<URL> {
  const scopes = (new URL(page).searchParams.get('scope') ?? '').split(' ')
  const form = new URLSearchParams({ account: choice.account ?? 'ada@gmail.test' })
  form.set('decision', choice.deny ? 'deny' : 'allow')
  for (const scope of scopes) if (!choice.untick?.includes(scope)) form.append('scope', scope)
  const response = await fetch(page, { method: 'POST', body: form, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`Google refused (${response.status}): ${await response.text()}`)
  return new URL(location)
}
