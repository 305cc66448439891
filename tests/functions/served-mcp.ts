import { type CallToolResult, createMcpHandler, Server, type Tool } from '@modelcontextprotocol/server'

/** A message that has reached the server. */
export interface ReceivedMessage {
  method: string
  params: Record<string, unknown>
  headers: Headers
}

export interface ServedMcp {
  /** `http://127.0.0.1:PORT/mcp` */
  url: string
  origin: string
  /** Every message, in order. */
  received: ReceivedMessage[]
  /** Those that call a tool. */
  calls(): ReceivedMessage[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface McpBehaviour {
  tools?: Tool[]
  call?: (params: { name: string; arguments?: Record<string, unknown>; [member: string]: unknown }) => unknown
  /** Answers in place of the SDK, if it answers: what a server does that keeps to no protocol. */
  instead?: (
    request: Request,
    message: { method?: string; id?: unknown },
  ) => Response | Promise<Response> | undefined
  /** Knows nothing newer than 2025-11-25. */
  isOld?: boolean
}

export const echo: Tool = {
  name: 'echo.it',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}

export const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] })

/** A server of MCP on this machine, made of the SDK, that misbehaves as a test says. For Deno. */
export function serveMcp(behaviour: McpBehaviour = {}): ServedMcp {
  const {
    tools = [echo],
    call = ({ arguments: args }) => text(String(args?.text)),
    instead,
    isOld,
  } = behaviour
  const received: ReceivedMessage[] = []
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'Test', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler(
      'tools/call',
      async () => (await call(received.at(-1)?.params as never)) as CallToolResult,
    )
    return server
  })
  const closing = new AbortController()
  const { signal } = closing
  const listener = Deno.serve({ hostname: '127.0.0.1', port: 0, signal, onListen() {} }, async (request) => {
    const body = request.method === 'POST' ? await request.text() : ''
    const message = body.startsWith('{') ? JSON.parse(body) : {}
    if (message.method !== undefined) {
      received.push({ method: message.method, params: message.params ?? {}, headers: request.headers })
    }
    const own = await instead?.(request, message)
    if (own) return own
    if (isOld && message.method === 'server/discover') {
      const error = { code: -32_601, message: 'Method not found' }
      return Response.json({ jsonrpc: '2.0', id: message.id, error }, { status: 200 })
    }
    const init = { method: request.method, headers: request.headers, ...(body === '' ? {} : { body }) }
    return await handler.fetch(new Request(request.url, init))
  })
  const origin = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`
  return {
    url: `${origin}/mcp`,
    origin,
    received,
    calls: () => received.filter(({ method }) => method === 'tools/call'),
    // Without waiting for answers that never come.
    [Symbol.asyncDispose]: async () => closing.abort(),
  }
}
