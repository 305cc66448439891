import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../../support/mcp-client.ts'
import { signUpForMcp } from '../../support/mcp-process.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { startStack, type TestStack } from '../../support/stack.ts'

const calls = 50
/** What is noted after an answer is noted by then. */
const settleMs = 1000

/** What a client of MCP waits for, in ms: the list of tools, and a read. Requests one after the other. */
export async function measureMcp(stack: TestStack): Promise<{ list: number[]; read: number[] }> {
  const { list, read } = await startClient(stack)
  const time = async (request: () => Promise<void>) => {
    const began = performance.now()
    await request()
    return performance.now() - began
  }
  const measured = { list: [] as number[], read: [] as number[] }
  for (let call = 0; call < calls; call++) {
    measured.list.push(await time(list))
    measured.read.push(await time(read))
  }
  return measured
}

/** How many requests the functions make for each, to the database and to each other, on a stack of its own. */
export async function countMcpRoundTrips(dataDirectory: string): Promise<{ list: number; read: number }> {
  const proxy = await startPausingProxy('http://127.0.0.1')
  const stack = await startStack({ dataDirectory, env: { HTTP_PROXY: proxy.url } })
  try {
    const { list, read } = await startClient(stack)
    const count = async (request: () => Promise<void>) => {
      await sleep(settleMs)
      const before = proxy.asked.length
      await request()
      await sleep(settleMs)
      return proxy.asked.length - before
    }
    return { list: await count(list), read: await count(read) }
  } finally {
    await stack.stop()
    await proxy.close()
  }
}

/** A client whose functions have started. */
async function startClient(
  stack: TestStack,
): Promise<{ list: () => Promise<void>; read: () => Promise<void> }> {
  const { token } = await signUpForMcp(stack)
  const at = { url: `${stack.url}/functions/v1/mcp`, token: token.value }
  const send = async (method: string, params: Record<string, unknown>) => {
    const { result } = await ask(at, method, params, {})
    if (!result || result.isError) throw new Error(`${method} failed: ${JSON.stringify(result)}`)
  }
  const list = () => send('tools/list', {})
  const read = () => send('tools/call', { name: 'docs_search', arguments: { query: 'x' } })
  await list()
  await read()
  return { list, read }
}
