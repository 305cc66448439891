import type { RequestReader } from '../../../../shared/api/reader.ts'
import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import type { Seen } from '../../../../shared/engine/core/seen.ts'
import { saidError, ToolCallError } from '../../../../shared/engine/core/tool-error.ts'
import { withoutNothing } from '../../../../shared/engine/core/without-nothing.ts'
import { signTicket, ticketHeader } from '../../../../shared/server/authentication/internal-ticket.ts'

/** The user for whom tools are called. The clock has no token of the user. */
export interface Caller {
  userId: string
  token?: string
  /** Seconds since 1970. */
  expiresAt?: number
  /** The trace that the request belongs to, as its header says. */
  traceparent?: string | undefined
  /** Who reads the answer, as far as the request says it; the clock reads nothing. */
  reader?: RequestReader | undefined
}

/** Makes the headers that tell an integration function for whom it is called. */
export type CallerHeaders = (
  tool: string,
  args: Record<string, unknown>,
  idempotencyKey: string,
  more?: { seen?: Seen | undefined; look?: true | undefined },
) => Promise<Record<string, string>>

/** Seconds a token must still be valid; a call takes at most 30. */
const margin = 40

/**
 * The user's own token while it is valid; then, and without one (the clock), a ticket for exactly this call. What a program
 * has asked for over MCP always goes on with a ticket, which names it (`clientId`), also if its user has decided it.
 */
export function createCallerHeaders(
  caller: Caller,
  { runId, agentId, clientId }: { runId: string; agentId?: string; clientId?: string | undefined },
  functionSecret: string | undefined,
): CallerHeaders {
  return async (tool, args, idempotencyKey, { seen, look } = {}): Promise<Record<string, string>> => {
    const { token, expiresAt = 0 } = caller
    const lasts = expiresAt - Date.now() / 1000 > margin
    if (token !== undefined && clientId === undefined && (lasts || !functionSecret))
      return { authorization: `Bearer ${token}` }
    if (!functionSecret)
      throw new ToolCallError(saidError('not_configured', { code: 'user_away' }, { resolver: 'nobody' }))
    const hash = await argumentHash(args)
    const seenHash = seen && (await argumentHash(seen))
    const call = { tool, argumentHash: hash, idempotencyKey, ...withoutNothing({ seenHash, look }) }
    const ticket = {
      subject: caller.userId,
      run: runId,
      agentId: agentId || undefined,
      clientId: clientId || undefined,
      ...call,
    }
    return { [ticketHeader]: await signTicket(ticket, functionSecret) }
  }
}
