import { ask } from '../../support/mcp-client.ts'
import { signUpForMcp } from '../../support/mcp-process.ts'
import type { TestStack } from '../../support/stack.ts'

const calls = 50

/** What a client of MCP waits for, in ms: the list of tools, and a read. Requests one after the other. */
export async function measureMcp(stack: TestStack): Promise<{ list: number[]; read: number[] }> {
  const { token } = await signUpForMcp(stack)
  const at = { url: `${stack.url}/functions/v1/mcp`, token: token.value }
  const time = async (method: string, params: Record<string, unknown>) => {
    const began = performance.now()
    const { result } = await ask(at, method, params, {})
    if (!result || result.isError) throw new Error(`${method} failed: ${JSON.stringify(result)}`)
    return performance.now() - began
  }
  const list = () => time('tools/list', {})
  const read = () => time('tools/call', { name: 'docs_search', arguments: { query: 'x' } })
  // The first of each starts its functions.
  await list()
  await read()
  const measured = { list: [] as number[], read: [] as number[] }
  for (let call = 0; call < calls; call++) {
    measured.list.push(await list())
    measured.read.push(await read())
  }
  return measured
}
