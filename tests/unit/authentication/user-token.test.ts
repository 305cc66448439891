import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokenVerifier } from '../../../shared/server/authentication/user-token.ts'

const secret = 'a-secret-of-the-local-stack-with-32-characters'
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
const bytes = (text: string) => new TextEncoder().encode(text)

function token(
  claims: Record<string, unknown> = {},
  { audience = 'authenticated', exp = '1h', header = { alg: 'HS256' } as { alg: string; kid?: string } } = {},
) {
  return new SignJWT({ sub: userId, email: 'ada@example.com', role: 'authenticated', ...claims })
    .setProtectedHeader(header)
    .setAudience(audience)
    .setExpirationTime(exp)
}
const refused = (message: RegExp) =>
  expect.objectContaining({ status: 401, message: expect.stringMatching(message) })

describe('a token of the local stack (HS256, no kid, no iss)', () => {
  const verify = createTokenVerifier({ secret })

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
  const pair = await generateKeyPair('ES256', { extractable: true })
  const rotated = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'first', alg: 'ES256', use: 'sig' }
  const rotatedJwk = { ...(await exportJWK(rotated.publicKey)), kid: 'second', alg: 'RS256', use: 'sig' }
  const jwks = JSON.stringify({ keys: [jwk] })
  const sign = (alg: string, kid: string, key: CryptoKey | Uint8Array) =>
    token({}, { header: { alg, kid } }).sign(key)

  let answer: { status: number; body: string }
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  let jwksUrl: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth/v1/.well-known/jwks.json`
  })
  afterAll(() => server.close())

  it('is accepted by the keys in the settings, without a request', async () => {
    requests = 0
    const verify = createTokenVerifier({ jwks, jwksUrl })
    expect(await verify(await sign('ES256', 'first', pair.privateKey))).toMatchObject({ userId })
    expect(requests).toBe(0)
  })

  it('is accepted by the published keys, which are loaded once', async () => {
    requests = 0
    answer = { status: 200, body: JSON.stringify({ keys: [jwk, rotatedJwk] }) }
    const verify = createTokenVerifier({ jwksUrl })
    expect(await verify(await sign('ES256', 'first', pair.privateKey))).toMatchObject({ userId })
    expect(await verify(await sign('RS256', 'second', rotated.privateKey))).toMatchObject({ userId })
    expect(requests).toBe(1)
  })

  it('is accepted after a rotation that the settings do not know yet', async () => {
    answer = { status: 200, body: JSON.stringify({ keys: [jwk, rotatedJwk] }) }
    const verify = createTokenVerifier({ jwks, jwksUrl })
    expect(await verify(await sign('RS256', 'second', rotated.privateKey))).toMatchObject({ userId })
  })

  it('is refused when HS256 was used with the public key as the secret', async () => {
    const spki = await exportSPKI(pair.publicKey)
    for (const verify of [createTokenVerifier({ jwks }), createTokenVerifier({ jwks, secret })]) {
      for (const publicKey of [spki, JSON.stringify(jwk), jwks]) {
        await expect(verify(await sign('HS256', 'first', bytes(publicKey)))).rejects.toMatchObject({
          status: 401,
        })
      }
    }
  })

  it('is refused when the key set holds a symmetric key', async () => {
    const symmetric = JSON.stringify({
      keys: [{ kty: 'oct', k: btoa(secret).replaceAll('=', ''), alg: 'HS256' }],
    })
    const verify = createTokenVerifier({ jwks: symmetric })
    await expect(verify(await token().sign(bytes(secret)))).rejects.toEqual(refused(/does not accept/))
  })

  it('is refused when another key of the same name signed it', async () => {
    const other = await generateKeyPair('ES256')
    const verify = createTokenVerifier({ jwks })
    await expect(verify(await sign('ES256', 'first', other.privateKey))).rejects.toEqual(refused(/not valid/))
    answer = { status: 200, body: jwks }
    const published = createTokenVerifier({ jwksUrl })
    await expect(published(await sign('ES256', 'nobody', other.privateKey))).rejects.toEqual(
      refused(/not valid/),
    )
  })

  it('is not called invalid while the keys cannot be loaded', async () => {
    answer = { status: 500, body: '' }
    const verify = createTokenVerifier({ jwksUrl })
    const signed = await sign('ES256', 'first', pair.privateKey)
    await expect(verify(signed)).rejects.toMatchObject({ status: 503, code: 'keys_unavailable' })
    answer = { status: 200, body: jwks }
    expect(await verify(signed)).toMatchObject({ userId })
  })
})
