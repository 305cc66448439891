import { connect } from 'node:net'
import OpenAI, { APIError } from 'openai'
import type { ChatCompletionChunk, ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type { Client, Sending } from './scene.ts'

/** A client's request. */
export interface Request {
  base: string
  token: string
  headers: Record<string, string>
  body: ChatCompletionCreateParams
}

/** What a client received. */
export interface Answer {
  /** 0 if there was no response. */
  status: number
  text: string
  headers: Headers
  /** The longest time without a byte, in milliseconds. */
  silenceMs: number
}

/** How a client disconnects; `signal` says when. */
export interface Leaving {
  signal: AbortSignal
  by: NonNullable<Sending['stopBy']>
  /** Called with the text of an answer as it arrives. */
  onWords(): void
}

const nothing: Answer = { status: 0, text: '', headers: new Headers(), silenceMs: 0 }

/** Sends a request and reads the whole response. A client that disconnects or times out gets none. */
export async function send(request: Request, client: Client, leaving?: Leaving): Promise<Answer> {
  try {
    if (leaving?.by === 'socket') return await dropSocket(request, leaving)
    return await (client.kind === 'openai' ? sendBySdk : sendByFetch)(request, client, leaving)
  } catch (error) {
    if (error instanceof APIError && error.status !== undefined)
      return {
        ...nothing,
        status: error.status,
        text: error.message,
        headers: error.headers ?? new Headers(),
      }
    return { ...nothing, text: String(error) }
  }
}

async function sendBySdk(request: Request, client: Client, leaving?: Leaving): Promise<Answer> {
  const openai = new OpenAI({
    apiKey: request.token,
    baseURL: request.base,
    maxRetries: client.retries ?? 2,
    timeout: client.timeoutMs,
    defaultHeaders: request.headers,
  })
  const signal = leaving?.by === 'abort' ? leaving.signal : undefined
  const asked = openai.chat.completions.create(request.body, { signal })
  const { data, response } = await asked.withResponse()
  const { status, headers } = response
  if (!('controller' in data)) return { ...nothing, status, headers, text: wordsOf(data.choices[0]?.message) }
  if (leaving?.by === 'stream') leaving.signal.addEventListener('abort', () => data.controller.abort())
  let text = ''
  for await (const chunk of data) {
    const words = wordsOf(chunk.choices[0]?.delta)
    if (words !== '') leaving?.onWords()
    text += words
  }
  return { ...nothing, status, headers, text }
}

async function sendByFetch(request: Request, _: Client, leaving?: Leaving): Promise<Answer> {
  let heard = Date.now()
  let silenceMs = 0
  const hear = () => {
    silenceMs = Math.max(silenceMs, Date.now() - heard)
    heard = Date.now()
  }
  const response = await fetch(`${request.base}/chat/completions`, {
    method: 'POST',
    headers: headersOf(request),
    body: JSON.stringify(request.body),
    signal: leaving?.signal,
  })
  hear()
  const { status, headers } = response
  let raw = ''
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    hear()
    raw += piece
    if (/"content":"[^"]/.test(piece)) leaving?.onWords()
  }
  return { status, headers, text: wordsIn(raw), silenceMs }
}

/** Disconnects as a crashed program does: without closing anything properly. */
async function dropSocket(request: Request, { signal, onWords }: Leaving): Promise<Answer> {
  const { hostname, port, pathname } = new URL(`${request.base}/chat/completions`)
  const body = JSON.stringify(request.body)
  const head = Object.entries({
    ...headersOf(request),
    host: hostname,
    'content-length': String(new TextEncoder().encode(body).length),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(port), hostname)
  socket.write(`POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
  socket.on('data', (bytes) => /"content":"[^"]/.test(String(bytes)) && onWords())
  signal.addEventListener('abort', () => socket.resetAndDestroy())
  await new Promise((resolve) => socket.on('close', resolve).on('error', () => {}))
  return nothing
}

const headersOf = ({ token, headers }: Request) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  ...headers,
})

const wordsOf = (said: { content?: string | null } | undefined) => said?.content ?? ''

/** The text of a completion, of its chunks, or of an error. */
function wordsIn(raw: string): string {
  if (!raw.startsWith('data:') && !raw.startsWith(':')) {
    const { choices, error } = JSON.parse(raw)
    return error ? error.message : wordsOf(choices?.[0]?.message)
  }
  const pieces = raw.matchAll(/^data: (\{.*\})$/gm)
  return [...pieces]
    .map(([, json = '']) => JSON.parse(json) as ChatCompletionChunk & { error?: { message: string } })
    .map(({ choices, error }) => error?.message ?? wordsOf(choices?.[0]?.delta))
    .join('')
}
