import { isApiToken, useApiToken } from '../../../../shared/server/authentication/api-token.ts'
import { bearerToken } from '../../../../shared/server/authentication/authenticate.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Caller } from '../turn/caller-headers.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'

/** Who uses the OpenAI protocol: with a token from the settings, or signed in. */
export interface OpenAiCaller extends Caller {
  /** Ids of the agents that the token can use; null: all of the user's. */
  agents: readonly string[] | null
  /** Stands for the token, or for the user: requests of different callers are never the same. */
  key: string
}

/** Identifies the sender of a request. Throws ApiError 401, or 503 if that cannot be looked up. */
export async function authenticateClient(
  request: Request,
  { verify, rpc }: Pick<ChatDependencies, 'verify' | 'rpc'>,
): Promise<OpenAiCaller> {
  const token = bearerToken(request.headers)
  // A signed-in user has a JWT, which has three parts.
  if (token !== undefined && !isApiToken(token) && token.split('.').length !== 3) {
    throw new ApiError('invalid_api_key', { why: 'foreign' })
  }
  if (token === undefined || !isApiToken(token)) {
    const caller = await verify(token)
    return { ...caller, agents: null, key: caller.userId }
  }
  const { userId, agents, hash } = await useApiToken(rpc, token, 'chat')
  return { userId, agents, key: hash }
}
