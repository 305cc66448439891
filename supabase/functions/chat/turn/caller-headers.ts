import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import { signTicket, ticketHeader } from '../../../../shared/server/authentication/internal-ticket.ts'

/** In whose name tools are called. The clock has no token of the user. */
export interface Caller {
  userId: string
  token?: string
  /** Seconds since 1970. */
  expiresAt?: number
}

/** Makes the headers that say in whose name an integration function is called. */
export type CallerHeaders = (
  tool: string,
  args: Record<string, unknown>,
  idempotencyKey: string,
) => Promise<Record<string, string>>

/** Seconds a token must still be good for; a call takes at most 30. */
const margin = 40

/**
 * The user's own token while it lasts; then, and where there is none (the clock), a ticket for exactly this call.
 */
export function createCallerHeaders(
  caller: Caller,
  { runId, agentId }: { runId: string; agentId?: string },
  functionSecret: string | undefined,
): CallerHeaders {
  return async (tool, args, idempotencyKey): Promise<Record<string, string>> => {
    const { token, expiresAt = 0 } = caller
    const lasts = expiresAt - Date.now() / 1000 > margin
    if (token !== undefined && (lasts || !functionSecret)) return { authorization: `Bearer ${token}` }
    if (!functionSecret)
      throw new Error('ASKBACK_FUNCTION_SECRET is not set, so nothing can run without the user.')
    const hash = await argumentHash(args)
    const call = { tool, argumentHash: hash, idempotencyKey }
    const ticket = { subject: caller.userId, run: runId, ...(agentId ? { agentId } : {}), ...call }
    return { [ticketHeader]: await signTicket(ticket, functionSecret) }
  }
}
