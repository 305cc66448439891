import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CallToolResult, createMcpHandler, Server, type Tool } from '@modelcontextprotocol/server'

/** A message that has reached the server. */
interface ReceivedMessage {
  method: string
  params: Record<string, unknown>
  headers: Headers
}

/** A server of MCP that others run, on this machine and made of the SDK. What it does can change at any time. */
export interface RemoteMcp {
  /** `http://127.0.0.1:PORT/mcp` */
  url: string
  origin: string
  title: string
  tools: Tool[]
  call: (params: { name: string; arguments?: Record<string, unknown> }) => CallToolResult
  /** Answers in place of the SDK, if it answers. */
  instead: (
    request: Request,
    message: { method?: string; id?: unknown },
  ) => Response | Promise<Response> | undefined
  /** Every message, in order. */
  received: ReceivedMessage[]
  close(): Promise<void>
}

/** A tool that says a text again. */
export const echo: Tool = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}

export async function startRemoteMcp(
  behaviour: Partial<Omit<RemoteMcp, 'url' | 'origin' | 'received' | 'close'>> = {},
): Promise<RemoteMcp> {
  const remote: RemoteMcp = {
    url: '',
    origin: '',
    title: 'Remote',
    tools: [echo],
    call: ({ arguments: args }) => ({ content: [{ type: 'text', text: String(args?.text) }] }),
    instead: () => undefined,
    ...behaviour,
    received: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const handler = createMcpHandler(() => {
    const about = { name: remote.title, version: '1.0.0' }
    const mcp = new Server(about, { capabilities: { tools: {} } })
    mcp.setRequestHandler('tools/list', () => ({ tools: remote.tools }))
    mcp.setRequestHandler('tools/call', ({ params }) => remote.call(params))
    return mcp
  })
  const server = createServer(async (incoming, outgoing) => {
    const body = await readBody(incoming)
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    )
    const init = { method: incoming.method ?? 'GET', headers, ...(body === '' ? {} : { body }) }
    const request = new Request(`${remote.origin}${incoming.url}`, init)
    const message = body.startsWith('{') ? JSON.parse(body) : {}
    if (message.method !== undefined) {
      remote.received.push({ method: message.method, params: message.params ?? {}, headers })
    }
    const answer = (await remote.instead(request, message)) ?? (await handler.fetch(request))
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) for await (const chunk of answer.body) outgoing.write(chunk)
    outgoing.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  remote.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  remote.url = `${remote.origin}/mcp`
  return remote
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
}
