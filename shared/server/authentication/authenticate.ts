import { ApiError } from '../http/api-error.ts'
import { type Ticket, ticketHeader, verifyTicket } from './internal-ticket.ts'
import type { TokenUser, VerifyUserToken } from './user-token.ts'

/** Who a request comes from; never taken from its body. */
export type Identity =
  | ({ kind: 'user' } & TokenUser)
  /** Another function of ours, in this user's name, for one call: check it with `requireTicketFor`. */
  | { kind: 'ticket'; userId: string; ticket: Ticket }

/** Identifies the user of a request by the JWT in `Authorization`. Throws ApiError 401 (503 without keys). */
export function authenticateUser(request: Request, verify: VerifyUserToken): Promise<TokenUser> {
  return verify(bearerToken(request.headers))
}

/** Like `authenticateUser`, but also accepts an internal ticket if the functions share a secret (`ASKBACK_FUNCTION_SECRET`). */
export async function authenticateCaller(
  request: Request,
  { verify, functionSecret }: { verify: VerifyUserToken; functionSecret: string | undefined },
): Promise<Identity> {
  const text = request.headers.get(ticketHeader)
  if (text === null) return { kind: 'user', ...(await authenticateUser(request, verify)) }
  if (!functionSecret) throw new ApiError('unauthorized', { why: 'tickets_off' })
  const ticket = await verifyTicket(text, functionSecret)
  return { kind: 'ticket', userId: ticket.subject, ticket }
}

/** The token of `Authorization: Bearer <token>`; the scheme is case-insensitive (RFC 9110, 11.1). */
export function bearerToken(headers: Headers): string | undefined {
  return /^bearer +([^\s,]+)$/i.exec(headers.get('authorization')?.trim() ?? '')?.[1]
}
