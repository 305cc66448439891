import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CompanyProxy {
  url: string
  close(): Promise<void>
}

/** Passes requests on as company gateways do: without the SDK's retry count. A disconnect is passed on too. */
export async function startProxy(target: string): Promise<CompanyProxy> {
  const server = createServer((request, response) => {
    const { host: _, 'x-stainless-retry-count': __, ...headers } = request.headers
    const upstream = forward(new URL(request.url ?? '/', target), { method: request.method, headers })
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
