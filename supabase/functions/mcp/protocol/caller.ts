import { z } from 'zod'
import { isApiToken, useApiToken } from '../../../../shared/server/authentication/api-token.ts'
import { bearerToken } from '../../../../shared/server/authentication/authenticate.ts'
import type { VerifyUserToken } from '../../../../shared/server/authentication/user-token.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { AppUrls } from '../../../../shared/server/links/app-urls.ts'

/** In whose name a client calls, and what lets it in. */
export interface Caller {
  userId: string
  /** Stands for the grant or the API token: what was asked through one, no other may answer. */
  grant: string
  /** The client that Supabase's OAuth server has issued the token to. */
  clientId?: string | undefined
  /** What its user lets this client do; undefined for an API token, which is the user's own. */
  granted?: Granted | undefined
  /** Ids of the agents that an API token may use; null: all of the user's. */
  agents: readonly string[] | null
  /** The agent whose tools these are: the granted one, or as the URL names it; undefined: the user's default one. */
  agentId?: string | undefined
}

const granted = z.object({
  id: z.string(),
  agentId: z.string(),
  /** Names of tools, and `ask_agent`. The agent may be allowed fewer. */
  tools: z.array(z.string()),
  /** Whether the client may show approvals itself. */
  forms: z.boolean(),
})
type Granted = z.output<typeof granted>

const useSchema = z.discriminatedUnion('kind', [
  granted.extend({ kind: z.literal('granted') }),
  z.object({ kind: z.literal('not_granted'), agentId: z.string() }),
  z.object({ kind: z.literal('agent_not_found') }),
])

/**
 * Identifies the sender of a request. Throws ApiError 401, also for a session of the app itself, 403 for an account that may
 * not act or a client that its user has not let in, 404 for an agent that is not the user's, or 503.
 */
export async function identifyCaller(
  request: Request,
  agentId: string | undefined,
  { verify, rpc, appUrls }: { verify: VerifyUserToken; rpc: CallRpc; appUrls: Pick<AppUrls, 'base'> },
): Promise<Caller> {
  const token = bearerToken(request.headers)
  if (token !== undefined && isApiToken(token)) {
    const { id, userId, agents } = await useApiToken(rpc, token, 'mcp')
    if (agentId !== undefined && agents?.includes(agentId) === false) {
      throw new ApiError('agent_not_found', { why: 'one' })
    }
    return { userId, grant: `token:${id}`, agents, agentId: agentId ?? agents?.[0] }
  }
  const { userId, clientId } = await verify(token)
  // Nobody can see what uses a session of the app, nor take it back from that alone.
  if (clientId === undefined) throw new ApiError('unauthorized', { why: 'session' })
  const asked = rpc('use_mcp_grant', {
    p_user_id: userId,
    p_client_id: clientId,
    p_agent_id: agentId ?? null,
  })
  const use = await askDatabase(asked, useSchema, 'token_unchecked')
  if (use.kind === 'agent_not_found') throw new ApiError('agent_not_found', { why: 'one' })
  if (use.kind === 'not_granted') {
    const page = grantPage(appUrls, clientId, agentId === undefined ? undefined : use.agentId)
    throw new ApiError('client_not_allowed', { client: JSON.stringify(clientId), page })
  }
  const { kind: _, ...allowed } = use
  return {
    userId,
    grant: `grant:${allowed.id}`,
    clientId,
    granted: allowed,
    agents: null,
    agentId: allowed.agentId,
  }
}

/** The page on which a user lets a client in that the OAuth server has let in before. */
function grantPage(
  { base }: Pick<AppUrls, 'base'>,
  client: string,
  agent: string | undefined,
): string | undefined {
  const facts = new URLSearchParams({ client, ...(agent === undefined ? {} : { agent }) })
  return base === undefined ? undefined : `${base}/connect#${facts}`
}
