import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of a request that was read to its end. */
export const failures: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'answers 503': (response) => {
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"busy"}}')
  },
  'hangs up': (response) => {
    response.destroy()
  },
}

/** An answer that each of the programs takes. */
const success = JSON.stringify({
  id: 'm1',
  choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
})

export interface AnsweringServer {
  url: string
  /** Requests that were read. */
  read(): number
  close(): void
}

/** Answers the first request and, if they do not `fail`, all others. */
export async function startAnswering(fail?: (response: ServerResponse) => void): Promise<AnsweringServer> {
  let read = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (fail !== undefined && read > 0) fail(response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(success)
      read++
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    read: () => read,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
