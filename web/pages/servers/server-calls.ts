import type { McpServer, McpServerChange, McpToolChange, NewMcpServer } from '../../../client/api/types.ts'
import { callFunction, type Method } from '../../../client/function-call.ts'
import type { Supabase } from '../../base/supabase.ts'

/** The routes for servers of MCP. */
export function serverCalls(supabase: Supabase) {
  const path = 'integration-settings/servers'
  const ask = async (method: Method, place = '', body?: object) =>
    (await callFunction<{ server: McpServer }>(supabase, method, path + place, body)).server
  const atSignIn = (step: string, body: object) =>
    ['POST', `integration-settings/oauth/${step}`, body] as const
  return {
    /** Whether the user may add some for everybody. */
    isOperator: async () =>
      (await callFunction<{ isOperator: boolean }>(supabase, 'GET', 'chat/operator')).isOperator,
    list: async () => (await callFunction<{ servers: McpServer[] }>(supabase, 'GET', path)).servers,
    add: (server: NewMcpServer) => ask('POST', '', server),
    change: (id: string, change: McpServerChange) => ask('PATCH', `/${id}`, change),
    refresh: (id: string) => ask('POST', `/${id}/refresh`),
    remove: (id: string) => callFunction<{ deleted: string }>(supabase, 'DELETE', `${path}/${id}`),
    changes: async (id: string) =>
      (await callFunction<{ changes: McpToolChange[] }>(supabase, 'GET', `${path}/${id}/changes`)).changes,
    accept: (id: string, tools: readonly string[]) => ask('POST', `/${id}/accept`, { tools }),
    /** The page to sign in at, and whose it is. */
    startSignIn: (server: string, returnTo: string) =>
      callFunction<{ url: string; host: string }>(supabase, ...atSignIn('start', { server, returnTo })),
    /** With the code that the user came back with. */
    completeSignIn: async (code: string) =>
      (await callFunction<{ server: McpServer }>(supabase, ...atSignIn('complete', { code }))).server,
  }
}

export type ServerCalls = ReturnType<typeof serverCalls>
