import { jwtVerify, SignJWT } from 'jose'
import { ApiError } from '../http/api-error.ts'

/** What one function may do for a user at another one, if there is no JWT of the user to pass on. */
export interface Ticket {
  /** The user's UUID. */
  subject: string
  run: string
  /** The agent that acts for the user; absent if none does. */
  agentId?: string
  tool: string
  /** Hash of the arguments: a ticket for one mail cannot send another. */
  argumentHash: string
  /** Key of the invocation: a ticket for one mail sends it once. */
  idempotencyKey: string
}

/** Carries a ticket; never `Authorization`, so that it is never mistaken for a user's token. */
export const ticketHeader = 'x-askback-ticket'

const lifetimeSeconds = 60
const audience = 'askback-function'
const type = 'askback-ticket+jwt'

/** Signs a ticket (HS256 with `ASKBACK_FUNCTION_SECRET`) that is valid for 60 seconds. */
export function signTicket(ticket: Ticket, secret: string, now = new Date()): Promise<string> {
  const { run, agentId, tool, argumentHash: args, idempotencyKey: key } = ticket
  return new SignJWT({ run, ...(agentId === undefined ? {} : { agent: agentId }), tool, args, key })
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
    if (isText(subject) && isText(run) && isText(tool) && isText(argumentHash) && isText(idempotencyKey)) {
      const forAgent = isText(agent) ? { agentId: agent } : {}
      return { subject, run, ...forAgent, tool, argumentHash, idempotencyKey }
    }
  } catch (cause) {
    throw refused('The internal ticket has expired or is not valid.', cause)
  }
  throw refused('The internal ticket is incomplete.')
}

/** Throws ApiError 401 unless the ticket is for exactly this invocation of this tool by this agent with these arguments. */
export function requireTicketFor(
  ticket: Ticket,
  call: {
    agentId: string | undefined
    tool: string
    argumentHash: string
    idempotencyKey: string | undefined
  },
): void {
  const isForCall =
    ticket.agentId === call.agentId &&
    ticket.tool === call.tool &&
    ticket.argumentHash === call.argumentHash &&
    ticket.idempotencyKey === call.idempotencyKey
  if (!isForCall) throw refused('The internal ticket was made for another call.')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function refused(message: string, cause?: unknown): ApiError {
  return new ApiError('unauthorized', message, { cause })
}
