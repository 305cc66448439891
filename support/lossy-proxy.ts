import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Passes requests on, and loses answers. */
export interface LossyProxy {
  url: string
  /** Requests that came, by their `x-stainless-retry-count`. */
  readonly counts: string[]
  /**
   * The connection of the next request is closed before any header of its answer: `soon` as soon as the request is on
   * its way, or once it was answered.
   */
  loseNext(when: 'soon' | 'answered'): void
  close(): Promise<void>
}

/** Starts a proxy in front of a server of this machine. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const counts: string[] = []
  let lose: 'soon' | 'answered' | undefined
  const server = createServer((request, response) => {
    const losing = lose
    lose = undefined
    counts.push(String(request.headers['x-stainless-retry-count']))
    const { host: _, ...headers } = request.headers
    const upstream = forward(new URL(request.url ?? '/', target), { method: request.method, headers })
    upstream.on('response', (answer) => {
      if (losing) {
        answer.resume().on('end', () => request.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => request.socket.destroy())
    request.pipe(upstream)
    upstream.on('finish', () => {
      if (losing === 'soon') request.socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    loseNext(when) {
      lose = when
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
