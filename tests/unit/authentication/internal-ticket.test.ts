import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { argumentHash } from '../../../shared/engine/core/canonical-json.ts'
import { authenticateCaller } from '../../../shared/server/authentication/authenticate.ts'
import {
  requireTicketFor,
  signTicket,
  ticketHeader,
  verifyTicket,
} from '../../../shared/server/authentication/internal-ticket.ts'
import { createTokenVerifier } from '../../../shared/server/authentication/user-token.ts'

const secret = 'shared-between-the-functions'
const ticket = {
  subject: '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d',
  run: 'run-1',
  agentId: 'agent-1',
  tool: 'smtp_send_email',
  argumentHash: await argumentHash({ to: ['ada@example.com'], subject: 'Hi' }),
  idempotencyKey: 'call-1',
}
const refused = { status: 401 }

describe('an internal ticket', () => {
  it('says for 60 seconds who, which run, which tool, which arguments and which invocation', async () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const signed = await signTicket(ticket, secret, now)
    expect(await verifyTicket(signed, secret, new Date('2026-01-01T00:00:59Z'))).toEqual(ticket)
    await expect(verifyTicket(signed, secret, new Date('2026-01-01T00:01:00Z'))).rejects.toMatchObject(
      refused,
    )
  })

  it('cannot be made to live longer by whoever signs it', async () => {
    const long = await new SignJWT({ run: 'r', tool: 't', args: 'h', key: 'k' })
      .setProtectedHeader({ alg: 'HS256', typ: 'askback-ticket+jwt' })
      .setSubject(ticket.subject)
      .setAudience('askback-function')
      .setIssuedAt(new Date(Date.now() - 120_000))
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret))
    await expect(verifyTicket(long, secret)).rejects.toMatchObject(refused)
  })

  it('is refused under another secret, and when it is a token of a user', async () => {
    await expect(verifyTicket(await signTicket(ticket, 'other'), secret)).rejects.toMatchObject(refused)
    const userToken = await new SignJWT({ sub: ticket.subject, run: 'r', tool: 't', args: 'h', key: 'k' })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience('authenticated')
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(new TextEncoder().encode(secret))
    await expect(verifyTicket(userToken, secret)).rejects.toMatchObject(refused)
  })

  it('is good for its own call only', async () => {
    const same = {
      agentId: ticket.agentId,
      tool: ticket.tool,
      argumentHash: await argumentHash({ subject: 'Hi', to: ['ada@example.com'] }),
      idempotencyKey: ticket.idempotencyKey,
    }
    expect(() => requireTicketFor(ticket, same)).not.toThrow()
    expect(() => requireTicketFor(ticket, { ...same, tool: 'gmail_send_email' })).toThrow(/another call/)
    expect(() => requireTicketFor(ticket, { ...same, argumentHash: 'x' })).toThrow(/another call/)
    for (const agentId of ['agent-2', undefined]) {
      expect(() => requireTicketFor(ticket, { ...same, agentId })).toThrow(/another call/)
    }
    for (const idempotencyKey of ['call-2', undefined]) {
      expect(() => requireTicketFor(ticket, { ...same, idempotencyKey })).toThrow(/another call/)
    }
  })
})

describe('a caller', () => {
  const verify = createTokenVerifier({ secret: 'of-the-users-tokens' })
  const request = (headers: Record<string, string>) => new Request('http://localhost/', { headers })

  it('may bring a ticket instead of a token', async () => {
    const identity = await authenticateCaller(request({ [ticketHeader]: await signTicket(ticket, secret) }), {
      verify,
      functionSecret: secret,
    })
    expect(identity).toEqual({ kind: 'ticket', userId: ticket.subject, ticket })
  })

  it('may not use a ticket as a token, nor without a function secret', async () => {
    const signed = await signTicket(ticket, secret)
    const sameSecret = createTokenVerifier({ secret })
    await expect(
      authenticateCaller(request({ authorization: `Bearer ${signed}` }), {
        verify: sameSecret,
        functionSecret: secret,
      }),
    ).rejects.toMatchObject(refused)
    await expect(
      authenticateCaller(request({ [ticketHeader]: signed }), { verify, functionSecret: undefined }),
    ).rejects.toMatchObject(refused)
  })
})
