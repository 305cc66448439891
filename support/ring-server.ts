import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a destination of the bell has received. */
export interface HeardRing {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what the test asks of it
  body: any
}

/** What a destination answers: a status, a redirect, or nothing at all. */
export type RingReply = { status: number; location?: string } | 'silence'

/** A destination of the bell on loopback. */
export async function startRingServer() {
  const heard: HeardRing[] = []
  let reply: RingReply = { status: 200 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      heard.push({ headers: request.headers, text, body: text === '' ? undefined : JSON.parse(text) })
      if (reply === 'silence') return
      const { status, location } = reply
      response.writeHead(status, location === undefined ? {} : { location }).end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ring`
  return {
    url,
    heard,
    answer(next: RingReply) {
      reply = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type RingServer = Awaited<ReturnType<typeof startRingServer>>
