import type { GrantableAgent, McpGrant, McpGrantChange, NewMcpGrant } from './api/types.ts'
import type { Askback } from './askback.ts'

/** Apps that use the user's agents over MCP, apart from `createAskback`: few pages need them. */
export function createConnectedApps({ fetch }: Pick<Askback, 'fetch'>) {
  const path = 'integration-settings/mcp-grants'
  const call = async <Answer>(
    place: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    body?: object,
  ): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method }
    return (await (await fetch(place, init)).json()) as Answer
  }
  return {
    /** What was granted, newest first, and what could be. */
    list: () => call<{ grants: McpGrant[]; agents: GrantableAgent[] }>(path, 'GET'),
    /** Before the OAuth server is told. The same app and agent again changes the grant. */
    grant: async (given: NewMcpGrant) => (await call<{ grant: McpGrant }>(path, 'POST', given)).grant,
    change: async (id: string, change: McpGrantChange) =>
      (await call<{ grant: McpGrant }>(`${path}/${id}`, 'PATCH', change)).grant,
    revoke: (id: string) => call<{ deleted: string }>(`${path}/${id}`, 'DELETE'),
  }
}
