import { randomUUID } from 'node:crypto'
import { readKeys } from '../../local/data-directory/keys.ts'
import { ticketHeaders } from '../../shared/server/client-calls/between-functions.ts'
import { callRoute } from '../../shared/server/server-calls/server-call.ts'
import { signUp, withDatabase } from '../../support/chat-user.ts'
import { addServer } from '../../support/mcp-server-row.ts'
import { startToolServer } from '../../support/mcp-tool-server.ts'
import type { TestStack } from '../../support/stack.ts'

const calls = 50
const tool = {
  name: 'find',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object' as const, properties: { query: { type: 'string' } } },
}

/** How long a read of a server of MCP on this machine takes by the function mcp-client, in ms. One after the other. */
export async function measureServerCalls(stack: TestStack): Promise<number[]> {
  const user = await signUp(stack)
  const server = await startToolServer([tool])
  try {
    const added = { userId: user.id, name: 'tracker', url: server.url, tools: [tool], trusted: true }
    const { id } = await withDatabase(stack, (sql) => addServer(sql, added))
    const { functionSecret } = readKeys(stack.dataDirectory)
    const call = async () => {
      const body = {
        userId: user.id,
        server: { id },
        tool: 'tracker__find',
        arguments: { query: 'x' },
        effect: 'read',
        idempotencyKey: randomUUID(),
      }
      const began = performance.now()
      const response = await fetch(`${stack.url}/functions/v1/mcp-client/${callRoute}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(await ticketHeaders(callRoute, body, functionSecret)),
        },
        body: JSON.stringify(body),
      })
      const answer = await response.json()
      if (answer.ok !== true) throw new Error(`The call failed: ${JSON.stringify(answer)}`)
      return performance.now() - began
    }
    await call()
    const times: number[] = []
    for (let number = 0; number < calls; number++) times.push(await call())
    return times
  } finally {
    await server.stop()
  }
}
