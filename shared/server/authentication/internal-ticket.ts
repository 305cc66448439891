import { jwtVerify, SignJWT } from 'jose'
import { withoutNothing } from '../../engine/core/without-nothing.ts'
import { ApiError } from '../http/api-error.ts'

/** What one function may do for a user at another one, if there is no JWT of the user to pass on. */
export interface Ticket {
  /** The user's UUID. */
  subject: string
  run: string
  /** The agent that acts for the user; absent if none does. */
  agentId?: string
  /** The program for which it acts, as Supabase's OAuth server knows it; absent if it acts for none. */
  clientId?: string
  tool: string
  /** Hash of the arguments: a ticket for one mail cannot send another. */
  argumentHash: string
  /** Key of the invocation: a ticket for one mail sends it once. */
  idempotencyKey: string
  /** Hash of what its approval relied on; absent if it relied on nothing. */
  seenHash?: string
  /** It only lets the tool look: nothing may be done with it. */
  look?: true
}

/** Carries a ticket; never `Authorization`, so that it is never mistaken for a user's token. */
export const ticketHeader = 'x-askback-ticket'

const lifetimeSeconds = 60
const audience = 'askback-function'
const type = 'askback-ticket+jwt'

/** Signs a ticket (HS256 with `ASKBACK_FUNCTION_SECRET`) that is valid for 60 seconds. */
export function signTicket(ticket: Ticket, secret: string, now = new Date()): Promise<string> {
  const { run, agentId: agent, clientId: client_id, tool, argumentHash: args, idempotencyKey: key } = ticket
  const { seenHash: seen, look } = ticket
  return new SignJWT({ run, ...withoutNothing({ agent, client_id, seen, look }), tool, args, key })
    .setProtectedHeader({ alg: 'HS256', typ: type })
    .setSubject(ticket.subject)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(Math.floor(now.getTime() / 1000) + lifetimeSeconds)
    .sign(new TextEncoder().encode(secret))
}

/**
 * Reads a ticket. Throws ApiError 401 if it is expired, altered or not a ticket. The caller then compares it with the
 * request: `requireTicketFor`.
 */
export async function verifyTicket(ticket: string, secret: string, now = new Date()): Promise<Ticket> {
  try {
    const { payload } = await jwtVerify(ticket, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      typ: type,
      audience,
      requiredClaims: ['exp', 'iat', 'sub'],
      maxTokenAge: lifetimeSeconds,
      currentDate: now,
    })
    const { sub: subject, run, agent, tool, args: argumentHash, key: idempotencyKey } = payload
    const { client_id: clientId, seen, look } = payload
    const more = {
      agentId: isText(agent) ? agent : undefined,
      clientId: isText(clientId) ? clientId : undefined,
      seenHash: isText(seen) ? seen : undefined,
      look: look === true ? (true as const) : undefined,
    }
    if (isText(subject) && isText(run) && isText(tool) && isText(argumentHash) && isText(idempotencyKey)) {
      return { subject, run, ...more, tool, argumentHash, idempotencyKey }
    }
  } catch (cause) {
    throw new ApiError('unauthorized', { why: 'ticket_not_valid' }, { cause })
  }
  throw new ApiError('unauthorized', { why: 'ticket_incomplete' })
}

/** Throws ApiError 401 unless the ticket is for exactly this invocation of this tool by this agent with these arguments. */
export function requireTicketFor(
  ticket: Ticket,
  call: {
    agentId: string | undefined
    tool: string
    argumentHash: string
    idempotencyKey: string | undefined
    seenHash?: string | undefined
    look?: true | undefined
  },
): void {
  const isForCall =
    ticket.agentId === call.agentId &&
    ticket.tool === call.tool &&
    ticket.argumentHash === call.argumentHash &&
    ticket.idempotencyKey === call.idempotencyKey &&
    ticket.seenHash === call.seenHash &&
    ticket.look === call.look
  if (!isForCall) throw new ApiError('unauthorized', { why: 'ticket_for_other' })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
