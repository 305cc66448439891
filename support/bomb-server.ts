import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

const mebibyte = 1024 * 1024

/** What fills a bomb: each is repeated, and is valid in its form. */
const fillings = {
  'application/json': ' ',
  'text/event-stream': `data: {"choices":[{"delta":{"content":"${'a'.repeat(64)}"}}]}\n\n`,
} as const

/** What each ends with: a success for whoever reads it. */
const endings = {
  'application/json': '{"ok":true,"data":{},"text":"","pages":1,"readPages":1,"isWhole":true}',
  'text/event-stream': 'data: [DONE]\n\n',
} as const

/** An answer of a few kilobytes that decompresses to `mebibytes`, and ends well. */
function bombOf(contentType: keyof typeof fillings, mebibytes: number): Uint8Array {
  const filling = fillings[contentType]
  const block = filling.repeat(Math.ceil(mebibyte / filling.length))
  return gzipSync(block.repeat(mebibytes) + endings[contentType])
}

/** A server that answers every request with a bomb. */
export async function startBombServer(contentType: keyof typeof fillings, mebibytes = 64, status = 200) {
  const bomb = bombOf(contentType, mebibytes)
  const server = createServer((request, response) => {
    request.resume()
    response.on('error', () => {})
    response.writeHead(status, { 'content-type': contentType, 'content-encoding': 'gzip' }).end(bomb)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
