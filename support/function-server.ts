import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call of an integration function, as the chat function sends it. */
export interface FunctionCall {
  name: string
  headers: IncomingHttpHeaders
  body: { action: string; agentId: string; params: Record<string, unknown>; idempotencyKey: string }
}

/** What it answers: an object is JSON with 200; `cut` closes the connection without an answer. */
export type FunctionReply =
  | 'cut'
  | { status: number; body: string; headers?: Record<string, string> }
  | object

/** Stands where the integration functions are, and answers what a test says. */
export interface FunctionServer {
  /** `http://127.0.0.1:PORT`; functions are below it by name. */
  url: string
  calls: FunctionCall[]
  /** The replies from now on, the last one again and again. */
  use(...replies: FunctionReply[]): void
  close(): Promise<void>
}

export async function startFunctionServer(): Promise<FunctionServer> {
  const calls: FunctionCall[] = []
  let replies: FunctionReply[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    calls.push({ name: (request.url ?? '').slice(1), headers: request.headers, body: JSON.parse(text) })
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    if (reply === undefined || reply === 'cut') return void response.destroy()
    if ('status' in reply && 'body' in reply) {
      response.writeHead(
        Number(reply.status),
        'headers' in reply ? (reply.headers as Record<string, string>) : {},
      )
      return void response.end(reply.body)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    use(...next) {
      replies = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
