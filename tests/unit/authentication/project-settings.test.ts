import { SignJWT } from 'jose'
import { afterAll, expect, it } from 'vitest'
import { readProjectSettings } from '../../../shared/server/authentication/project-settings.ts'
import { makeSigningKey, startKeyServer } from '../../../support/key-server.ts'
import { otherApp } from '../../../support/other-app.ts'

const secret = 'a-secret-of-the-local-stack-with-32-characters'
const project = {
  SUPABASE_URL: 'https://ref.supabase.co',
  SUPABASE_SERVICE_ROLE_KEY: 'key',
  ASKBACK_JWT_SECRET: secret,
}
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'

/** Whether a project with these settings accepts a token with these claims, else the code of the refusal. */
async function accepts(env: Record<string, string>, claims: object) {
  const token = await new SignJWT({ sub: userId, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('authenticated')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
  const { verify } = readProjectSettings({ ...project, ...env })
  return await verify(token).then(
    () => true,
    ({ code }) => code,
  )
}

it.each([
  ['https://ref.supabase.co/auth/v1', {}],
  ['https://api.example.com/auth/v1', { ASKBACK_PUBLIC_URL: 'https://api.example.com/' }],
  ['http://127.0.0.1:54321/auth/v1', { ASKBACK_TOKEN_ISSUERS: 'https://a.example, http://127.0.0.1:54321/' }],
  ['https://a.example/auth/v1', { ASKBACK_TOKEN_ISSUERS: 'https://a.example/auth/v1,' }],
])('tokens of %s are accepted with %j', async (iss, env) => {
  expect(await accepts(env, { iss })).toBe(true)
})

it('tokens of others are not', async () => {
  for (const iss of ['https://api.example.com/auth/v1', '/auth/v1', 'https://ref.supabase.co']) {
    expect(await accepts({ ASKBACK_TOKEN_ISSUERS: '' }, { iss })).toBe('foreign_issuer')
  }
})

it('own clients are named in a list', async () => {
  const own = { ASKBACK_OWN_CLIENTS: `7b4c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d, ${otherApp}` }
  expect(await accepts(own, { client_id: otherApp })).toBe(true)
  expect(await accepts({}, { client_id: otherApp })).toBe('foreign_client')
  expect(await accepts(own, { client_id: '' })).toBe('foreign_client')
  expect(await accepts({ ASKBACK_OWN_CLIENTS: '*' }, { client_id: otherApp })).toBe('foreign_client')
})

it('an issuer that is no address stops the start, by name', () => {
  expect(() => readProjectSettings({ ...project, ASKBACK_TOKEN_ISSUERS: 'api.example.com' })).toThrow(
    /^ASKBACK_TOKEN_ISSUERS contains "api\.example\.com", which is not an address like https:/,
  )
})

const [current, revoked] = [await makeSigningKey('current'), await makeSigningKey('revoked')]
const server = await startKeyServer(current)
afterAll(() => server.close())
const claims = {
  sub: userId,
  aud: 'authenticated',
  iss: `${server.url}/auth/v1`,
  exp: Math.floor(Date.now() / 1000) + 3600,
}

it('a revoked signing key is refused, although SUPABASE_JWKS still holds it', async () => {
  const { ASKBACK_JWT_SECRET: _, ...moved } = project
  const { verify } = readProjectSettings({
    ...moved,
    SUPABASE_URL: server.url,
    SUPABASE_JWKS: JSON.stringify({ keys: [revoked.jwk] }),
  })
  await expect(verify(await revoked.sign(claims))).rejects.toMatchObject({ status: 401 })
  expect(await verify(await current.sign(claims))).toMatchObject({ userId })
})

it('ASKBACK_JWT_SECRET, left behind after the move to asymmetric keys, refuses nobody', async () => {
  const { verify } = readProjectSettings({ ...project, SUPABASE_URL: server.url })
  expect(await verify(await current.sign(claims))).toMatchObject({ userId })
})
