import { Buffer } from 'node:buffer'
import { invalidArgument } from './google-error.ts'
import { headerOf, readMimeTree } from './mime-tree.ts'

/** Calls in one batch (https://developers.google.com/workspace/gmail/api/guides/batch). */
const mostCalls = 100

/** Performs each request of a `multipart/mixed` batch; the batch itself succeeds even if some of them fail. */
export async function performBatch(
  batch: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const type = batch.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await batch.arrayBuffer())
  const { parts } = readMimeTree(Buffer.concat([Buffer.from(`Content-Type: ${type}\r\n\r\n`), bytes]))
  if (parts.length === 0) throw invalidArgument('Failed to parse batch request, error: no parts')
  if (parts.length > mostCalls)
    throw invalidArgument(`The batch request has ${parts.length} calls, the limit is ${mostCalls}.`)
  const boundary = `batch_${crypto.randomUUID()}`
  const answers = await Promise.all(
    parts.map(async (part) => {
      const inner = await answer(readRequest(part.content, batch))
      const text = await inner.text()
      const id = headerOf(part.headers, 'content-id')
      return [
        `--${boundary}`,
        'Content-Type: application/http',
        ...(id ? [`Content-ID: ${id.replace(/^<?/, '<response-').replace(/>?$/, '>')}`] : []),
        '',
        `HTTP/1.1 ${inner.status} ${inner.status < 400 ? 'OK' : 'Error'}`,
        ...[...inner.headers].map(([name, value]) => `${name}: ${value}`),
        '',
        text,
      ].join('\r\n')
    }),
  )
  return new Response(`${answers.join('\r\n')}\r\n--${boundary}--\r\n`, {
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
  })
}

/** `POST /gmail/v1/… HTTP/1.1`, headers, a blank line and the body; headers of the batch hold for all calls. */
function readRequest(content: Buffer, batch: Request): Request {
  const text = content.toString('utf8')
  const [, method = 'GET', path = '/'] = /^(\w+) (\S+)/.exec(text) ?? []
  const end = /\r?\n\r?\n/.exec(text)
  const body = end ? text.slice(end.index + end[0].length) : ''
  const headers = new Headers()
  const authorization = /^authorization: *(.*?)\r?$/im.exec(text)?.[1] ?? batch.headers.get('authorization')
  if (authorization) headers.set('authorization', authorization)
  headers.set('content-type', 'application/json')
  return new Request(new URL(path, batch.url), {
    method,
    headers,
    body: method === 'GET' || method === 'DELETE' ? undefined : body,
  })
}
