import { createServer } from 'node:net'

/** The wanted loopback port if it is free (0 = any), otherwise another one. It may be taken again before it is used. */
export async function findFreePort(wanted: number): Promise<number> {
  return (await tryPort(wanted)) ?? (await findFreePort(0))
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
