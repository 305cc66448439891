import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CallToolResult, createMcpHandler, Server, type Tool } from '@modelcontextprotocol/server'

/** A call that has reached the server. */
export interface ReceivedCall {
  name: string
  arguments: Record<string, unknown>
  /** The answer to what the server has asked before. */
  inputResponses?: unknown
  requestState?: unknown
}

/**
 * What becomes of a call: its text, or what the server asks first; or nothing, since the connection is cut after it was carried
 * out.
 */
export type CallEnd = string | 'cut' | Asks

/** A question of a server of 2026-07-28. */
export interface Asks {
  inputRequests: Record<string, { method: string; params: Record<string, unknown> }>
  requestState?: string
}

/** A server of MCP on this machine, made of the SDK: it carries out each call once it has arrived, and counts. */
export interface ToolServer {
  /** `http://127.0.0.1:PORT/mcp` */
  url: string
  host: string
  /** What it lists. */
  tools: Tool[]
  /** What it has done, in order. */
  calls: ReceivedCall[]
  /** Says how calls end from now on; by default each says `Done.` */
  answer(how: (call: ReceivedCall) => CallEnd | Promise<CallEnd>): void
  /** Answers everything with this HTTP status from now on; undefined: no longer. */
  refuse(status: number | undefined): void
  stop(): Promise<void>
}

/** `isOld`: it knows nothing newer than 2025-11-25. */
export async function startToolServer(tools: Tool[], { isOld = false } = {}): Promise<ToolServer> {
  const calls: ReceivedCall[] = []
  /** What the message that is being handled holds. */
  const received = new AsyncLocalStorage<Partial<ReceivedCall>>()
  let answer: Parameters<ToolServer['answer']>[0] = () => 'Done.'
  let refusal: number | undefined
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'Test', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
      const { name, arguments: args = {} } = params
      // The SDK keeps them from its handlers.
      const { inputResponses, requestState } = received.getStore() ?? {}
      const reply = { inputResponses, requestState }
      const call = { name, arguments: args, ...(inputResponses === undefined ? {} : reply) }
      calls.push(call)
      const end = await answer(call)
      if (typeof end === 'object') return { resultType: 'input_required', ...end } as never
      return { content: [{ type: 'text', text: end }] }
    })
    return server
  })
  const listener = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (refusal !== undefined) return void response.writeHead(refusal).end()
    const headers = Object.entries(request.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    )
    const asked = new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body === '' ? {} : { body }),
    })
    const message = body.startsWith('{') ? JSON.parse(body) : {}
    if (isOld && message.method === 'server/discover') {
      const error = { code: -32_601, message: 'Method not found' }
      const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, error })
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    }
    const answered = await received.run(message.params ?? {}, () => handler.fetch(asked))
    const text = await answered.text()
    if (text.includes('"text":"cut"')) return void response.destroy()
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(text)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  return {
    url: `http://${host}/mcp`,
    host,
    tools,
    calls,
    answer(next) {
      answer = next
    },
    refuse(status) {
      refusal = status
    },
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
}
