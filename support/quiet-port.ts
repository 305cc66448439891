import { createServer, type Server } from 'node:net'

/**
 * Lets a server listen on a loopback port that stays its own while it is away: the system gives such a port to nobody
 * who asks for any. Resolves to the port.
 */
export async function listenQuietly(server: Server): Promise<number> {
  for (;;) {
    // Linux gives out ports from 32768 on, macOS from 49152 on.
    const port = 10_000 + Math.floor(Math.random() * 22_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const refuse = () => resolve(false)
      server.once('error', refuse)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', refuse)
        resolve(true)
      })
    })
    if (isFree) return port
  }
}

/** A port of that kind where nothing listens, for a server that starts later. */
export async function findQuietPort(): Promise<number> {
  const server = createServer()
  const port = await listenQuietly(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
