import { connect, createServer, type Socket } from 'node:net'
import { listenQuietly } from './quiet-port.ts'

/** A server that can be taken away and given back, whatever it is. */
export interface TcpProxy {
  port: number
  /** Cuts every connection and refuses new ones. */
  takeDown(): Promise<void>
  /** Passes connections on again, on the same port. */
  putUp(): Promise<void>
  /** Lets the target be heard again, also what it has said meanwhile. */
  unmute(): void
  close(): Promise<void>
}

/**
 * Passes connections on to a port of this machine. With `muteAfter` the target is no longer heard once the client
 * has sent that many bytes: what the client sends still arrives.
 */
export async function startTcpProxy(
  targetPort: number,
  { muteAfter = Number.POSITIVE_INFINITY } = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const muted = new Map<Socket, () => void>()
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1')
    let sent = 0
    client.on('data', (chunk) => {
      sent += chunk.length
      if (sent < muteAfter) return
      upstream.unpipe(client)
      muted.set(client, () => upstream.pipe(client))
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const takeDown = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  const port = await listenQuietly(server)
  return {
    port,
    takeDown,
    putUp: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    unmute() {
      muteAfter = Number.POSITIVE_INFINITY
      for (const goOn of muted.values()) goOn()
    },
    close: async () => {
      if (server.listening) await takeDown()
    },
  }
}
