import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers `{ error: { code, message } }`, readable for a page of any origin. */
export function answerError(
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
