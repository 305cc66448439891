import { bodyTimeouts } from '../../engine/core/timeouts.ts'
import { ApiError } from './api-error.ts'
import { BodyRoom } from './body-room.ts'
import type { RefusalCode } from './refusals.ts'

/**
 * How much of a refused body is still taken, and dropped, while it keeps coming: a client that is answered while it
 * sends may see a broken connection instead of the answer.
 */
const dropped = { bytes: 64 * 1024 * 1024, ms: 1000, silenceMs: 250 }

/** Bytes that tell what kind of request a body is. */
const startBytes = 4096

/** A body that is not read; `start` is how it begins, for whoever must know what kind of request it was. */
export class BodyRefused extends ApiError {
  readonly start: Uint8Array
  constructor(status: 413 | 429, code: RefusalCode, sentence: string, start: Uint8Array) {
    super(status, code, sentence)
    this.start = start
  }
}

/** Status 413. */
export function bodyTooLarge(limit: number, start: Uint8Array): BodyRefused {
  const sentence = `The request body is larger than ${limit / 1024 / 1024} MiB. Send less in one request.`
  return new BodyRefused(413, 'body_too_large', sentence, start)
}

/**
 * The bytes of a body, never holding more than `limit` of them. Throws BodyRefused as soon as it is known: 413 for a
 * larger body, 429 for a large one while this process reads as much of others as it can hold; ApiError 400 for one that
 * does not arrive in time.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader()
  const room = new BodyRoom(() => void reader.cancel().catch(() => {}))
  const deadline = Date.now() + bodyTimeouts.wholeMs
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size <= limit && declaredSize(request) <= limit && room.reserve(size)) {
      const left = Math.max(deadline - Date.now(), 0)
      const { done, value } = await nextChunk(reader, Math.min(bodyTimeouts.silenceMs, left))
      if (room.isLost) break
      if (done) return concatenate(chunks, size)
      chunks.push(value)
      size += value.byteLength
    }
  } finally {
    room.free()
  }
  const [first] = chunks
  chunks.length = 0
  const start = await dropBody(reader, startBytes)
  const isTooLarge = Math.max(size, declaredSize(request)) > limit
  throw isTooLarge ? bodyTooLarge(limit, first ?? start) : tooManyLarge(first ?? start)
}

function declaredSize({ headers }: Request): number {
  return Number(headers.get('content-length') ?? 0)
}

/** How a body begins that is refused whatever it says: at most `limit` bytes, none where nothing comes. */
export async function readStart(request: Request, limit: number): Promise<Uint8Array> {
  return request.body === null ? new Uint8Array() : await dropBody(request.body.getReader(), limit)
}

/**
 * A JSON body, of any type. Throws ApiError 400 where it is no JSON in UTF-8 (an empty body too), and 413 and 429
 * as `readBody` does.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  return parseJson(await readBody(request, limit))
}

/** The same of a body that may be left out: undefined then. */
export async function readOptionalJson(request: Request, limit: number): Promise<unknown> {
  const bytes = await readBody(request, limit)
  return bytes.byteLength === 0 ? undefined : parseJson(bytes)
}

/** Parses JSON text in UTF-8 (with or without BOM); throws ApiError 400. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) {
    throw new ApiError(400, 'invalid_json', 'The request body is empty. Send a JSON object.')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ApiError(400, 'invalid_json', 'The request body is not JSON. Send a JSON object in UTF-8.', {
      cause,
    })
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Takes what keeps coming and returns the first `limit` bytes of it. */
async function dropBody(reader: Reader, limit: number): Promise<Uint8Array> {
  const deadline = Date.now() + dropped.ms
  const kept: Uint8Array[] = []
  let size = 0
  try {
    while (size <= dropped.bytes && Date.now() < deadline) {
      const { done, value } = await nextChunk(reader, dropped.silenceMs)
      if (done) return concatenate(kept, Math.min(size, limit))
      if (size < limit) kept.push(value.subarray(0, limit - size))
      size += value.byteLength
    }
  } catch {
    // Whoever goes away, or does not go on, is answered all the same.
  }
  await reader.cancel().catch(() => {})
  return concatenate(kept, Math.min(size, limit))
}

/** Throws ApiError 400 where the client went away, or sends nothing for so many milliseconds. */
async function nextChunk(reader: Reader, withinMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = 'The request body did not arrive in time. Send it again, or less at once.'
      reject(new ApiError(400, 'body_timeout', sentence))
    }, withinMs)
  })
  try {
    return await Promise.race([reader.read().catch(incomplete), silence])
  } finally {
    clearTimeout(timer)
  }
}

function incomplete(cause: unknown): never {
  const sentence = 'The request body ended before all of it arrived. Send it again.'
  throw new ApiError(400, 'body_incomplete', sentence, { cause })
}

function tooManyLarge(start: Uint8Array): BodyRefused {
  const sentence = 'Too many large requests are being read at this moment. Send it again in a few seconds.'
  return new BodyRefused(429, 'too_many_large_bodies', sentence, start)
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
