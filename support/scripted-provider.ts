import { Buffer } from 'node:buffer'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { listenQuietly } from './quiet-port.ts'

/** A request as it reached the provider. */
export interface ProviderRequest {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string>
  body: string
}

/**
 * What a provider does with every request: answer it; refuse the connection; take the request and say nothing
 * (`silent`); take it and close the connection (`lost`); begin an answer and close the connection in the middle (`cut`). A body of bytes is sent as it is.
 */
export type ProviderReply =
  | 'refused'
  | 'silent'
  | 'lost'
  | 'cut'
  | { status: number; headers?: Record<string, string>; body: unknown }

/** Stands in for a provider's HTTP API: it answers well until a test scripts something else, and tells what it was asked. */
export interface ScriptedProvider {
  /** `http://127.0.0.1:PORT`: what the integration's base URL is set to. */
  url: string
  /** Since the last script. */
  requests: ProviderRequest[]
  /** What happens from now on to requests whose path begins like this; undefined: all is well again. */
  script(reply: ProviderReply | undefined, path: string): Promise<void>
  /** How many of the requests have a path that begins like this. */
  asked(path: string): number
  /** Resolves when a request has come that is never answered. */
  silence(): Promise<void>
}

/**
 * Starts one that answers well with these bodies, by the beginning of the path. It speaks through raw sockets, because
 * the connection is a part of the script, and ends with the process (Deno 2.1 has no `after` for tests).
 */
export async function startScriptedProvider(answers: Record<string, unknown>): Promise<ScriptedProvider> {
  const requests: ProviderRequest[] = []
  const sockets = new Set<Socket>()
  let scripted: { reply: ProviderReply | undefined; path: string } = { reply: undefined, path: '' }
  let onSilence = () => {}
  let silence = Promise.resolve()

  const replyTo = ({ path }: ProviderRequest): ProviderReply => {
    if (scripted.reply !== undefined && path.startsWith(scripted.path)) return scripted.reply
    const known = Object.entries(answers).find(([beginning]) => path.startsWith(beginning))
    return known ? { status: 200, body: known[1] } : { status: 404, body: { error: `nothing is at ${path}` } }
  }
  const answer = (socket: Socket, reply: ProviderReply) => {
    if (reply === 'silent') return onSilence()
    if (reply === 'refused' || reply === 'lost') return socket.destroy()
    if (reply === 'cut') return socket.write(cutAnswer, () => socket.destroy())
    socket.end(wireFormat(reply))
  }
  const accept = (socket: Socket) => {
    sockets.add(socket)
    let received = ''
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      const request = readRequest(received)
      if (!request) return
      received = ''
      requests.push(request)
      answer(socket, replyTo(request))
    })
  }
  const listenAgain = async () => {
    const server = createServer(accept)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
    return server
  }
  let server: Server | undefined = createServer(accept)
  const port = await listenQuietly(server)
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async script(reply, path) {
      scripted = { reply, path }
      requests.length = 0
      silence = new Promise((resolve) => {
        onSilence = resolve
      })
      if (reply !== 'refused') server ??= await listenAgain()
      else {
        // Deno 2.1 does not call back when it has closed, so that is looked at.
        server?.close()
        server = undefined
        for (const socket of sockets) socket.destroy()
        while (await isListening(port));
      }
    },
    asked: (path) => requests.filter((request) => request.path.startsWith(path)).length,
    silence: () => silence,
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

const cutAnswer =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"results":[{"na'

/** A whole request with a body of a known length or in chunks; undefined while some of it is missing. */
function readRequest(received: string): ProviderRequest | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const rest = received.slice(end + 4)
  const chunked = headers['transfer-encoding'] === 'chunked'
  if (chunked ? !rest.endsWith('0\r\n\r\n') : rest.length < Number(headers['content-length'] ?? 0))
    return undefined
  const body = chunked ? rest.replace(/(?:^|\r\n)[\da-f]+\r\n/gi, '').trimEnd() : rest
  return {
    method,
    path,
    headers,
    body: new TextDecoder().decode(Uint8Array.from(body, (c) => c.charCodeAt(0))),
  }
}

function wireFormat({ status, headers = {}, body }: Exclude<ProviderReply, string>): Buffer {
  const content =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const lines = Object.entries({
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
    ...headers,
    'content-length': String(content.byteLength),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`), content])
}
