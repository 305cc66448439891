import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gate } from './gate.ts'

/** Passes requests on, and keeps an answer back: whoever waits for it stands still where it has asked. */
export interface HoldingProxy {
  url: string
  /** Keeps back the next answer to a request whose path ends like this. Resolves `answered` once there is one to keep. */
  holdNext(end: string): { answered: Promise<void>; release(): void }
  close(): Promise<void>
}

/** Starts a proxy in front of a server of this machine. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  const holds: { end: string; answered: ReturnType<typeof gate>; released: ReturnType<typeof gate> }[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', target)
    const index = holds.findIndex(({ end }) => path.pathname.endsWith(end))
    const [hold] = index < 0 ? [] : holds.splice(index, 1)
    const { host: _, ...headers } = request.headers
    const upstream = forward(path, { method: request.method, headers })
    upstream.on('response', async (answer) => {
      hold?.answered.open()
      await hold?.released.opened
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => request.socket.destroy())
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdNext(end) {
      const hold = { end, answered: gate(), released: gate() }
      holds.push(hold)
      return { answered: hold.answered.opened, release: hold.released.open }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
