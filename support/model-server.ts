import { Buffer } from 'node:buffer'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { findMessageProblem } from './chat-messages.ts'
import { type CompletionContext, completionBody, completionChunks, errorBody } from './completion-wire.ts'
import type { ModelServerReply } from './model-reply.ts'

export * from './model-reply.ts'

/** One recorded `POST …/chat/completions`. */
export interface ModelServerRequest {
  /** Counted from 1. */
  number: number
  path: string
  headers: IncomingHttpHeaders
  body: ChatCompletionCreateParams
  /** Resolves when the connection is over: true when the client left before the answer was complete. */
  ended: Promise<{ aborted: boolean }>
}

/** A list of replies, used one after the other, or a function that chooses (and may await something first). */
export type ModelScript =
  | readonly ModelServerReply[]
  | ((request: ModelServerRequest) => ModelServerReply | Promise<ModelServerReply>)

export interface ModelServer {
  /** The base URL to configure: `http://127.0.0.1:PORT/v1`. */
  readonly url: string
  /** Every chat completion asked for, in order. */
  readonly requests: ModelServerRequest[]
  /** How often `GET /models` was asked for. */
  readonly listed: number
  /** The rows that `GET /models` answers with; or it answers with no JSON, or never. */
  list: readonly object[] | 'broken' | 'silent'
  /** Resolves when the n-th request (from 1) has arrived; the next one by default. */
  waitForRequest(number?: number): Promise<ModelServerRequest>
  /** Replaces the script; a list starts at its first reply. */
  use(script: ModelScript): void
  /** Ends the server and every open connection. */
  close(): Promise<void>
}

export interface ModelServerOptions {
  /** Refuses every other key with 401. Without it any key will do. */
  apiKey?: string
  /** What `GET /models` lists. Default `['scripted-model']`. */
  models?: string[]
  /** Default 0, any free port. */
  port?: number
}

/**
 * Starts a model server on loopback that speaks OpenAI's chat completions, plain and streamed, from a script.
 * Like the real one it refuses a list of messages in which a tool call has no tool message (400); a list of
 * replies that is used up answers 400 as well.
 *
 * @example
 * const model = await startModelServer([callTool('search', { query: 'deno' }), say('Done.')])
 * // … createModelClient({ baseURL: model.url, apiKey: 'any', model: 'scripted-model' })
 * model.requests[0]?.body.temperature // 0.5
 * await model.close()
 */
export async function startModelServer(
  script: ModelScript,
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const requests: ModelServerRequest[] = []
  const waiting: { number: number; resolve: (request: ModelServerRequest) => void }[] = []
  const context: CompletionContext = { nextCall: 1 }
  let choose = chooserOf(script)
  let listed = 0
  const { models = ['scripted-model'] } = options
  let list: ModelServer['list'] = models.map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: 'script',
  }))

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (message.url ?? '').split('?')[0] ?? ''
    const text = await readText(message)
    if (options.apiKey !== undefined && message.headers.authorization !== `Bearer ${options.apiKey}`) {
      return sendJson(response, 401, errorBody(401, 'Incorrect API key provided.', 'invalid_api_key'))
    }
    if (message.method === 'GET' && path.endsWith('/models')) {
      listed++
      if (list === 'silent') return
      return sendJson(response, 200, list === 'broken' ? '<html>' : { object: 'list', data: list })
    }
    if (message.method !== 'POST' || !path.endsWith('/chat/completions')) {
      return sendJson(response, 404, errorBody(404, `Invalid URL (${message.method} ${path})`))
    }
    let body: ChatCompletionCreateParams
    try {
      body = JSON.parse(text)
    } catch {
      return sendJson(response, 400, errorBody(400, 'We could not parse the JSON body of your request.'))
    }
    const request: ModelServerRequest = {
      number: requests.length + 1,
      path,
      headers: message.headers,
      body,
      ended: new Promise((resolve) =>
        response.once('close', () => resolve({ aborted: !response.writableFinished })),
      ),
    }
    requests.push(request)
    for (const entry of waiting.filter((waiter) => waiter.number === request.number)) entry.resolve(request)
    const problem = findMessageProblem(body.messages)
    if (problem !== undefined) return sendJson(response, 400, errorBody(400, problem))
    await send(response, body, await choose(request), context)
  }

  const server = createServer((message, response) => {
    answer(message, response).catch((cause: unknown) => {
      // A script that throws must not look like a model that is silent.
      if (response.headersSent) response.destroy()
      else sendJson(response, 400, errorBody(400, `The script of the model server failed: ${cause}`))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get listed() {
      return listed
    },
    get list() {
      return list
    },
    set list(rows) {
      list = rows
    },
    waitForRequest(number = requests.length + 1) {
      const arrived = requests[number - 1]
      if (arrived !== undefined) return Promise.resolve(arrived)
      return new Promise((resolve) => waiting.push({ number, resolve }))
    },
    use(next) {
      choose = chooserOf(next)
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function chooserOf(
  script: ModelScript,
): (request: ModelServerRequest) => ModelServerReply | Promise<ModelServerReply> {
  if (typeof script === 'function') return script
  let used = 0
  return () => {
    const reply = script[used++]
    if (reply !== undefined) return reply
    return { status: 400, errorMessage: `The script has ${script.length} replies; this is request ${used}.` }
  }
}

async function send(
  response: ServerResponse,
  body: ChatCompletionCreateParams,
  reply: ModelServerReply,
  context: CompletionContext,
): Promise<void> {
  if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
  if (reply.cut === 'before-headers') {
    response.socket?.destroy()
    return
  }
  if (reply.hang && reply.afterChunks === undefined) return
  const streamError = body.stream === true ? undefined : reply.errorInStream
  const status = reply.status ?? (streamError === undefined ? 200 : 500)
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  if (reply.body !== undefined) return sendJson(response, status, reply.body)
  if (status !== 200) {
    const message = streamError?.message ?? reply.errorMessage ?? `Scripted error ${status}.`
    return sendJson(response, status, errorBody(status, message, reply.errorCode))
  }
  if (body.stream === true) return sendStream(response, completionChunks(body, reply, context), reply)
  const text = JSON.stringify(completionBody(body, reply, context))
  response.writeHead(200, { 'content-type': 'application/json' })
  if (reply.cut === undefined) {
    response.end(text)
  } else {
    await write(response, text.slice(0, text.length / 2))
    if (reply.cut === 'mid-stream') response.destroy()
    else response.end()
  }
}

async function sendStream(
  response: ServerResponse,
  chunks: unknown[],
  reply: ModelServerReply,
): Promise<void> {
  const early = reply.cut !== undefined || reply.hang === true || reply.errorInStream !== undefined
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  const through = early ? events.slice(0, reply.afterChunks ?? Math.floor(events.length / 2)) : events
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for (const event of through) {
    await write(response, event)
    if (reply.pauseMs) await new Promise((resolve) => setTimeout(resolve, reply.pauseMs))
  }
  if (reply.hang) return
  if (reply.cut === 'mid-stream') {
    response.destroy()
    return
  }
  if (reply.errorInStream !== undefined) {
    await write(response, `data: ${JSON.stringify({ error: reply.errorInStream })}\n\n`)
  } else if (reply.cut === undefined) {
    await write(response, 'data: [DONE]\n\n')
  }
  response.end()
}

/** Resolves when the piece is flushed, or when the client is gone. */
function write(response: ServerResponse, piece: string): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()))
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json')
  response.statusCode = status
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function readText(message: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of message) parts.push(part as Uint8Array)
  return Buffer.concat(parts).toString('utf8')
}
