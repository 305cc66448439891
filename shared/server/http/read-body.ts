import type { RefusalCode } from '../../api/refusals.ts'
import { bodyTimeouts } from '../../engine/core/timeouts.ts'
import { ApiError } from './api-error.ts'
import { BodyRoom } from './body-room.ts'

/**
 * How much of a refused body is still read and discarded while it keeps coming: a client that is answered while it
 * is sending may see a broken connection instead of the answer.
 */
const dropped = { bytes: 64 * 1024 * 1024, ms: 1000, silenceMs: 250 }

/** Bytes that are enough to tell what kind of request a body is. */
const startBytes = 4096

/** A body that was not read; `start` is how it begins, for callers that must know what kind of request it was. */
export class BodyRefused extends ApiError {
  readonly start: Uint8Array
  constructor(code: RefusalCode, sentence: string, start: Uint8Array) {
    super(code, sentence)
    this.start = start
  }
}

/** Status 413. */
export function bodyTooLarge(limit: number, start: Uint8Array): BodyRefused {
  const sentence = `The request body is larger than ${limit / 1024 / 1024} MiB. Send less in one request.`
  return new BodyRefused('body_too_large', sentence, start)
}

/**
 * Reads the bytes of a body, never holding more than `limit` of them. Throws BodyRefused as soon as possible: 413 for a
 * larger body, 429 for a large one while this process is already reading as much as it can hold; ApiError 400 for one
 * that does not arrive in time.
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
      if (room.isEvicted) break
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

/** The start of a body that is refused in any case: at most `limit` bytes, none if nothing comes. */
export async function readStart(request: Request, limit: number): Promise<Uint8Array> {
  return request.body === null ? new Uint8Array() : await dropBody(request.body.getReader(), limit)
}

/**
 * Reads a JSON body of any type. Throws ApiError 400 if it is not JSON in UTF-8 (or empty), and 413 and 429
 * like `readBody`.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  return parseJson(await readBody(request, limit))
}

/** The same for an optional body: undefined if it is absent. */
export async function readOptionalJson(request: Request, limit: number): Promise<unknown> {
  const bytes = await readBody(request, limit)
  return bytes.byteLength === 0 ? undefined : parseJson(bytes)
}

/** Parses JSON text in UTF-8 (with or without BOM); throws ApiError 400. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) {
    throw new ApiError('invalid_json', 'The request body is empty. Send a JSON object.')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ApiError('invalid_json', 'The request body is not JSON. Send a JSON object in UTF-8.', {
      cause,
    })
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Discards whatever keeps coming and returns the first `limit` bytes of it. */
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
    // A client that goes away, or stops sending, is answered all the same.
  }
  await reader.cancel().catch(() => {})
  return concatenate(kept, Math.min(size, limit))
}

/** Throws ApiError 400 if the client went away, or sends nothing for this many milliseconds. */
async function nextChunk(reader: Reader, withinMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = 'The request body did not arrive in time. Send it again, or send less at once.'
      reject(new ApiError('body_timeout', sentence))
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
  throw new ApiError('body_incomplete', sentence, { cause })
}

function tooManyLarge(start: Uint8Array): BodyRefused {
  const sentence = 'Too many large requests are being read right now. Send it again in a few seconds.'
  return new BodyRefused('too_many_large_bodies', sentence, start)
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
