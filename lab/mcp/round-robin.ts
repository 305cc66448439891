import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A gateway in front of several processes of a function. */
export interface RoundRobin {
  url: string
  close(): Promise<void>
}

/**
 * Passes each request to the next process, as the project's gateway does: with the name that it was called by. Requests
 * without a token get one: the suite signs in nowhere.
 */
export async function startRoundRobin(ports: readonly number[], token: string): Promise<RoundRobin> {
  let turn = 0
  const server = createServer((request, response) => {
    const upstream = forward({
      host: '127.0.0.1',
      port: ports[turn++ % ports.length],
      path: request.url,
      method: request.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...request.headers,
        'x-forwarded-host': request.headers.host ?? '',
      },
    })
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
