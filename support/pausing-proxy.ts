import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gate } from './gate.ts'

/** Passes requests on, and keeps an answer back: whoever waits for it stands still where it has asked. */
export interface PausingProxy {
  url: string
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[]
  /**
   * Keeps back the next answer to a request whose path ends like this, or the `nth` of them. Resolves `answered` once there
   * is one to keep, and `left` once whoever waited for it has gone.
   */
  pauseNext(end: string, nth?: number): { answered: Promise<void>; left: Promise<void>; release(): void }
  close(): Promise<void>
}

/** Starts a proxy in front of a server of this machine. `elsewhere`: paths that lead to another one, with its address. */
export async function startPausingProxy(
  target: string,
  elsewhere: Readonly<Record<string, string>> = {},
): Promise<PausingProxy> {
  const asked: string[] = []
  const pauses: {
    end: string
    nth: number
    answered: ReturnType<typeof gate>
    left: ReturnType<typeof gate>
    released: ReturnType<typeof gate>
  }[] = []
  const server = createServer((request, response) => {
    const asking = new URL(request.url ?? '/', target)
    const path = new URL(elsewhere[asking.pathname] ?? asking)
    asked.push(path.pathname)
    const index = pauses.findIndex((one) => path.pathname.endsWith(one.end) && --one.nth === 0)
    const [pause] = index < 0 ? [] : pauses.splice(index, 1)
    response.on('close', () => pause?.left.open())
    const { host: _, ...headers } = request.headers
    const upstream = forward(path, { method: request.method, headers })
    upstream.on('response', async (answer) => {
      pause?.answered.open()
      await pause?.released.opened
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => request.socket.destroy())
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    pauseNext(end, nth = 1) {
      const hold = { end, nth, answered: gate(), left: gate(), released: gate() }
      pauses.push(hold)
      return { answered: hold.answered.opened, left: hold.left.opened, release: hold.released.open }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
