import { parseExactJson } from './exact-json.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** `bytes`: how many are read, counted after decompression. `ms`: milliseconds from the first to the last of them. */
export interface BodyLimit {
  readonly bytes: number
  readonly ms: number
}

/**
 * How much is read of each answer that comes from outside this process: a small one can decompress to a thousand times its
 * size, and all requests of a hosted function share 256 MB (https://supabase.com/docs/guides/functions/limits).
 */
export const bodyLimits = {
  /** A model's answer that is not streamed, and a refusal of a model server. */
  modelAnswer: { bytes: 16 * mebibyte, ms: 120_000 },
  /** A model's streamed answer, including its thoughts. */
  modelStream: { bytes: 32 * mebibyte, ms: 600_000 },
  /** A server's list of its models. */
  modelList: { bytes: 4 * mebibyte, ms: 5_000 },
  search: { bytes: 4 * mebibyte, ms: 8_000 },
  /** An HTTP API that an integration of your own asks for JSON. */
  api: { bytes: 4 * mebibyte, ms: 25_000 },
  /** A Response that a tool returns to the engine. */
  toolResponse: { bytes: 24 * mebibyte, ms: 35_000 },
  /** A web page, or a `robots.txt`. The time counts from the request. */
  page: { bytes: 2 * mebibyte, ms: 15_000 },
  /** An OAuth server: tokens, or the end of a grant. */
  signIn: { bytes: 256 * kibibyte, ms: 10_000 },
  /** A server of MCP: one answer, or a stream. The time counts from the request. */
  mcpServer: { bytes: 8 * mebibyte, ms: 25_000 },
  /** A page of the list of its tools. The time counts from the request. */
  mcpTools: { bytes: 2 * mebibyte, ms: 15_000 },
  /** Public keys (JWKS). */
  publicKeys: { bytes: 256 * kibibyte, ms: 5_000 },
  /** Emails and documents at Google: an attachment in base64, or a document with its formats. */
  google: { bytes: 24 * mebibyte, ms: 25_000 },
  /** One reply of a mail server, which nodemailer reads. */
  mailServer: { bytes: mebibyte, ms: 25_000 },
  /** An edge function of this project, Askback's or the app's, or a Postgres function that is a tool. */
  function: { bytes: 24 * mebibyte, ms: 35_000 },
  /** The data API of this project, asked by our own code. */
  database: { bytes: 64 * mebibyte, ms: 30_000 },
  /** Supabase Storage: a file of 5 MiB, or a list of names. */
  storage: { bytes: 8 * mebibyte, ms: 30_000 },
  /** A collector for OpenTelemetry's spans. */
  collector: { bytes: 64 * kibibyte, ms: 5_000 },
  /** What `askback` asks on a developer's machine: Supabase's Management API, a project's functions, a model server. */
  command: { bytes: 16 * mebibyte, ms: 30_000 },
} as const satisfies Record<string, BodyLimit>

/** An answer that was not read to its end. A write that was answered like this may have happened. */
export class BodyLimitReached extends Error {
  /** A slow answer is a time-out like any other. */
  override readonly name: 'BodyLimitReached' | 'TimeoutError'
  readonly code: 'ERR_ANSWER_TOO_LARGE' | 'ERR_ANSWER_TOO_SLOW'
  readonly limit: BodyLimit
  constructor(what: keyof BodyLimit, limit: BodyLimit) {
    super(
      what === 'bytes'
        ? `The answer is larger than ${limit.bytes / kibibyte} KiB, so it was not read.`
        : `The answer took longer than ${limit.ms / 1000} s to arrive, so it was not read.`,
    )
    this.name = what === 'bytes' ? 'BodyLimitReached' : 'TimeoutError'
    this.code = what === 'bytes' ? 'ERR_ANSWER_TOO_LARGE' : 'ERR_ANSWER_TOO_SLOW'
    this.limit = limit
  }
}

type Answer = Pick<Response, 'body'> & Partial<Pick<Response, 'headers' | 'text'>>

/** The text of an answer. Rejects with BodyLimitReached, or as the body does. */
export async function readText(answer: Answer, limit: BodyLimit): Promise<string> {
  const { body } = answer
  if (body === null) return ''
  if (isShort(answer, limit)) return await readWhole(answer, limit)
  // Piece by piece: the bytes as a whole would stay until the next garbage collection.
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunksOf(body, limit)) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/**
 * Bytes of an answer that the platform reads at once, which takes half the time. It cannot be broken off: where time is up,
 * its connection ends with the signal of its request.
 */
const shortAnswer = 64 * kibibyte

/** Whether a server has announced so little; HTTP ends a body there. Compressed, it may be more. */
function isShort({ headers, text }: Answer, limit: BodyLimit): boolean {
  if (text === undefined || headers === undefined || headers.has('content-encoding')) return false
  const announced = headers.get('content-length')
  return announced !== null && Number(announced) <= Math.min(shortAnswer, limit.bytes)
}

function readWhole(answer: Answer, limit: BodyLimit): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new BodyLimitReached('ms', limit)), limit.ms)
    const text = answer.text?.() ?? Promise.resolve('')
    text.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** The JSON of an answer. Also rejects with SyntaxError. */
export async function readJson(answer: Answer, limit: BodyLimit): Promise<unknown> {
  return parseExactJson(await readText(answer, limit))
}

export async function readBytes(
  { body, headers }: Answer,
  limit: BodyLimit,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array()
  return await collectBytes(chunksOf(body, limit), limit, Number(headers?.get('content-length')))
}

/**
 * The bytes of a body that is read elsewhere, within `limit.bytes`. Rejects with BodyLimitReached. `announced`: how many
 * there will be, if they are not compressed.
 */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  limit: BodyLimit,
  announced = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  // Copied: a chunk of one byte can hold a buffer of 64 KiB.
  let bytes = new Uint8Array(announced > 0 && announced <= limit.bytes ? announced : 16 * kibibyte)
  let size = 0
  for await (const chunk of chunks) {
    const start = size
    size += chunk.byteLength
    if (size > limit.bytes) throw new BodyLimitReached('bytes', limit)
    if (size > bytes.byteLength) {
      const larger = new Uint8Array(Math.min(Math.max(size, 2 * bytes.byteLength), limit.bytes))
      larger.set(bytes.subarray(0, start))
      bytes = larger
    }
    bytes.set(chunk, start)
  }
  return bytes.subarray(0, size)
}

async function* chunksOf(body: ReadableStream<Uint8Array>, limit: BodyLimit): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const guard = guardReader(reader, limit)
  try {
    for (;;) {
      const part = await reader.read()
      guard.check(part)
      if (part.done) return
      yield part.value
    }
  } finally {
    guard.stop()
    // Whatever still comes is refused.
    reader.cancel().catch(() => {})
  }
}

/** Counts what is read of a body. */
interface BodyMeter {
  /** Throws BodyLimitReached. */
  check(part: { done: boolean; value?: Uint8Array | undefined }): void
}

/** For a body whose silence somebody else ends: its time is looked at with each part. */
export function meterBody(limit: BodyLimit): BodyMeter {
  const end = Date.now() + limit.ms
  let size = 0
  return {
    check({ value }) {
      if (Date.now() > end) throw new BodyLimitReached('ms', limit)
      size += value?.byteLength ?? 0
      if (size > limit.bytes) throw new BodyLimitReached('bytes', limit)
    },
  }
}

/** The same, and ends a read that waits when its time is over. */
function guardReader(reader: { cancel(): Promise<void> }, limit: BodyLimit): BodyMeter & { stop(): void } {
  const meter = meterBody(limit)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    reader.cancel().catch(() => {})
  }, limit.ms)
  return {
    check(part) {
      if (isLate) throw new BodyLimitReached('ms', limit)
      meter.check(part)
    },
    stop: () => clearTimeout(timer),
  }
}
