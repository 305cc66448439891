import { parseExactJson } from '../../engine/core/exact-json.ts'
import { bodyTimeouts } from '../../engine/core/timeouts.ts'
import { ApiError, type Refusal } from './api-error.ts'
import { BodyMemory, oneAtATime, smallBody } from './body-memory.ts'

/**
 * How much of a refused body is still read and discarded while it keeps coming: a client that is answered while it
 * is sending may see a broken connection instead of the answer.
 */
const dropped = { bytes: 64 * 1024 * 1024, ms: 1000, silenceMs: 250 }

/** Bytes that are enough to tell what kind of request a body is. */
const startBytes = 4096

/** A body that was not read; `start` is how it begins, for callers that must know what kind of request it was. */
export class BodyRefused extends ApiError<'body_too_large' | 'too_many_large_bodies'> {
  readonly start: Uint8Array
  constructor({ code, values }: Refusal<'body_too_large' | 'too_many_large_bodies'>, start: Uint8Array) {
    super(code, values)
    this.start = start
  }
}

/** Status 413. */
export function bodyTooLarge(limit: number, start: Uint8Array = new Uint8Array()): BodyRefused {
  const values = { mebibytes: limit / 1024 / 1024 }
  return new BodyRefused({ code: 'body_too_large', values }, start)
}

/**
 * Reads a body that `use` takes as a whole, never holding more than `limit` bytes of it, and resolves to what `use` makes of
 * it; until then its memory counts as taken. Throws BodyRefused as soon as possible: 413 for a larger body, 429 for a large
 * one while this process already holds as much as it can; ApiError 400 for one that does not arrive in time.
 */
export async function readBody<Used>(
  request: Request,
  limit: number,
  use: (bytes: Uint8Array<ArrayBuffer>) => Used | Promise<Used>,
): Promise<Used> {
  return await streamBody(request, limit, async (chunks) => await use(await concatenate(chunks)), {
    atOnce: limit,
  })
}

/** Bytes of a streamed body that are in memory at the same time, in this process's buffers and on their way out of it. */
const streamedAtOnce = 2 * 1024 * 1024

/**
 * The same for a body that `use` takes while it arrives. `atOnce`: bytes of it that are in memory at the same time;
 * `owner`: the user whose share of this process's memory they take.
 */
export async function streamBody<Used>(
  request: Request,
  limit: number,
  use: (chunks: AsyncIterable<Uint8Array>) => Promise<Used>,
  { atOnce = streamedAtOnce, owner }: { atOnce?: number; owner?: string | undefined } = {},
): Promise<Used> {
  const memory = new BodyMemory(atOnce, owner)
  try {
    return await use(readChunks(request, limit, memory))
  } finally {
    memory.free()
  }
}

async function* readChunks(request: Request, limit: number, memory: BodyMemory): AsyncGenerator<Uint8Array> {
  if (request.body === null) return
  const reader = request.body.getReader()
  memory.leave = () => void reader.cancel().catch(() => {})
  const deadline = Date.now() + bodyTimeouts.wholeMs
  let first: Uint8Array<ArrayBuffer> | undefined
  let size = 0
  while (size <= limit && declaredSize(request) <= limit && memory.reserve(size)) {
    const left = Math.max(deadline - Date.now(), 0)
    const { done, value } = await nextChunk(reader, Math.min(bodyTimeouts.silenceMs, left))
    if (memory.isEvicted) break
    if (done) return memory.keep()
    first ??= value.slice(0, startBytes)
    size += value.byteLength
    if (size <= limit) yield value
  }
  memory.free()
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
 * Reads a JSON body of any type, with the digits of every number, for `use` like `readBody`; `size` is in bytes. Throws ApiError 400 if it is not JSON in
 * UTF-8 (or empty), and 413 and 429 like `readBody`.
 */
export async function readJson<Used = unknown>(
  request: Request,
  limit: number,
  use: (value: unknown, size: number) => Used | Promise<Used> = (value) => value as Used,
  owner?: string,
): Promise<Used> {
  return await streamBody(
    request,
    limit,
    async (chunks) => {
      const { text, size } = await decode(chunks)
      const take = async () => await use(parse(text), size)
      return await (size > smallBody ? oneAtATime(take) : take())
    },
    { atOnce: limit, owner },
  )
}

/** The same for an optional body: undefined if it is absent. */
export async function readOptionalJson(request: Request, limit: number): Promise<unknown> {
  return await readBody(request, limit, (bytes) => (bytes.byteLength === 0 ? undefined : parseJson(bytes)))
}

/** Parses JSON text in UTF-8 (with or without BOM); throws ApiError 400. */
export function parseJson(bytes: Uint8Array): unknown {
  const decoder = createDecoder()
  return parse(decoder(bytes, false))
}

/** Decodes each chunk as it arrives, so that a large body is not in memory as bytes as well. */
async function decode(chunks: AsyncIterable<Uint8Array>): Promise<{ text: string; size: number }> {
  const decoder = createDecoder()
  let text = ''
  let size = 0
  for await (const chunk of chunks) {
    text += decoder(chunk, true)
    size += chunk.byteLength
  }
  return { text: text + decoder(undefined, false), size }
}

function createDecoder(): (bytes: Uint8Array | undefined, stream: boolean) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (bytes, stream) => {
    try {
      return decoder.decode(bytes, { stream })
    } catch (cause) {
      throw notJson(cause)
    }
  }
}

function parse(text: string): unknown {
  if (text === '') throw new ApiError('invalid_json', { why: 'empty' })
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw notJson(cause)
  }
}

function notJson(cause: unknown): ApiError {
  return new ApiError('invalid_json', { why: 'other' }, { cause })
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
      if (done) return join(kept)
      if (size < limit) kept.push(value.subarray(0, limit - size))
      size += value.byteLength
    }
  } catch {
    // A client that goes away, or stops sending, is answered all the same.
  }
  await reader.cancel().catch(() => {})
  return join(kept)
}

/** Throws ApiError 400 if the client went away, or sends nothing for this many milliseconds. */
async function nextChunk(reader: Reader, withinMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError('body_timeout')), withinMs)
  })
  try {
    return await Promise.race([reader.read().catch(incomplete), silence])
  } finally {
    clearTimeout(timer)
  }
}

function incomplete(cause: unknown): never {
  throw new ApiError('body_incomplete', {}, { cause })
}

function tooManyLarge(start: Uint8Array): BodyRefused {
  return new BodyRefused({ code: 'too_many_large_bodies', values: {} }, start)
}

async function concatenate(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = []
  for await (const chunk of chunks) kept.push(chunk)
  return join(kept)
}

function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
