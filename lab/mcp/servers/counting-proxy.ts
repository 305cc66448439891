import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Stands before a server and counts the calls that reach it, by tool. */
export interface CountingProxy {
  port: number
  /** The port that it leads to: another one after the server was started again. */
  target: number
  counts: Map<string, number>
  close(): void
}

export async function startCountingProxy(): Promise<CountingProxy> {
  const counts = new Map<string, number>()
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    const name = calledIn(body.toString())
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    const { target } = proxy
    const headers = { ...incoming.headers, host: `localhost:${target}` }
    const sent = send(
      { host: 'localhost', port: target, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.flushHeaders()
        answer.pipe(outgoing)
      },
    )
    sent.on('error', () => outgoing.destroy())
    outgoing.on('close', () => sent.destroy())
    sent.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: CountingProxy = {
    target: 0,
    port: (server.address() as AddressInfo).port,
    counts,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}

function calledIn(body: string): string | undefined {
  try {
    const { method, params } = JSON.parse(body)
    return method === 'tools/call' ? params.name : undefined
  } catch {
    return undefined
  }
}
