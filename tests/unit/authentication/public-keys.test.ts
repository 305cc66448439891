import { afterAll, beforeEach, expect, it } from 'vitest'
import { createTokenVerifier } from '../../../shared/server/authentication/user-token.ts'
import { makeSigningKey, startKeyServer } from '../../../support/key-server.ts'

const [first, second] = [await makeSigningKey('first'), await makeSigningKey('second', 'RS256')]
const server = await startKeyServer(first)
afterAll(() => server.close())

const minute = 60_000
const start = Date.parse('2026-11-27T12:00:00Z')
let now: number
beforeEach(() => {
  now = start
  server.publish(first)
})

const issuer = `${server.url}/auth/v1`
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
const claims = { sub: userId, aud: 'authenticated', iss: issuer, exp: start / 1000 + 86_400 }
const [signedByFirst, signedBySecond] = [await first.sign(claims), await second.sign(claims)]
const verifier = (settings: { secret?: string } = {}) =>
  createTokenVerifier({
    keysUrl: server.keysUrl,
    issuers: [issuer],
    ownClients: [],
    now: () => now,
    ...settings,
  })
const unavailable = { status: 503, code: 'keys_unavailable' }
const refused = { status: 401, code: 'unauthorized' }
/** Resolves once the keys were asked for as often. */
const asked = (times: number) => expect.poll(() => server.asked()).toBe(times)

it('asks for the keys as soon as it is made, and once for many tokens', async () => {
  const before = server.asked()
  const verify = verifier()
  await asked(before + 1)
  await Promise.all([verify(signedByFirst), verify(signedByFirst)])
  now += 4 * minute
  expect(await verify(signedByFirst)).toMatchObject({ userId })
  expect(server.asked()).toBe(before + 1)
})

it('with a shared secret, asks for none before a token needs one', async () => {
  const before = server.asked()
  const verify = verifier({ secret: 'a-secret-of-the-local-stack-with-32-characters' })
  expect(server.asked()).toBe(before)
  expect(await verify(signedByFirst)).toMatchObject({ userId })
  expect(server.asked()).toBe(before + 1)
})

it('refuses a key that has left the endpoint: at once in a new process, within ten minutes in any', async () => {
  const verify = verifier()
  expect(await verify(signedByFirst)).toMatchObject({ userId })
  server.publish(second)
  await expect(verifier()(signedByFirst)).rejects.toMatchObject(refused)
  now += 10 * minute
  await expect(verify(signedByFirst)).rejects.toMatchObject(refused)
  expect(await verify(signedBySecond)).toMatchObject({ userId })
})

it('refuses it within ten minutes when the endpoint has stopped answering, too, and then says so', async () => {
  const verify = verifier()
  expect(await verify(signedByFirst)).toMatchObject({ userId })
  server.answer(500, '')
  now += 10 * minute - 1
  expect(await verify(signedByFirst)).toMatchObject({ userId })
  now += 1
  await expect(verify(signedByFirst)).rejects.toMatchObject(unavailable)
  await expect(verifier()(signedByFirst)).rejects.toMatchObject(unavailable)
  server.publish(first)
  expect(await verify(signedByFirst)).toMatchObject({ userId })
})

it('looks again after five minutes, without anybody waiting for it', async () => {
  const verify = verifier()
  await verify(signedByFirst)
  const before = server.asked()
  server.publish(second)
  const release = server.hold()
  now += 5 * minute
  expect(await verify(signedByFirst)).toMatchObject({ userId })
  await asked(before + 1)
  release()
  await expect.poll(() => verify(signedByFirst).catch(({ code }) => code)).toBe('unauthorized')
})

it('counts the ten minutes from when it asked, not from when the answer came', async () => {
  const release = server.hold()
  const before = server.asked()
  const verify = verifier()
  await asked(before + 1)
  server.answer(500, '')
  const waiting = verify(signedByFirst)
  now += 9 * minute
  release()
  expect(await waiting).toMatchObject({ userId })
  now += minute
  await expect(verify(signedByFirst)).rejects.toMatchObject(unavailable)
})

it('takes nothing from an answer that came after ten minutes, as when the process was frozen', async () => {
  const release = server.hold()
  const before = server.asked()
  const verify = verifier()
  await asked(before + 1)
  server.publish(second)
  const waiting = verify(signedByFirst)
  now += 10 * minute
  release()
  await expect(waiting).rejects.toMatchObject(refused)
})

it('asks once more for a request if what was asked ahead of it failed', async () => {
  server.answer(500, '')
  const release = server.hold()
  const before = server.asked()
  const verify = verifier()
  await asked(before + 1)
  const waiting = verify(signedByFirst)
  server.publish(first)
  release()
  expect(await waiting).toMatchObject({ userId })
})

it('finds a key that is new, and looks for one that does not exist at most every 30 seconds', async () => {
  const verify = verifier()
  await verify(signedByFirst)
  server.publish(first, second)
  const before = server.asked()
  await expect(verify(signedBySecond)).rejects.toMatchObject(refused)
  expect(server.asked()).toBe(before)
  now += 30_000
  expect(await verify(signedBySecond)).toMatchObject({ userId })
  const nobody = await first.sign(claims, { kid: 'nobody' })
  for (let i = 0; i < 20; i++) await expect(verify(nobody)).rejects.toMatchObject(refused)
  expect(server.asked()).toBe(before + 1)
})

it.each([
  ['a page', '<html></html>'],
  ['no key set', '{"keys":7}'],
  ['more than 256 KiB', JSON.stringify({ keys: [first.jwk], padding: 'x'.repeat(256 * 1024) })],
])('takes no keys from an answer that is %s', async (_, body) => {
  server.answer(200, body)
  await expect(verifier()(signedByFirst)).rejects.toMatchObject(unavailable)
})

it('follows no redirect', async () => {
  server.answer(302, '')
  await expect(verifier()(signedByFirst)).rejects.toMatchObject(unavailable)
})
