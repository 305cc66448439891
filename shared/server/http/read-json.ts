import { ApiError } from './api-error.ts'

/**
 * Bytes of a body that is too large which are still read, and dropped: a client that is answered while it sends
 * sees a broken connection instead of the answer.
 */
const drainLimit = 64 * 1024 * 1024

/** 413; `start` is how the body begins (its first chunk), for whoever must know what kind of request it was. */
export class BodyTooLarge extends ApiError {
  readonly start: Uint8Array
  constructor(limit: number, start: Uint8Array) {
    const sentence = `The request body is larger than ${limit / 1024 / 1024} MiB. Send less in one request.`
    super(413, 'body_too_large', sentence)
    this.start = start
  }
}

/**
 * The bytes of a body, never holding more than `limit` of them.
 * Throws BodyTooLarge for a larger body, whatever its `content-length` claims.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  let tooLarge = Number(request.headers.get('content-length') ?? 0) > limit
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new ApiError(
        400,
        'body_incomplete',
        'The request body ended before all of it arrived. Send it again.',
        { cause },
      )
    })
    if (done) break
    size += value.byteLength
    if (size > limit) {
      tooLarge = true
      chunks.splice(1)
    }
    if (size > drainLimit) {
      await reader.cancel().catch(() => {})
      break
    }
    if (!tooLarge || chunks.length === 0) chunks.push(value)
  }
  if (tooLarge) throw new BodyTooLarge(limit, chunks[0] ?? new Uint8Array())
  return concatenate(chunks, size)
}

/**
 * A JSON body, of any type. Throws ApiError 400 where it is no JSON in UTF-8 (an empty body too) and 413 where it
 * is larger than `limit` bytes.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  return parseJson(await readBody(request, limit))
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

function concatenate(chunks: Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
