import { decodeJwt } from 'jose'
import type { OfferedFunction } from './offered-function.ts'

export interface DataApiSettings {
  /** The project's URL. */
  url: string
  /** Secret or service-role key. */
  serviceKey: string
  publishableKey: string
}

type Arguments = Record<string, unknown>

/** The data API (PostgREST). Each call is sent once: what a lost answer means is decided elsewhere. */
export interface DataApi {
  /**
   * Calls the function with the user's own token. PostgREST runs a POST of a stable or immutable function in a
   * read-only transaction (https://docs.postgrest.org/en/v14/references/transactions.html#access-mode).
   */
  callAsUser(
    offered: Pick<OfferedFunction, 'schema' | 'function'>,
    args: Arguments,
    caller: { token: string; signal: AbortSignal },
  ): Promise<Response>
  /**
   * Calls it like `askback.call_offered_function`: with the user's role and claims, read-only for functions that read.
   * `looks`: the function that its approval relies on; `scope`: what the conversation belongs to.
   */
  callForUser(
    offered: OfferedFunction,
    args: Arguments,
    caller: {
      userId: string
      token: string | undefined
      /** The program for which it is called: a claim of the user's then. */
      clientId: string | undefined
      scope: string | undefined
      signal: AbortSignal
      looks?: true
    },
  ): Promise<Response>
}

export function openDataApi({ url, serviceKey, publishableKey }: DataApiSettings): DataApi {
  const post = (
    { schema, name }: { schema: string; name: string },
    body: unknown,
    { key, token, signal }: { key: string; token: string; signal: AbortSignal },
  ) =>
    fetch(`${url}/rest/v1/rpc/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: {
        apikey: key,
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'content-profile': schema,
      },
      // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
      body: new Blob([JSON.stringify(body)]),
      signal,
    })
  return {
    callAsUser: ({ schema, function: name }, args, { token, signal }) =>
      post({ schema, name }, args, { key: publishableKey, token, signal }),
    callForUser: ({ specification }, args, { userId, token, clientId, scope, signal, looks = false }) =>
      post(
        { schema: 'askback', name: 'call_offered_function' },
        {
          p_user_id: userId,
          p_tool_name: specification.name,
          p_arguments: args,
          // The token was verified when the request came in.
          p_claims: token === undefined ? null : decodeJwt(token),
          p_looks: looks,
          p_scope: scope ?? null,
          p_client_id: clientId ?? null,
        },
        { key: serviceKey, token: serviceKey, signal },
      ),
  }
}
