import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { denoWords } from './start.ts'

/** What becomes of a request that the server has read to its end. */
export const failures = {
  'answers 503': (response: ServerResponse) => {
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"busy"}}')
  },
  'hangs up': (response: ServerResponse) => {
    response.destroy()
  },
}

/** An answer that each of the programs takes. */
const success = JSON.stringify({
  id: 'm1',
  choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
})

/**
 * How many requests a server reads of one write that a program makes, if each of them fails like this. An open connection
 * is there already, because what is sent on one may be sent again by Deno itself.
 */
export async function countRequests(
  deno: string,
  probe: string,
  program: string,
  fail: (typeof failures)[keyof typeof failures],
): Promise<number> {
  let read = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (read++ === 0) response.writeHead(200, { 'content-type': 'application/json' }).end(success)
      else fail(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const child = spawn(deno, [...denoWords, probe, program, `http://127.0.0.1:${port}`], { stdio: 'inherit' })
  await once(child, 'exit')
  server.closeAllConnections()
  server.close()
  return read - 1
}
