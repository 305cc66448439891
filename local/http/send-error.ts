import type { IncomingMessage, ServerResponse } from 'node:http'

/** Sends `{ error: { code, message } }`, readable by pages of any origin. */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'content-type': 'application/json',
    'access-control-allow-origin': request.headers.origin ?? '*',
    'access-control-expose-headers': '*',
    vary: 'origin',
  })
  response.end(JSON.stringify({ error: { code, message } }))
}
