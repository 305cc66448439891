import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { createTokenVerifier } from '../../../shared/server/authentication/user-token.ts'
import { makeSigningKey, startKeyServer } from '../../../support/key-server.ts'
import { otherApp } from '../../../support/other-app.ts'

const secret = 'a-secret-of-the-local-stack-with-32-characters'
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
const bytes = (text: string) => new TextEncoder().encode(text)

function token(claims: Record<string, unknown> = {}, { audience = 'authenticated', exp = '1h' } = {}) {
  return new SignJWT({ sub: userId, email: 'ada@example.com', role: 'authenticated', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(exp)
}
const rules = { issuers: ['https://ref.supabase.co/auth/v1'], ownClients: [] }
const refused = (message: RegExp) =>
  expect.objectContaining({ status: 401, message: expect.stringMatching(message) })

describe('a token of the local stack (HS256, no kid, no iss)', () => {
  const verify = createTokenVerifier({ secret, ...rules })

  it('identifies its user', async () => {
    const signed = await token({ user_metadata: { full_name: 'Ada Lovelace' } }).sign(bytes(secret))
    expect(await verify(signed)).toEqual({
      userId,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      token: signed,
      expiresAt: expect.any(Number),
    })
  })

  it('is asked for when it is missing', async () => {
    await expect(verify(undefined)).rejects.toEqual(refused(/^Sign in first/))
  })

  it('is refused when expired', async () => {
    const signed = await token({}, { exp: '-1s' }).sign(bytes(secret))
    await expect(verify(signed)).rejects.toEqual(refused(/expired/))
  })

  it('is refused without an expiry', async () => {
    const signed = await new SignJWT({ sub: userId, aud: 'authenticated' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(bytes(secret))
    await expect(verify(signed)).rejects.toEqual(refused(/not valid/))
  })

  it.each([[[userId]], [{ id: userId }], [7], ['ada'], [`${userId}\n`]])(
    'is refused with the subject %j, which is no user',
    async (sub) => {
      const signed = await token({ sub }).sign(bytes(secret))
      await expect(verify(signed)).rejects.toEqual(refused(/names no user/))
    },
  )

  it('is refused when its payload was changed', async () => {
    const [header, , signature] = (await token().sign(bytes(secret))).split('.')
    const payload = btoa(
      JSON.stringify({ sub: userId.replace('0', '1'), aud: 'authenticated', exp: 9_999_999_999 }),
    )
    await expect(verify(`${header}.${payload.replaceAll('=', '')}.${signature}`)).rejects.toEqual(
      refused(/not valid/),
    )
  })

  it('is refused when another secret signed it', async () => {
    await expect(verify(await token().sign(bytes(`${secret}!`)))).rejects.toEqual(refused(/not valid/))
  })

  it('is refused with alg none, however it is written', async () => {
    const unsecured = new UnsecuredJWT({ sub: userId })
      .setAudience('authenticated')
      .setExpirationTime('1h')
      .encode()
    await expect(verify(unsecured)).rejects.toEqual(refused(/does not accept/))
    const header = btoa('{"alg":"nOnE"}').replaceAll('=', '')
    await expect(verify(`${header}.${unsecured.split('.')[1]}.`)).rejects.toEqual(refused(/does not accept/))
  })

  it('is refused for another audience, also for none', async () => {
    await expect(verify(await token({}, { audience: 'anon' }).sign(bytes(secret)))).rejects.toEqual(
      refused(/audience/),
    )
    const without = await new SignJWT({ role: 'anon' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(bytes(secret))
    await expect(verify(without)).rejects.toEqual(refused(/signed-in user|not valid/))
  })

  it.each(['', 'admin', '123', `${userId}0`])('is refused when its subject is %j', async (sub) => {
    await expect(verify(await token({ sub }).sign(bytes(secret)))).rejects.toEqual(refused(/names no user/))
  })

  it.each(['x', 'a.b.c', '..', 'ey.ey.ey', '\u0000'])('is refused when it is %j', async (text) => {
    await expect(verify(text)).rejects.toEqual(refused(/not a JWT/))
  })
})

describe('a token of a project with asymmetric keys', async () => {
  const [first, second] = [await makeSigningKey('first'), await makeSigningKey('second', 'RS256')]
  const server = await startKeyServer(first, second)
  afterAll(() => server.close())
  const settings = { ...rules, keysUrl: server.keysUrl }
  const claims = { sub: userId, aud: 'authenticated', iss: rules.issuers[0], exp: Date.now() / 1000 + 3600 }

  it('is accepted by any of the published keys', async () => {
    const verify = createTokenVerifier(settings)
    expect(await verify(await first.sign(claims))).toMatchObject({ userId })
    expect(await verify(await second.sign(claims))).toMatchObject({ userId })
  })

  it('is accepted beside a shared secret that was left behind, and so is one that the secret signed', async () => {
    const verify = createTokenVerifier({ ...settings, secret })
    expect(await verify(await first.sign(claims))).toMatchObject({ userId })
    expect(await verify(await token().sign(bytes(secret)))).toMatchObject({ userId })
  })

  it('is refused when HS256 was used with the public key as the secret', async () => {
    const spki = await exportSPKI((await importJWK(first.jwk)) as CryptoKey)
    const jwks = JSON.stringify({ keys: [first.jwk] })
    for (const verify of [createTokenVerifier(settings), createTokenVerifier({ ...settings, secret })]) {
      for (const publicKey of [spki, JSON.stringify(first.jwk), jwks]) {
        await expect(verify(await token().sign(bytes(publicKey)))).rejects.toMatchObject({ status: 401 })
      }
    }
  })

  it('is refused when the key set holds a symmetric key', async () => {
    const symmetric = { kty: 'oct', k: btoa(secret).replaceAll('=', ''), alg: 'HS256', kid: 'shared' }
    server.answer(200, JSON.stringify({ keys: [symmetric] }))
    await expect(createTokenVerifier(settings)(await token().sign(bytes(secret)))).rejects.toEqual(
      refused(/does not accept/),
    )
    server.publish(first, second)
  })

  it('is refused when another key of the same name signed it', async () => {
    const other = await makeSigningKey('first')
    const verify = createTokenVerifier(settings)
    await expect(verify(await other.sign(claims))).rejects.toEqual(refused(/not valid/))
    await expect(verify(await other.sign(claims, { kid: 'nobody' }))).rejects.toEqual(refused(/not valid/))
  })

  it('is refused without an issuer', async () => {
    const { iss: _, ...rest } = claims
    await expect(createTokenVerifier(settings)(await first.sign(rest))).rejects.toMatchObject({
      status: 401,
      code: 'foreign_issuer',
      message: expect.stringContaining('does not say who issued it'),
    })
  })
})

describe('the issuer of a token', () => {
  const verify = createTokenVerifier({
    secret,
    ...rules,
    issuers: ['https://ref.supabase.co/auth/v1', 'https://api.example.com/auth/v1'],
  })

  it.each(['https://ref.supabase.co/auth/v1', 'https://api.example.com/auth/v1'])(
    'may be %s',
    async (iss) => {
      expect(await verify(await token({ iss }).sign(bytes(secret)))).toMatchObject({ userId })
    },
  )

  it.each([
    'https://other.supabase.co/auth/v1',
    'https://ref.supabase.co',
    'https://ref.supabase.co/auth/v1/',
    'https://ref.supabase.co/auth/v1.evil.example',
    'supabase',
    '',
    7,
    null,
    [['https://ref.supabase.co/auth/v1']],
  ])('may not be %j', async (iss) => {
    await expect(verify(await token({ iss }).sign(bytes(secret)))).rejects.toMatchObject({
      status: 401,
      code: 'foreign_issuer',
      message: expect.stringContaining(
        `issued by ${JSON.stringify(iss)}, and this project accepts only "https://ref.supabase.co/auth/v1" and "https://api.example.com/auth/v1"`,
      ),
    })
  })

  it('is checked before the signature, so that a project can be asked what it accepts', async () => {
    const unsigned = await token({ iss: 'https://other.example/auth/v1' }).sign(bytes('x'.repeat(32)))
    await expect(verify(unsigned)).rejects.toMatchObject({ code: 'foreign_issuer' })
  })
})

describe('a token that was issued to another app', () => {
  const sign = (client_id: unknown) => token({ client_id }).sign(bytes(secret))

  it.each([otherApp, '', 7, true, [[]], {}])('is refused with the client_id %j', async (clientId) => {
    const verify = createTokenVerifier({ secret, ...rules })
    await expect(verify(await sign(clientId))).rejects.toMatchObject({
      status: 403,
      code: 'foreign_client',
      message: expect.stringContaining('issued to another app'),
    })
  })

  it('is accepted if that app is one of the project’s own', async () => {
    const verify = createTokenVerifier({ secret, ...rules, ownClients: [otherApp] })
    expect(await verify(await sign(otherApp))).toMatchObject({ userId })
    await expect(verify(await sign(`${otherApp} `))).rejects.toMatchObject({ code: 'foreign_client' })
    await expect(verify(await sign([otherApp]))).rejects.toMatchObject({ code: 'foreign_client' })
  })
})
