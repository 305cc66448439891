import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds since 1970, with fractions, alike in all processes of a machine. */
export const now = () => performance.timeOrigin + performance.now()

/** A model server whose answer is the time at which each of its tokens was sent. */
export interface StampingModel {
  /** Base URL to configure. */
  url: string
  close(): Promise<void>
}

/** Starts a model that streams so many tokens, one every so many milliseconds. */
export async function startStampingModel(tokens: number, everyMs: number): Promise<StampingModel> {
  const server = createServer(async (request, response) => {
    request.resume()
    response.socket?.setNoDelay(true)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, finish: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }]
      response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices })}\n\n`)
    }
    send({ role: 'assistant', content: '' })
    const began = now()
    for (let token = 0; token < tokens && !response.destroyed; token++) {
      const wait = began + token * everyMs - now()
      if (wait > 0) await sleep(wait)
      send({ content: `${now().toFixed(3)} ` })
    }
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
