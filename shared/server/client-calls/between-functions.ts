import { argumentHash } from '../../engine/core/canonical-json.ts'
import {
  requireTicketFor,
  signTicket,
  ticketHeader,
  verifyTicket,
} from '../authentication/internal-ticket.ts'
import { ApiError } from '../http/api-error.ts'

/** A request of one function of ours to another one, in a user's name: a ticket for exactly this body. */
export async function ticketHeaders(
  route: string,
  body: { userId: string },
  secret: string,
): Promise<Record<string, string>> {
  const about = { tool: route, argumentHash: await argumentHash(body), idempotencyKey: route, run: route }
  return { [ticketHeader]: await signTicket({ subject: body.userId, ...about }, secret) }
}

/** Throws ApiError 401 unless the request carries a ticket for this route and body. */
export async function requireTicket(
  request: Request,
  route: string,
  body: { userId: string },
  secret: string | undefined,
): Promise<void> {
  if (!secret) throw new ApiError('unauthorized', { why: 'tickets_off' })
  const ticket = await verifyTicket(request.headers.get(ticketHeader) ?? '', secret)
  requireTicketFor(ticket, {
    agentId: undefined,
    tool: route,
    argumentHash: await argumentHash(body),
    idempotencyKey: route,
  })
  if (ticket.subject !== body.userId) throw new ApiError('unauthorized', { why: 'ticket_for_other' })
}
