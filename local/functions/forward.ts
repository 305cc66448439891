import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { sendError } from '../http/send-error.ts'

/** Headers that belong to one hop only (RFC 9110, 7.6.1). Node handles chunks itself. */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'])

/**
 * Passes a request to a function and its response back, both as streams: a slow reader slows the writer down, an end on
 * one side ends the other, and a response that breaks off breaks off here too. Resolves to false, with nothing sent or
 * answered, when nothing listens on the port.
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: { port: number; path: string; name: string; tellGone: (requestId: string) => void },
): Promise<boolean> {
  const { port, path, name, tellGone } = target
  const requestId = randomUUID()
  const upstream = openRequest({
    host: '127.0.0.1',
    port,
    path,
    method: request.method,
    agent: false,
    headers: {
      ...keepEndToEnd(request.headers),
      'x-forwarded-host': request.headers.host ?? '',
      'x-forwarded-proto': 'http',
      'x-local-request': requestId,
      'x-forwarded-for': request.socket.remoteAddress ?? '',
    },
  })
  upstream.on('response', (answer) => {
    const { 'transfer-encoding': _, ...headers } = keepEndToEnd(answer.headers)
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers)
    response.flushHeaders()
    pipeline(answer, response, () => {
      upstream.destroy()
      readRest()
    })
  })
  /** Drains an upload that nobody reads: many clients read the response only after sending everything. */
  const readRest = () => {
    request.unpipe(upstream)
    request.resume()
  }
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    // A function that has responded need not read the rest of the request.
    if (error.code === 'ECONNREFUSED' || response.headersSent) return
    readRest()
    const message = `The function "${name}" ended before it answered. Its log is in the terminal of the stack; the next request starts it again.`
    sendError(request, response, 502, 'function_crashed', message)
  })
  response.on('close', () => {
    if (response.writableFinished) return
    if (!response.headersSent) tellGone(requestId)
    upstream.destroy()
  })
  return new Promise((resolve) => {
    upstream.on('socket', (socket) =>
      socket.once('connect', () => {
        request.pipe(upstream)
        resolve(true)
      }),
    )
    upstream.on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'))
  })
}

function keepEndToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))
}
