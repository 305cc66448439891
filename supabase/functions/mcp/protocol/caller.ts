import { requireAccount } from '../../../../shared/server/authentication/account.ts'
import { isApiToken, useApiToken } from '../../../../shared/server/authentication/api-token.ts'
import { bearerToken } from '../../../../shared/server/authentication/authenticate.ts'
import type { VerifyUserToken } from '../../../../shared/server/authentication/user-token.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'

/** In whose name a client calls, and what lets it in. */
export interface Caller {
  userId: string
  /** Stands for the OAuth client, the API token or the session: what was asked through one, no other may answer. */
  grant: string
  /** The client that Supabase's OAuth server has issued the token to. */
  clientId?: string | undefined
  /** Ids of the agents that an API token may use; null: all of the user's. */
  agents: readonly string[] | null
  /** The agent whose tools these are, as the URL names it; undefined: the user's default one. */
  agentId?: string | undefined
}

/** Identifies the sender of a request. Throws ApiError 401, 403 for an account that may not act, or 503. */
export async function identifyCaller(
  request: Request,
  agentId: string | undefined,
  { verify, rpc }: { verify: VerifyUserToken; rpc: CallRpc },
): Promise<Caller> {
  const token = bearerToken(request.headers)
  if (token !== undefined && isApiToken(token)) {
    const { id, userId, agents } = await useApiToken(rpc, token, 'mcp')
    return { userId, grant: `token:${id}`, agents, agentId }
  }
  const { userId, clientId } = await verify(token)
  await requireAccount(rpc, userId)
  const grant = clientId === undefined ? 'session' : `client:${clientId}`
  return { userId, grant, clientId, agents: null, agentId }
}
