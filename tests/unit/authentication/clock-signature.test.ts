import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  clockHeader,
  requireClock,
  signClock,
} from '../../../shared/server/authentication/clock-signature.ts'
import { signTicket } from '../../../shared/server/authentication/internal-ticket.ts'

const secret = 'the-function-secret'
const now = Date.UTC(2026, 10, 27, 12)
const seconds = now / 1000
const macOf = (text: string) => createHmac('sha256', secret).update(text).digest('hex')

const ask = (value: string | null, at = now) =>
  requireClock(
    new Request('http://localhost/chat/clock', value === null ? {} : { headers: { [clockHeader]: value } }),
    secret,
    at,
  )

test('a signature is good for a minute, before and after', async () => {
  const signed = await signClock(secret, now)
  expect(signed).toBe(`${seconds}.${macOf(`askback-clock:${seconds}`)}`)
  for (const at of [now - 60_000, now, now + 60_000]) await ask(signed, at)
  for (const at of [now - 61_000, now + 61_000]) {
    await expect(ask(signed, at)).rejects.toThrow(/ is too old, or from the future\./)
  }
})

test.each([
  ['none', null],
  ['an empty one', ''],
  ['the secret itself', secret],
  ['the time alone', `${seconds}.`],
  ['of another time', `${seconds + 1}.${macOf(`askback-clock:${seconds}`)}`],
  [
    'of another secret',
    `${seconds}.${createHmac('sha256', 'other').update(`askback-clock:${seconds}`).digest('hex')}`,
  ],
  ['of the bare time', `${seconds}.${macOf(`${seconds}`)}`],
  ['a time that is no number', `now.${macOf('askback-clock:now')}`],
])('it refuses %s', async (_, value) => {
  await expect(ask(value)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('the signature of a ticket, made with the same secret, does not count', async () => {
  const call = { subject: 'u', run: 'r', tool: 't', argumentHash: 'h', idempotencyKey: 'k' }
  const mac = (await signTicket(call, secret, new Date(now))).split('.')[2] ?? ''
  const hex = Buffer.from(mac, 'base64url').toString('hex')
  await expect(ask(`${seconds}.${hex}`)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('without a secret, nothing can be verified', async () => {
  await expect(requireClock(new Request('http://localhost'), undefined)).rejects.toMatchObject({
    code: 'not_configured',
  })
})
